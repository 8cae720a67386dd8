"""Start runs in which a model proposes tags: the machinery of runs, without verdicts."""

from collections.abc import Sequence
from datetime import datetime

from annotation.accounts.models import User
from annotation.projects.models import Project
from judges import registry
from judges.connections.selectors import describe_connection
from judges.runs.models import JudgeRun
from judges.runs.services.extending import add_batches, queue_run
from judges.runs.services.planning import find_connection
from judges.runs.services.starting import require_prices, set_cap


def start_proposing(
    *,
    project: Project,
    connection_id: str,
    about: dict[str, str],
    scope: str,
    candidate_ids: Sequence[int],
    spend_cap: int | None,
    by: User,
    at: datetime,
) -> JudgeRun:
    """Let a model propose tags for these answers, inside the caller's transaction.

    about: what its signature names besides model and options. scope: whose tags they are; the same model
    asked for another scope is another run, whose equal requests cost nothing. spend_cap: in pico-USD.
    Raises `ConnectionNeeded`, `CapTooLow`, `CapNeedsPrices`.
    """
    entry = registry.get_entry(registry.TAG_PROPOSER)
    connection = find_connection(project, entry, connection_id)
    assert connection is not None
    options = registry.make_options(entry, {})
    signature = registry.make_signature(entry.key, options, **about, **describe_connection(connection))
    run = JudgeRun.objects.create(
        project=project,
        purpose=JudgeRun.Purpose.TAGS,
        connection=connection,
        judge_key=entry.key,
        signature=signature,
        signature_hash=registry.hash_signature(f"{signature}|{scope}"),
        created_by=by,
        created_at=at,
    )
    set_cap(run=run, spend_cap=spend_cap)
    require_prices(run)
    add_batches(run, candidate_ids)
    queue_run(run)
    return run

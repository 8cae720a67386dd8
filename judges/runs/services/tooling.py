"""Make the judge of a run with all it needs, once for many batches."""

from functools import lru_cache
from typing import Any

from common.facts import ask
from judges import registry
from judges.connections.models import Connection
from judges.connections.services import open_client
from judges.prompts.selectors import find_resources
from judges.protocol import Judge, JudgeFailed
from judges.runs.models import JudgeRun
from judges.runs.services.batches import Claim
from judges.runs.services.metering import MeteredClient, NetworkClient
from judges.runs.services.planning import corpus_of, hash_corpus, own_options
from judges.runs.services.spending import Ticket

CORPUS_MOVED = (
    "Gold answers came or went since the run was started. Start it again to weigh words by what there is now."
)


class Tools:
    """What a worker judges a run with; threads may share it."""

    def __init__(self, run: JudgeRun) -> None:
        """Open what the run needs; raises `JudgeFailed` where it cannot be."""
        self._entry = registry.get_entry(run.judge_key)
        self._options = own_options(run.options)
        self._connection = run.connection
        self._client = open_client(run.connection) if run.connection else None
        self._corpus = _corpus(run, self._entry)
        self._resources = _resources(run, run.connection) if run.connection else {}

    @property
    def hands(self) -> int:
        """How many batches are worked on at the same time."""
        return self._connection.parallel_calls if self._connection else 1

    def judge_for(self, claim: Claim) -> Judge:
        """Return the judge for a batch; one that makes calls makes them for this batch's answer."""
        if self._connection is None or self._client is None:
            return _lasting_judge(self._entry.key, tuple(sorted(self._options.items())), self._corpus)
        client = _metered(self._client, self._connection, claim)
        return registry.make_judge(self._entry, self._options, client=client, **self._resources)

    def close(self) -> None:
        """Let go of the network."""
        if self._client is not None:
            self._client.close()


def _resources(run: JudgeRun, connection: Connection) -> dict[str, Any]:
    if run.purpose == JudgeRun.Purpose.TAGS:
        return {"choices": ask(fact="tag_choices", run_id=run.pk), "endpoint": connection.endpoint}
    found = find_resources(
        project=run.project, options=run.options, signature=run.signature, connection=connection
    )
    return {**found._asdict(), "endpoint": connection.endpoint}


def _corpus(run: JudgeRun, entry: registry.JudgeEntry) -> tuple[str, ...] | None:
    options = own_options(run.options)
    corpus = corpus_of(run.project, entry, options, gold_version=run.gold_version)
    if corpus is not None and f"|corpus:{hash_corpus(corpus)}|" not in run.signature:
        raise JudgeFailed(CORPUS_MOVED, retryable=False)
    return corpus


def _metered(client: NetworkClient, connection: Connection, claim: Claim) -> MeteredClient:
    (candidate_id,) = claim.candidate_ids
    ticket = Ticket(
        run_id=claim.run_id, connection_id=connection.pk, candidate_id=candidate_id, owner=claim.owner
    )
    return MeteredClient(client, connection=connection, ticket=ticket)


@lru_cache(maxsize=1)
def _lasting_judge(key: str, options: tuple[tuple[str, Any], ...], corpus: tuple[str, ...] | None) -> Judge:
    # A model takes seconds to load: kept until another judge is at work.
    resources = {} if corpus is None else {"corpus": corpus}
    return registry.make_judge(registry.get_entry(key), dict(options), **resources)

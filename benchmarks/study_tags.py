"""Tagging rounds of a large study, for its failure boards; import it once Django is set up."""

import random

from annotation.projects.models import Project
from common.clock import now
from judges.runs.models import JudgeRun
from judges.tagging.models import Tagging
from judges.tagging.rules import Filter, People, Said
from judges.tagging.services import start_round

ITEMS = 500
SEED = 7


def tag_study(project: Project) -> None:
    """Draw a round for each set of the papers, and tag all its items at random."""
    runs = {run.judge_key: run.public_id for run in JudgeRun.objects.filter(project=project)}
    wanted = {
        "kamalloo": Filter(people=People.ACCEPT, run=runs["exact_match"], said=Said.REJECTS),
        "evouna-answers": Filter(people=People.REJECT),
        "evouna-evaluators": Filter(run=runs["llm"], said=Said.ERRS),
        "efficientqa": Filter(people=People.ACCEPT, beyond_gold=True),
    }
    draw = random.Random(SEED)
    for key, rows in wanted.items():
        _tag_all(project, key, rows, draw)


def _tag_all(project: Project, key: str, wanted: Filter, draw: random.Random) -> None:
    tagging_round = start_round(
        project=project, by=project.created_by, name=key, set_key=key, wanted=wanted, size=ITEMS, seed=SEED
    )
    keys = [tag.key for tag in tagging_round.tag_set.as_spec().tags]
    Tagging.objects.bulk_create(
        Tagging(item=item, number=1, tags=[draw.choice(keys)], tagged_by=project.created_by, tagged_at=now())
        for item in tagging_round.items.order_by("position")
    )

"""Read how often judges change their minds, and whether they favor systems of their own family."""

from dataclasses import dataclass

import numpy as np

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.judge_board.cautions import (
    JudgedPredictions,
    KindredJudge,
    RepeatedJudge,
    family_of,
    find_repeats,
    measure_preference,
    measure_repeats,
)
from judges.comparison.rules.study import RunFacts, SystemFacts, is_recorded
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.study import sign_comparison


@dataclass(frozen=True)
class Cautions:
    """Judges that ran more than once, and judges from the same model family as a system."""

    signature: str
    repeats: list[RepeatedJudge]
    families: list[KindredJudge]


@kept()
def read_cautions(*, project: Project) -> Cautions:
    """Compare runs of one judge on the judged sample, and judges with people on the answers these decided."""
    judged = read_judged(project)
    repeats = [_measure_repeats(judged, group) for group in find_repeats(judged.runs)]
    families = [found for run in judged.runs if (found := _measure_family(judged, run))]
    asked = {name for found in repeats for name in found.runs} | {found.run for found in families}
    signature = sign_comparison(
        project,
        "repeats and families of judges",
        judges=[run.signature for run in judged.runs if run.public_id in asked],
        weights=judged.weighing,
    )
    return Cautions(signature, [found for found in repeats if found.answers], families)


def _measure_repeats(judged: Judged, runs: list[RunFacts]) -> RepeatedJudge:
    return computed(
        measure_repeats,
        [run.public_id for run in runs],
        name=runs[0].name,
        verdicts=[judged.said[run.id].verdict[judged.shared] for run in runs],
        questions=judged.items.candidates.question[judged.shared],
        weights=judged.of_question[judged.shared],
    )


def _measure_family(judged: Judged, run: RunFacts) -> KindredJudge | None:
    """Return a judge beside its kin; None where its model is of no family, or no system is of it."""
    stated = dict(run.stated)
    model = run.judge_key if is_recorded(run.judge_key) else stated.get("model", "")
    family = family_of([model])
    kin = [bool(family) and family_of(_texts(system)) == family for system in judged.items.systems]
    if not any(kin):
        return None
    given = judged.items.predictions.candidate
    verdict = judged.said[run.id].verdict[given]
    used = judged.counted[given] & (verdict >= 0)
    is_own = np.array(kin, dtype=bool)[judged.items.predictions.system][used]
    rows = JudgedPredictions(
        accepted=verdict[used] == 1,
        correct=judged.truth[given][used],
        is_own=is_own,
        questions=judged.items.predictions.question[used],
        weights=judged.weights[given][used],
    )
    return KindredJudge(
        run=run.public_id,
        name=judged.columns[run.id].name,
        family=family,
        systems=[system.label for system, own in zip(judged.items.systems, kin, strict=True) if own],
        own_answers=int(is_own.sum()),
        other_answers=int((~is_own).sum()),
        figures=computed(measure_preference, rows),
    )


def _texts(system: SystemFacts) -> list[str]:
    return [system.name, system.label, *(str(text) for text in system.description.values())]

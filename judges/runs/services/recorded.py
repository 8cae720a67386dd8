"""Take over the verdicts of other programs from files, as runs that are finished already."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.items.models import DataImport
from annotation.items.rules import RecordedVerdict
from common.clock import now
from common.shares import in_shares
from judges import registry
from judges.methods.recorded import Recorded, RecordedOptions
from judges.runs.models import JudgeRun, Verdict
from judges.runs.selectors import AS_RECORDED

# Verdicts taken out at a time.
SHARE = 1_000


@transaction.atomic
def apply_recorded_verdicts(
    *, data_import: DataImport, judge: str, verdicts: Sequence[RecordedVerdict], at: datetime
) -> JudgeRun:
    """Add verdicts of one judge to the run that stands for it; called for each chunk of a file.

    Probabilities are read anew, yes and no are taken from the file's own column, and the reply is kept.
    An answer that has its verdict keeps it.
    """
    # A chunk may be without probabilities only where the whole file is: the column is obligatory.
    is_scored = any(verdict.record.score is not None for verdict in verdicts)
    options = RecordedOptions(parser="probability" if is_scored else "column")
    run = _run_for(data_import, f"{registry.RECORDED_PREFIX}{judge}", options, at)
    reader = Recorded(options)
    Verdict.objects.bulk_create(
        (_verdict(run, reader, verdict, at) for verdict in verdicts), ignore_conflicts=True
    )
    return run


def _run_for(data_import: DataImport, key: str, options: RecordedOptions, at: datetime) -> JudgeRun:
    files = ",".join(sorted(str(file["sha256"])[:16] for file in data_import.files))
    signature = registry.make_signature(key, options, gold=AS_RECORDED, files=files)
    run, _ = JudgeRun.objects.get_or_create(
        project=data_import.project,
        signature_hash=registry.hash_signature(signature),
        defaults={
            "data_import": data_import,
            "judge_key": key,
            "options": {"parser": options.parser, "threshold": options.threshold},
            "gold_version": AS_RECORDED,
            "signature": signature,
            "state": JudgeRun.State.FINISHED,
            "created_by": data_import.created_by,
            "created_at": at,
            "started_at": at,
            "finished_at": now(),
        },
    )
    return run


def _verdict(run: JudgeRun, reader: Recorded, recorded: RecordedVerdict, at: datetime) -> Verdict:
    record = recorded.record
    verdict = reader.read(raw_reply=record.raw_reply, column=record.verdict)
    return Verdict(
        run=run,
        candidate_id=recorded.candidate_id,
        accepted=verdict.accepted,
        score=verdict.score,
        unscored_reason=verdict.unscored_reason,
        raw_reply=verdict.raw_reply,
        judged_at=at,
    )


def discard_recorded_verdicts(*, data_import: DataImport) -> None:
    """Take recorded verdicts out again, with the runs that stand for them.

    Share by share, each in a transaction of its own; safe to repeat.
    """
    verdicts = Verdict.objects.filter(run__data_import=data_import)
    for share in in_shares(list(verdicts.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        Verdict.objects.filter(pk__in=share).delete()
    JudgeRun.objects.filter(data_import=data_import).delete()

"""Whatever people and judges did: a study that is restored from its bundle is the study (P15)."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import DecidedByPerson, decide_answer
from annotation.assignments.services.handing_out import NotHandedOut
from annotation.gold.models import GoldChange
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment
from annotation.projects.models import Membership, Project
from annotation.release.services import _delete_rows
from judges.bundles.services.restoring import RESTORED
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.test_state_machine import Work, work
from tests.faults.proof import Proof
from tests.judges.bundles.factories import hashes, restore, take_apart, write
from tests.tables import IS_POSTGRES

AT_WORK = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
Rows = list[tuple[Any, ...]]

# What anybody may write but for NUL and halves of characters, which nothing lets in.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
scores = st.none() | st.floats(allow_nan=False, allow_infinity=False)
verdicts = st.lists(st.tuples(st.sampled_from([True, False, None]), scores, texts), min_size=4, max_size=4)


def read(project: Project) -> dict[str, Rows]:
    """Return what was said and decided, by names that a restore leaves alone, in the order it was made."""
    judgments = Judgment.objects.filter(candidate__project=project)
    revisions = JudgmentRevision.objects.filter(judgment__candidate__project=project)
    checks = CheckAnswer.objects.filter(question__project=project)
    decisions = Decision.objects.filter(candidate__project=project)
    changes = GoldChange.objects.filter(question__project=project)
    said = Verdict.objects.filter(run__project=project)
    vote = ("label", "comment", "evidence_url", "evidence_quote", "state")
    of_judgment = ("judgment__candidate__public_id", "judgment__rater__user__username", "judgment__purpose")
    rows = {
        "votes": judgments.values_list(
            "public_id",
            "candidate__public_id",
            "rater__user__username",
            "slot",
            "round",
            "purpose",
            "judged_at",
            *vote,
        ),
        "revisions": revisions.values_list(
            *of_judgment, "number", "action", "seconds", "protocol_version__number", "at", *vote
        ),
        "checks": checks.values_list(
            "question__public_id", "rater__user__username", "check_key", "round", "answer", "answered_at"
        ),
        "decisions": decisions.values_list(
            "public_id",
            "candidate__public_id",
            "number",
            "is_current",
            "label",
            "is_reopening",
            "source",
            "rule",
            "reason",
            "category",
            "is_reason_shown",
            "group",
            "decided_by__username",
            "decided_at",
        ),
        "amendments": changes.values_list(
            "public_id",
            "question__public_id",
            "action",
            "text",
            "kind",
            "rule",
            "reason",
            "decision__public_id",
            "changed_by__username",
            "changed_at",
            "undone_at",
            "undone_by__username",
            "undo_reason",
            "group",
        ),
        "verdicts": said.values_list(
            "run__public_id",
            "candidate__public_id",
            "accepted",
            "score",
            "unscored_reason",
            "raw_reply",
            "judged_at",
        ),
    }
    return {name: list(each.order_by("pk")) for name, each in rows.items()}


class Moved(Work):
    """Raters, a lead and judges at work, whose study is bundled, deleted and restored in the end."""

    # Over all examples.
    compared: Counter[str] = Counter()

    @rule(given=verdicts)
    def judge(self, given: list[tuple[bool | None, float | None, str]]) -> None:
        """Let a judge say anything of any kind about each answer."""
        number = JudgeRun.objects.count()
        run = JudgeRun.objects.create(
            project=self.project,
            judge_key="exact_match",
            stated=[["judge", "exact_match"]],
            signature=f"signature {number}",
            signature_hash=f"{number}",
            state=JudgeRun.State.FINISHED,
            created_at=self.at,
        )
        Verdict.objects.bulk_create(
            Verdict(
                run=run,
                candidate=self.candidate(which),
                accepted=accepted,
                score=score,
                unscored_reason="" if accepted is not None else "unparsable",
                raw_reply=reply,
                judged_at=self.at,
            )
            for which, (accepted, score, reply) in enumerate(given)
        )

    @precondition(lambda self: self.said)
    @rule(data=st.data(), comment=texts)
    def comment(self, data: st.DataObject, comment: str) -> None:
        rater, answer, purpose = data.draw(st.sampled_from(list(self.said)))
        judgment = Judgment.objects.get(rater=rater, candidate__public_id=answer, purpose=purpose)
        given = AnswerGiven(
            id=answer, label=judgment.label, comment=comment.strip(), evidence_quote=comment.strip()
        )
        try:
            edit_judgment(
                rater=Membership.objects.select_related("project__protocol", "user").get(pk=rater),
                sheet_id=judgment.assignment.sheet.public_id,
                given=given,
                seen_at=judgment.judged_at,
                at=self.at,
            )
        except (DecidedByPerson, NotHandedOut):
            return

    @rule(which=st.integers(0, 3), label=st.sampled_from(["correct", "incorrect"]), reason=texts)
    def decide_in_own_words(self, which: int, label: str, reason: str) -> None:
        decide_answer(
            project=Project.objects.select_related("protocol").get(pk=self.project.pk),
            candidate_id=self.candidate(which).public_id,
            by=self.project.created_by,
            label=label,
            reason=f"because {reason}",
            at=self.at,
        )

    def finish(self) -> None:
        """Compare what was made by what stands in the tables, and by the bundle itself."""
        self.make_up_for_chance()
        self.settle()
        # A restore lets no judge go on by itself.
        JudgeRun.objects.filter(state__in=AT_WORK).update(state=JudgeRun.State.PAUSED, message=RESTORED)
        with TemporaryDirectory() as name:
            folder = Path(name)
            before, rows = self.exports(folder / "before"), read(self.project)
            path, slug = write(self.project, folder / "study.zip"), self.project.slug
            _delete_rows(self.project)
            restored = restore(path, by=self.project.created_by, slug=slug, connects=True)
            assert read(restored) == rows
            self.project = restored
            again = take_apart(write(restored, folder / "again.zip"))
            for part, lines in take_apart(path).items():
                assert again[part].splitlines() == lines.splitlines(), part
            assert self.exports(folder / "after") == before
        self.compared.update({name: len(each) for name, each in rows.items()}, studies=1)

    def exports(self, folder: Path) -> dict[str, str]:
        """Return what the exports are compared by; all of them take too long for the short form."""
        return {}

    def make_up_for_chance(self) -> None:
        """Let there be votes and verdicts in every study: few acts drawn by chance seldom come to any."""
        if not self.said:
            self.work_off(0)
            self.work_off(1)
        if not Verdict.objects.exists():
            self.judge(
                [(True, 0.1 + 0.2, "Yes."), (False, None, "No"), (None, None, "?"), (True, 5e-324, "é")]
            )


class MovedWithExports(Moved):
    """The same, compared by every export, too."""

    def exports(self, folder: Path) -> dict[str, str]:
        return hashes(self.project, folder)


@pytest.mark.django_db
class TestAnyStudy:
    @pytest.fixture(autouse=True)
    def _own_data_folder(self, settings: Any, tmp_path: Path) -> None:
        settings.DATA_DIR = tmp_path / "data"

    def test_is_itself_when_it_is_restored(self) -> None:
        Moved.compared.clear()
        work(machine=Moved, examples=5, steps=15, by_chance=False)
        assert all(Moved.compared.values())
        assert len(Moved.compared) == 7, "what is never there proves nothing"

    @pytest.mark.prove
    def test_is_itself_after_any_long_work(self) -> None:
        Moved.compared.clear()
        work(machine=MovedWithExports, examples=60, steps=40, by_chance=True)
        found = Moved.compared
        said = ", ".join(f"{found[name]:,} {name}" for name in found if name != "studies")
        Proof().record(
            "P15",
            "studies drawn by chance: bundled, deleted, restored",
            promised="every row, time and export equal",
            measured=f"all of {found['studies']:,} studies: {said}",
            database="PostgreSQL" if IS_POSTGRES else "SQLite",
        )

"""What must hold of a project's tables whatever people did, read without the product's own selectors.

Of votes: what is none, as a pilot's judgments, holds no slot and counts nowhere.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, GoldAnswer
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project

State = Assignment.State
HOLDING = {State.LIVE, State.DONE}
CONTENT = ("state", "label", "comment", "evidence_url", "evidence_quote")
OF_ASSIGNMENT = {
    Judgment.State.COUNTED: {State.DONE},
    Judgment.State.SURPLUS: {State.SURPLUS},
    Judgment.State.MISSING: {State.SKIPPED},
}


class Tables(NamedTuple):
    """Every row that says who judged what, as dictionaries."""

    candidates: list[dict[str, Any]]
    assignments: list[dict[str, Any]]
    judgments: list[dict[str, Any]]
    revisions: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    checks: list[dict[str, Any]]
    gold_answers: list[dict[str, Any]]
    gold_changes: list[dict[str, Any]]

    def of(self, rows: str, candidate: int) -> list[dict[str, Any]]:
        """Return the assignments or judgments or decisions of one answer."""
        return [row for row in getattr(self, rows) if row["candidate_id"] == candidate]


def read_tables(project: Project) -> Tables:
    """Read everything at once."""
    assignments = Assignment.objects.filter(candidate__project=project, purpose="vote").order_by("pk")
    return Tables(
        candidates=list(Candidate.objects.filter(project=project).order_by("pk").values()),
        assignments=list(
            assignments.values(
                "candidate_id", "rater_id", "slot", "state", "skip_reason", "sheet__lease_expires_at"
            )
        ),
        judgments=list(
            Judgment.objects.filter(candidate__project=project, purpose="vote")
            .order_by("pk")
            .values("pk", "candidate_id", "rater_id", "slot", "round", "assignment__state", *CONTENT)
        ),
        revisions=list(
            JudgmentRevision.objects.filter(judgment__candidate__project=project)
            .order_by("judgment_id", "number")
            .values()
        ),
        decisions=list(
            Decision.objects.filter(candidate__project=project).order_by("candidate_id", "number").values()
        ),
        checks=list(CheckAnswer.objects.filter(question__project=project).order_by("pk").values()),
        gold_answers=list(GoldAnswer.objects.filter(question__project=project).order_by("pk").values()),
        gold_changes=list(GoldChange.objects.filter(question__project=project).order_by("pk").values()),
    )


def violations(
    tables: Tables, *, raters_per_answer: int, most_votes: int, is_settled: bool = True
) -> list[str]:
    """Return every broken promise in words, for a protocol that decides by majority.

    `raters_per_answer`: by the protocol in force; `most_votes`: counted ones an answer may have, by this
    protocol and those before it. `is_settled`: nothing that raters did waits to be settled; what holds at any
    moment is asked for in any case.
    """
    at_any_moment = (
        _too_many_votes(tables, most_votes),
        _miscounted_slots(tables),
        _unlike_their_assignment(tables),
        _unlike_their_history(tables),
        _undecided_or_twice_decided(tables),
    )
    once_settled = (
        _stuck_answers(tables),
        _set_aside_unasked(tables),
        _not_what_votes_say(tables, raters_per_answer),
        _unlike_its_ledger(tables),
    )
    checks = (*at_any_moment, *(once_settled if is_settled else ()))
    return [words for check in checks for words in check]


def _too_many_votes(tables: Tables, most_votes: int) -> Iterator[str]:
    raters = Counter((row["candidate_id"], row["rater_id"]) for row in tables.judgments)
    yield from (f"{pair} judged {count} times" for pair, count in raters.items() if count > 1)
    counted: dict[int, list[int]] = defaultdict(list)
    for row in tables.judgments:
        if row["state"] == Judgment.State.COUNTED:
            counted[row["candidate_id"]].append(row["slot"])
    for candidate, slots in counted.items():
        if len(slots) > most_votes or len(set(slots)) < len(slots):
            yield f"answer {candidate} has counted votes in slots {slots}, at most {most_votes} may be"


def _miscounted_slots(tables: Tables) -> Iterator[str]:
    for candidate in tables.candidates:
        slots = [row["slot"] for row in tables.of("assignments", candidate["id"]) if row["state"] in HOLDING]
        if not len(slots) == candidate["taken"] <= candidate["wanted"]:
            counts = f"{candidate['taken']} of {candidate['wanted']}"
            yield f"answer {candidate['id']}: {len(slots)} slots held, {counts} said to be taken"
        if len(set(slots)) < len(slots):
            yield f"answer {candidate['id']}: a slot is held twice: {slots}"


def _stuck_answers(tables: Tables) -> Iterator[str]:
    """Find open answers that nobody is at and nobody may be given."""
    for candidate in tables.candidates:
        rows = tables.of("assignments", candidate["id"])
        is_awaited = any(
            row["state"] == State.LIVE
            or (row["state"] == State.SKIPPED and row["skip_reason"].startswith("check:"))
            for row in rows
        )
        is_open = candidate["state"] == Candidate.State.OPEN
        if is_open and candidate["taken"] == candidate["wanted"] and not is_awaited:
            yield f"answer {candidate['id']} is open, and nobody will ever get it"


def _unlike_their_assignment(tables: Tables) -> Iterator[str]:
    for row in tables.judgments:
        allowed = OF_ASSIGNMENT.get(row["state"])
        if allowed and row["assignment__state"] not in allowed:
            yield f"judgment {row['pk']} is {row['state']}, its assignment {row['assignment__state']}"
    done = sum(row["state"] == State.DONE for row in tables.assignments)
    counted = sum(row["state"] == Judgment.State.COUNTED for row in tables.judgments)
    if done != counted:
        yield f"{done} assignments are done, {counted} judgments count"


def _unlike_their_history(tables: Tables) -> Iterator[str]:
    history: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for revision in tables.revisions:
        history[revision["judgment_id"]].append(revision)
    for row in tables.judgments:
        revisions = history[row["pk"]]
        if [revision["number"] for revision in revisions] != list(range(1, len(revisions) + 1)):
            yield f"the history of judgment {row['pk']} has gaps"
        rebuilt = {field: revisions[-1][field] for field in CONTENT} if revisions else {}
        if rebuilt != {field: row[field] for field in CONTENT}:
            yield f"judgment {row['pk']} is {row}, its history comes to {rebuilt}"


def _undecided_or_twice_decided(tables: Tables) -> Iterator[str]:
    for candidate in tables.candidates:
        rows = tables.of("decisions", candidate["id"])
        if [row["number"] for row in rows] != list(range(1, len(rows) + 1)):
            yield f"the decisions on answer {candidate['id']} have gaps"
        if [row["is_current"] for row in rows] != [False] * (len(rows) - 1) + [True] * bool(rows):
            yield f"not the last decision on answer {candidate['id']} is the current one"
        decided = rows[-1] if rows and not rows[-1]["is_reopening"] else None
        if (candidate["state"] == Candidate.State.DECIDED) != (decided is not None):
            yield f"answer {candidate['id']} is {candidate['state']}, its last decision is {decided}"


def _set_aside_unasked(tables: Tables) -> Iterator[str]:
    """Find votes set aside that were asked for before there was a tie: they count again for a larger k."""
    aside = {row["judgment_id"] for row in tables.revisions if row["action"] == "set_aside"}
    for row in tables.judgments:
        if row["pk"] in aside and row["round"] != Assignment.Round.TIE_BREAK:
            yield f"judgment {row['pk']} of round {row['round']} was set aside"


def _not_what_votes_say(tables: Tables, raters_per_answer: int) -> Iterator[str]:
    """Find answers decided by rule where the votes say otherwise, and undecided ones where they agree.

    Votes in slots above the protocol's number speak only where those below do not agree, or where the
    answer was sent back: then all weigh alike.
    """
    for candidate in tables.candidates:
        votes = [row for row in tables.of("judgments", candidate["id"]) if row["state"] == "counted"]
        first = [row["label"] for row in votes if row["slot"] <= raters_per_answer]
        is_complete = len(first) == raters_per_answer and len(votes) >= candidate["least_votes"]
        if candidate["least_votes"] > raters_per_answer:
            first = [row["label"] for row in votes]
        said = _majority(first) or _majority([row["label"] for row in votes])
        by_votes = said if is_complete else None
        decided = next((row for row in tables.of("decisions", candidate["id"]) if row["is_current"]), None)
        words = f"answer {candidate['id']}: votes {first} of {len(votes)} say {by_votes}"
        if decided is None or decided["is_reopening"]:
            is_a_persons = decided is not None and decided["decided_by_id"] is not None
            if by_votes and not (is_a_persons and candidate["state"] == Candidate.State.DISPUTED):
                yield f"{words}, it is {candidate['state']}"
        elif decided["source"] in {"unanimous", "majority"}:
            source = "unanimous" if set(first) == {by_votes} else "majority"
            if (decided["label"], decided["source"]) != (by_votes, source):
                yield f"{words}, it is decided {decided['label']}, {decided['source']}"


def _majority(labels: list[str]) -> str | None:
    return next((label for label in labels if 2 * labels.count(label) > len(labels)), None)


def _unlike_its_ledger(tables: Tables) -> Iterator[str]:
    """Find questions whose gold by the ledger is not what the decisions in force come to."""
    texts = {row["id"]: (row["question_id"], row["text"]) for row in tables.candidates}
    original = {(row["question_id"], row["text"]) for row in tables.gold_answers}
    decided: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for row in tables.decisions:
        if row["is_current"] and not row["is_reopening"]:
            decided[row["label"]].add(texts[row["candidate_id"]])
    in_force: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for row in tables.gold_changes:
        if row["undone_at"] is None:
            in_force[row["action"]].add((row["question_id"], row["text"]))
    wanted = (original | decided["correct"]) - decided["incorrect"]
    found = (original | in_force["added"]) - in_force["removed"]
    if wanted != found:
        yield f"gold answers are {found}, by the decisions they should be {wanted}"


def rewritten(before: Tables, after: Tables) -> list[str]:
    """Return which rows of the append-only histories are gone or changed."""
    return [
        *_gone(before.revisions, after.revisions, may_change=set()),
        *_gone(before.decisions, after.decisions, may_change={"is_current"}),
        *_gone(
            before.gold_changes, after.gold_changes, may_change={"undone_at", "undone_by_id", "undo_reason"}
        ),
    ]


def _gone(
    before: list[dict[str, Any]], after: list[dict[str, Any]], *, may_change: set[str]
) -> Iterator[str]:
    kept = {row["id"]: row for row in after}
    for row in before:
        now = kept.get(row["id"])
        if now is None or any(row[field] != now[field] for field in row.keys() - may_change):
            yield f"history was rewritten: {row} is now {now}"


def free_for(rater: Membership, *, tables: Tables, at: datetime) -> list[int]:
    """Return the answers with a slot for this rater at a moment, leases that have ended left out."""

    def is_abandoned(row: dict[str, Any]) -> bool:
        on_a_sheet = row["state"] in {State.LIVE, State.FILLER}
        return row["state"] == State.EXPIRED or (on_a_sheet and row["sheet__lease_expires_at"] <= at)

    found = []
    for candidate in tables.candidates:
        rows = tables.of("assignments", candidate["id"])
        taken = sum(row["state"] in HOLDING and not is_abandoned(row) for row in rows)
        had_it = any(row["rater_id"] == rater.pk and not is_abandoned(row) for row in rows)
        if candidate["state"] == Candidate.State.OPEN and taken < candidate["wanted"] and not had_it:
            found.append(candidate["id"])
    return found

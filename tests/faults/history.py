"""Judge a history of requests and replies against the tables: is every promise about hand-outs kept?"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.faults.arena import Arena

RATERS_PER_ANSWER = 2
CANDIDATES = "SELECT id, public_id, state, wanted, taken FROM annotation_candidate ORDER BY id"
ASSIGNMENTS = """
    SELECT a.candidate_id, u.username, a.slot, a.state FROM annotation_assignment a
    JOIN annotation_membership m ON m.id = a.rater_id JOIN annotation_user u ON u.id = m.user_id
"""
JUDGMENTS = """
    SELECT j.id, j.candidate_id, u.username, j.slot, j.state, j.label FROM annotation_judgment j
    JOIN annotation_membership m ON m.id = j.rater_id JOIN annotation_user u ON u.id = m.user_id
"""
REVISIONS = "SELECT judgment_id, number, action, label FROM annotation_judgmentrevision ORDER BY id"


class Judged(NamedTuple):
    """One row of the judgments."""

    id: int
    candidate: int
    rater: str
    slot: int
    state: str
    label: str


class Tables:
    """What the database holds at the end."""

    def __init__(self, arena: Arena) -> None:
        self.candidates = {row[0]: row for row in arena.rows(CANDIDATES)}
        self.public_ids = {row[1]: row[0] for row in self.candidates.values()}
        self.assignments = arena.rows(ASSIGNMENTS)
        self.judgments = [Judged(*row) for row in arena.rows(JUDGMENTS)]
        self.revisions = arena.rows(REVISIONS)
        self.counted: dict[int, list[Judged]] = defaultdict(list)
        for judgment in self.judgments:
            if judgment.state == "counted":
                self.counted[judgment.candidate].append(judgment)


def violations(*, history: list[dict[str, Any]], tables: Tables, raters: list[str]) -> list[str]:
    """Return every broken promise in words; nothing where all were kept."""
    checks = (
        _unexpected_replies(history),
        _too_many_votes(tables),
        _too_few_votes(tables, raters),
        _twice_the_same_rater(tables),
        _miscounted_slots(tables),
        _lost_work(history, tables),
        _repeated_work(history, tables),
        _said_nothing_left(history, tables),
    )
    return [words for check in checks for words in check]


def lost_or_repeated(*, history: list[dict[str, Any]], tables: Tables) -> list[str]:
    """Return what is lost, repeated, or more than was asked for, in words; work may be left."""
    checks = (
        _too_many_votes(tables),
        _twice_the_same_rater(tables),
        _miscounted_slots(tables),
        _lost_work(history, tables),
        _repeated_work(history, tables),
    )
    return [words for check in checks for words in check]


def _unexpected_replies(history: list[dict[str, Any]]) -> Iterator[str]:
    for entry in history:
        if entry["status"] not in {200, 409}:
            yield f"{entry['act']} was answered {entry['status']}: {entry['reply']}"


class Votes(NamedTuple):
    """How many votes an answer has, tie-breaks apart, and whether the first ones differ."""

    first: int
    tie_breaks: int
    is_disputed: bool


def _votes(tables: Tables, candidate: int) -> Votes:
    votes = tables.counted[candidate]
    first = [vote for vote in votes if vote.slot <= RATERS_PER_ANSWER]
    is_disputed = len(first) == RATERS_PER_ANSWER and len({vote.label for vote in first}) > 1
    return Votes(len(first), len(votes) - len(first), is_disputed)


def _too_many_votes(tables: Tables) -> Iterator[str]:
    for candidate in tables.candidates:
        votes = _votes(tables, candidate)
        if votes.first > RATERS_PER_ANSWER:
            yield f"answer {candidate} has {votes.first} counted votes, too many"
        if votes.tie_breaks > votes.is_disputed:
            yield f"answer {candidate} has {votes.tie_breaks} tie-breaks, too many"


def _too_few_votes(tables: Tables, raters: list[str]) -> Iterator[str]:
    had: dict[int, set[str]] = defaultdict(set)
    for candidate, rater, _slot, _state in tables.assignments:
        had[candidate].add(rater)
    for candidate in tables.candidates:
        votes = _votes(tables, candidate)
        if not set(raters) - had[candidate]:
            continue
        if votes.first < RATERS_PER_ANSWER:
            yield f"answer {candidate} has only {votes.first} counted votes, and raters who could judge it"
        if votes.tie_breaks < votes.is_disputed:
            yield f"answer {candidate} is disputed, and nobody was asked to break the tie"


def _twice_the_same_rater(tables: Tables) -> Iterator[str]:
    pairs = Counter((judgment.candidate, judgment.rater) for judgment in tables.judgments)
    for (candidate, rater), count in pairs.items():
        if count > 1:
            yield f"{rater} judged answer {candidate} {count} times"


def _miscounted_slots(tables: Tables) -> Iterator[str]:
    held: dict[int, list[int]] = defaultdict(list)
    for candidate, _rater, slot, state in tables.assignments:
        if state in {"live", "done"}:
            held[candidate].append(slot)
    for candidate, _public_id, _state, wanted, taken in tables.candidates.values():
        if not len(held[candidate]) == taken <= wanted:
            yield f"answer {candidate}: {len(held[candidate])} slots held, {taken} taken, {wanted} wanted"
        if len(set(held[candidate])) != len(held[candidate]):
            yield f"answer {candidate}: a slot is held twice: {sorted(held[candidate])}"


def _acknowledged(history: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return one entry for each submit that was answered 200, by rater and key."""
    done = (entry for entry in history if entry["act"] == "submit" and entry["status"] == 200)
    return {(entry["rater"], entry["body"]["submission_key"]): entry for entry in done}


def _lost_work(history: list[dict[str, Any]], tables: Tables) -> Iterator[str]:
    stored = {(judgment.rater, judgment.candidate) for judgment in tables.judgments}
    for (rater, _key), entry in _acknowledged(history).items():
        for answer in entry["body"]["answers"]:
            if (rater, tables.public_ids[answer["id"]]) not in stored:
                yield f"{rater}'s label of {answer['id']} was acknowledged and is lost"


def _repeated_work(history: list[dict[str, Any]], tables: Tables) -> Iterator[str]:
    submitted = 0
    for (rater, _key), entry in _acknowledged(history).items():
        outcome = entry["reply"]["outcome"]
        taken, brought = outcome["counted"] + outcome["surplus"], len(entry["body"]["answers"])
        submitted += taken
        # What the rater had judged in the other tab stands as it was said there, and they are told so.
        if taken != brought and f"already judged {brought - taken} of its answers" not in outcome["message"]:
            yield f"{rater} handed in {brought} labels and was told of {taken}"
    stored = sum(action == "submit" for _judgment, _number, action, _label in tables.revisions)
    if submitted != stored:
        yield f"{submitted} labels were acknowledged, {stored} are in the history"
    numbers: dict[int, list[int]] = defaultdict(list)
    for judgment, number, _action, _label in tables.revisions:
        numbers[judgment].append(number)
    for judgment, found in numbers.items():
        if sorted(found) != list(range(1, len(found) + 1)):
            yield f"the history of judgment {judgment} is numbered {sorted(found)}"


class Sight(NamedTuple):
    """When each rater was first shown each answer, and when a skip of it was acknowledged."""

    shown: dict[str, dict[str, float]]
    skipped: dict[tuple[str, str], float]

    def surely_free(self, answer: str, *, started: float, ended: float) -> bool:
        """Whether a slot of the answer was free all through a request."""
        holding = [
            rater
            for rater, since in self.shown[answer].items()
            if since < ended and not self.skipped.get((answer, rater), float("inf")) < started
        ]
        return len(holding) < RATERS_PER_ANSWER


def _sight(history: list[dict[str, Any]]) -> Sight:
    sight = Sight(shown=defaultdict(dict), skipped={})
    on_sheet: dict[str, list[str]] = {}
    for entry in history:
        for sheet in entry["reply"].get("sheets", []):
            on_sheet[sheet["id"]] = [answer["id"] for answer in sheet["answers"]]
            for answer in on_sheet[sheet["id"]]:
                sight.shown[answer].setdefault(entry["rater"], entry["started"])
        if entry["act"] == "skip" and entry["status"] == 200:
            for answer in on_sheet[entry["sheet"]]:
                sight.skipped[answer, entry["rater"]] = entry["ended"]
    return sight


def _said_nothing_left(history: list[dict[str, Any]], tables: Tables) -> Iterator[str]:
    """Find replies "nothing left" to a rater for whom an answer was free all through the request.

    Whoever was ever shown an answer counts as holding it until a skip was acknowledged, so an answer
    is called free only where it surely was.
    """
    sight = _sight(history)
    for entry in history:
        if not entry["reply"].get("nothing_left"):
            continue
        for answer in tables.public_ids:
            was_shown = entry["rater"] in sight.shown[answer]
            if not was_shown and sight.surely_free(answer, started=entry["started"], ended=entry["ended"]):
                yield f"{entry['rater']} was told that nothing is left while {answer} was free"

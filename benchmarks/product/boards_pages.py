"""What the pages that compare ask for."""

from typing import NamedTuple


class Page(NamedTuple):
    """An address below the project's (or from `/` on); after: what its page asks for first, of intervals."""

    address: str
    after: str = ""


FAILURES = ("misses", "repairs", "wrong", "errors", "length", "credit", "unattributable")
PARTS = ("system", "answer_length", "question_type", "dataset", "tag")
SLICES = ("question_type", "answer_length", "exact_match", "system", "rater", "week", "protocol_version")

PAGES = (
    Page("overview"),
    Page("filters"),
    Page("leaderboard"),
    Page("leaderboard?scope=entire"),
    Page("leaderboard?dataset=nq&tag=dates"),
    Page("leaderboard?intervals=true", after="leaderboard"),
    Page("leaderboard?intervals=true&compared=human", after="leaderboard"),
    Page("leaderboard/pairs?column=human", after="leaderboard"),
    Page("leaderboard/datasets"),
    Page("leaderboard/beyond", after="leaderboard"),
    Page("leaderboard/amendments"),
    Page("leaderboard/amendments?intervals=true", after="leaderboard/amendments"),
    Page("reference-scores"),
    Page("systems-board"),
    Page("systems-board?intervals=true", after="systems-board"),
    Page("systems-board/questions?right_by=12"),
    Page("/api/comparison?projects=large"),
    Page("judge-board"),
    Page("judge-board?intervals=true", after="judge-board"),
    Page("judge-board/pairs", after="judge-board"),
    Page("judge-board/differences", after="judge-board"),
    Page("results", after="judge-board"),
    Page("judge-board/strategies", after="judge-board"),
    Page("judge-board/strategies?intervals=true", after="judge-board/strategies"),
    Page("judge-board/{run}/thresholds", after="judge-board"),
    Page("judge-board/{run}/thresholds?intervals=true", after="judge-board/{run}/thresholds"),
    *(Page(f"judge-board/{{run}}/parts?by={by}", after="judge-board") for by in PARTS),
    *(
        Page(f"judge-board/{{run}}/parts?by={by}&intervals=true", after=f"judge-board/{{run}}/parts?by={by}")
        for by in PARTS
    ),
    *(Page(f"failure-board?board={kind}") for kind in FAILURES),
    Page("tagging"),
    Page("tagging/{round}"),
    Page("tagging/{round}/results"),
    Page("agreement?intervals=false"),
    Page("agreement", after="agreement?intervals=false"),
    Page("agreement/decisions"),
    *(Page(f"agreement/slices?by={by}&intervals=false") for by in SLICES),
    Page("agreement/slices?by=system", after="agreement/slices?by=system&intervals=false"),
    Page("agreement/pilots"),
    Page("raters"),
    Page("raters/{rater}"),
    Page("known-answers"),
    Page("quality-plan"),
    Page("gold"),
    Page("gold?limit=1000"),
    Page("answers"),
    Page("answers?limit=1000"),
    Page("answers?search=everybody"),
    Page("answers?state=disagreement"),
    Page("answers?state=disputed"),
    Page("answers?errors_of={run}"),
    Page("answers?accepted_by={run}&rejected_by=people"),
    Page("answers?by=system&part=System%201"),
    Page("answers?board=wrong&column=system-1"),
    Page("answers/{answer}"),
    Page("queue"),
    Page("queue?reason=conflict"),
    Page("queue/{answer}"),
    Page("reuse"),
    Page("work"),
    Page("prejudging"),
    Page("prejudging/audit"),
    Page("prejudging/answers"),
    Page("runs"),
    Page("runs/{run}"),
    Page("runs/{run}/verdicts"),
    Page("sample"),
    Page("systems"),
    Page("methods"),
    Page("paper-tables", after="methods"),
)

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotation.accounts.models import User
from annotation.adjudication.rules import (
    QueueFilter,
    QueueKind,
    QueueReason,
    count_choices,
    group_columns,
    group_words,
    keep,
    pair_name,
    places_of,
)
from annotation.adjudication.services.deciding import decide_answer, reopen_answer
from annotation.assignments.models import QuestionFlag, Sheet
from annotation.assignments.services.handing_out import flag_question
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from common.clock import now
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member

Voter = Callable[..., None]
Client = Callable[[User], Any]
YES, NO = "correct", "incorrect"
ADDRESS = "/api/projects/small/queue"


def entry(reason: str = "disputed", *, flags: str = "", pairs: str = "", judges: str = "") -> QueueKind:
    parts = (frozenset(words.split()) for words in (flags, pairs, judges))
    return QueueKind(QueueReason(reason), *parts)


class TestKeep:
    def test_nothing_chosen_keeps_all_that_waits_and_no_conflict(self) -> None:
        assert keep(entry(), QueueFilter())
        assert not keep(entry("conflict", judges="run"), QueueFilter())

    def test_every_part_must_fit(self) -> None:
        both = entry(flags="list unclear", pairs="A~B")
        assert keep(both, QueueFilter(reason="disputed", flag="list", pair="A~B"))
        assert not keep(both, QueueFilter(flag="list", pair="A~C"))
        assert not keep(both, QueueFilter(reason="cannot_judge"))

    def test_a_judge_asks_for_its_conflicts(self) -> None:
        assert keep(entry("conflict", judges="one two"), QueueFilter(judge="two"))
        assert not keep(entry("conflict", judges="one"), QueueFilter(judge="two"))
        assert not keep(entry(), QueueFilter(judge="two"))

    def test_a_pair_is_called_the_same_from_both_sides(self) -> None:
        assert pair_name("R-2", "R-1") == pair_name("R-1", "R-2") == "R-1~R-2"


class TestCountChoices:
    def test_each_count_is_what_choosing_it_would_show(self) -> None:
        entries = [
            entry(flags="list", pairs="A~B"),
            entry(flags="list unclear", pairs="A~B A~C"),
            entry("reopened", pairs="A~C"),
            entry("conflict", judges="one two", flags="list"),
            *[entry("conflict", judges="one")] * 2,
            *[entry("cannot_judge", flags="list")] * 3,
        ]
        for chosen in (QueueFilter(), QueueFilter(reason="disputed", flag="list"), QueueFilter(judge="one")):
            for part, found in count_choices(kinds=Counter(entries), chosen=chosen).items():
                for value, count in found.items():
                    other = {"reason": {"judge": ""}, "judge": {"reason": ""}}.get(part, {})
                    choosing = chosen._replace(**other)._replace(**{part: value})
                    assert sum(keep(each, choosing) for each in entries) == count, (chosen, part, value)


class TestWords:
    def test_each_id_has_its_own_words_and_others_none(self) -> None:
        words = group_words([(3, "a"), (3, "b"), (5, "a"), (9, "b"), (9, "a"), (9, "b")])
        places = places_of(words, np.array([9, 1, 3, 5, 7, 10]))
        assert [set(words.sets[place]) for place in places] == [
            {"a", "b"},
            set(),
            {"a", "b"},
            {"a"},
            set(),
            set(),
        ]
        assert len(words.sets) == 3

    def test_nobody_has_words_where_there_are_none(self) -> None:
        words = group_words([])
        assert places_of(words, np.array([1, 2])).tolist() == [0, 0]
        assert words.sets == (frozenset(),)

    def test_a_table_gives_the_same_as_its_rows(self) -> None:
        ids, names = np.array([3, 5, 6, 9]), [f"w{place}" for place in range(10)]
        has = np.zeros((4, 10), dtype=bool)
        has[0, [0, 9]] = has[1, 4] = has[3, [0, 9]] = True
        rows = group_words((ids[row], names[column]) for row, column in np.argwhere(has))
        for found in (group_columns(ids, names, has), rows):
            sets = [found.sets[place] for place in places_of(found, ids)]
            assert sets == [{"w0", "w9"}, {"w4"}, frozenset(), {"w0", "w9"}]
            assert (len(found.sets), found.sets[0]) == (3, frozenset())

    def test_a_table_of_nothing_has_no_words(self) -> None:
        for ids, names in ((np.array([4, 7]), ["a"]), (np.array([], dtype=np.int64), ["a", "b"])):
            words = group_columns(ids, names, np.zeros((len(ids), len(names)), dtype=bool))
            assert places_of(words, np.array([4, 8])).tolist() == [0, 0]


@pytest.fixture
def disputed(
    project: Project, answers: list[Candidate], votes: Voter, annotators: list[Membership]
) -> Candidate:
    """An answer on which the first two raters disagree; the third has paused."""
    change_member(project=project, public_id=annotators[2].public_id, state="paused")
    votes(1, **{"Paris": YES, "Lyon": NO, "paris, france": YES})
    votes(2, **{"Paris": YES, "Lyon": NO, "paris, france": NO})
    return answers[2]


def make_verdicts(project: Project, accepted: dict[Candidate, bool]) -> JudgeRun:
    run = JudgeRun.objects.create(
        project=project,
        judge_key="exact_match",
        signature="exact",
        signature_hash="exact",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    Verdict.objects.bulk_create(
        Verdict(run=run, candidate=candidate, accepted=says, judged_at=now())
        for candidate, says in accepted.items()
    )
    return run


class TestFilters:
    def test_raters_who_differ_stand_under_pseudonyms(
        self, client_of: Client, lead: User, disputed: Candidate, annotators: list[Membership]
    ) -> None:
        reply = client_of(lead).get(ADDRESS)
        pair = pair_name(annotators[0].pseudonym, annotators[1].pseudonym)
        assert reply.json()["choices"]["pair"] == [{"value": pair, "name": "", "count": 1}]
        assert "annotator" not in reply.content.decode().lower()
        for asked, shown in ((pair, 1), ("R-1~R-2", 0)):
            assert client_of(lead).get(ADDRESS, {"pair": asked}).json()["total"] == shown

    def test_adjudicators_choose_by_no_rater(
        self, client_of: Client, project: Project, disputed: Candidate, annotators: list[Membership]
    ) -> None:
        client = client_of(make_member(project=project, role="adjudicator", username="decider").user)
        assert client.get(ADDRESS).json()["choices"]["pair"] == []
        pair = pair_name(annotators[0].pseudonym, annotators[1].pseudonym)
        reply = client.get(ADDRESS, {"pair": pair})
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_role")

    def test_pairs_of_a_long_queue_follow_the_votes(
        self,
        client_of: Client,
        lead: User,
        disputed: Candidate,
        annotators: list[Membership],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("annotation.adjudication.selectors.queue.MOST_IDS", 0)
        pair = pair_name(annotators[0].pseudonym, annotators[1].pseudonym)
        assert client_of(lead).get(ADDRESS, {"pair": pair}).json()["total"] == 1
        agreed = Judgment.objects.get(candidate__text="Lyon", rater=annotators[1])
        edit_judgment(
            rater=annotators[1],
            sheet_id=agreed.assignment.sheet.public_id,
            given=AnswerGiven(id=agreed.candidate.public_id, label=YES),
            seen_at=agreed.judged_at,
        )
        assert client_of(lead).get(ADDRESS, {"pair": pair}).json()["total"] == 2

    def test_flags_of_the_question_are_counted_and_filter(
        self, client_of: Client, lead: User, disputed: Candidate, annotators: list[Membership]
    ) -> None:
        sheet = Sheet.objects.filter(rater=annotators[0]).get()
        flag_question(rater=annotators[0], sheet_id=sheet.public_id, kind=QuestionFlag.Kind.LIST)
        body = client_of(lead).get(ADDRESS, {"flag": "list"}).json()
        assert body["choices"]["flag"] == [{"value": "list", "name": "", "count": 1}]
        assert body["total"] == 1
        assert client_of(lead).get(ADDRESS, {"flag": "unclear"}).json()["items"] == []
        assert client_of(lead).get(ADDRESS, {"flag": "mood"}).status_code == 400

    def test_a_withdrawn_decision_is_a_reason_of_its_own(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        reopen_answer(project=project, candidate_id=answers[0].public_id, by=lead, reason="Look again.")
        body = client_of(lead).get(ADDRESS, {"reason": "reopened"}).json()
        assert [item["answer"] for item in body["items"]] == ["Paris"]
        assert {choice["value"]: choice["count"] for choice in body["choices"]["reason"]} == {
            "out_of_raters": 1,
            "reopened": 1,
        }


class TestConflicts:
    def test_what_votes_decided_and_a_judge_sees_otherwise_is_listed_where_asked_for(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        run = make_verdicts(project, dict.fromkeys(answers, True))
        body = client_of(lead).get(ADDRESS).json()
        assert [item["answer"] for item in body["items"]] == ["paris, france"]
        assert body["choices"]["judge"] == [{"value": run.public_id, "name": "Exact match", "count": 1}]
        (item,) = client_of(lead).get(ADDRESS, {"judge": run.public_id}).json()["items"]
        assert (item["answer"], item["reason"], item["decided"]) == ("Lyon", "conflict", NO)

    def test_a_judge_may_be_too_strict_or_have_nothing_to_say(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        run = make_verdicts(project, dict.fromkeys(answers, False))
        asked = {"reason": "conflict"}
        assert [item["answer"] for item in client_of(lead).get(ADDRESS, asked).json()["items"]] == ["Paris"]
        Verdict.objects.filter(run=run, candidate=answers[0]).update(
            accepted=None, unscored_reason="refused", judged_at=now()
        )
        assert client_of(lead).get(ADDRESS, asked).json()["items"] == []

    def test_what_lies_outside_the_sample_is_no_conflict(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        make_verdicts(project, dict.fromkeys(answers, True))
        Question.objects.filter(pk=answers[1].question_id).update(in_sample=False)
        body = client_of(lead).get(ADDRESS, {"reason": "conflict"}).json()
        assert (body["items"], body["choices"]["judge"]) == ([], [])

    def test_what_a_person_confirms_is_no_conflict_any_more(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        make_verdicts(project, dict.fromkeys(answers, True))
        decide_answer(
            project=project, candidate_id=answers[1].public_id, by=lead, label=NO, category="evidence"
        )
        body = client_of(lead).get(ADDRESS, {"reason": "conflict"}).json()
        assert (body["items"], body["choices"]["judge"]) == ([], [])


class TestSystems:
    @pytest.fixture(autouse=True)
    def system(self, project: Project, disputed: Candidate) -> None:
        system = System.objects.create(
            project=project, data_import=disputed.data_import, name="dpr", label="DPR"
        )
        Prediction.objects.create(
            system=system,
            question=disputed.question,
            candidate=disputed,
            data_import=disputed.data_import,
            text=disputed.text,
        )

    def test_adjudication_is_blind_unless_somebody_chooses_otherwise(
        self, client_of: Client, lead: User, disputed: Candidate
    ) -> None:
        for address in (ADDRESS, f"{ADDRESS}/{disputed.public_id}"):
            assert "DPR" not in client_of(lead).get(address).content.decode()
            assert "DPR" in client_of(lead).get(address, {"systems": "true"}).content.decode()

    def test_a_protocol_may_show_them_and_somebody_still_hide_them(
        self, client_of: Client, lead: User, project: Project, disputed: Candidate
    ) -> None:
        assert project.protocol is not None
        project.protocol.spec = {**project.protocol.spec, "adjudication_unblinded": True}
        project.protocol.save()
        (item,) = client_of(lead).get(ADDRESS).json()["items"]
        assert item["systems"] == ["DPR"]
        assert client_of(lead).get(ADDRESS, {"systems": "false"}).json()["items"][0]["systems"] is None


class TestSize:
    def test_a_long_queue_costs_as_many_queries_as_a_short_one(
        self,
        client_of: Client,
        lead: User,
        project: Project,
        annotators: list[Membership],
        monkeypatch: Any,
        django_assert_num_queries: Any,
    ) -> None:
        monkeypatch.setattr("annotation.adjudication.selectors.queue.LINES", 2)
        change_member(project=project, public_id=annotators[2].public_id, state="paused")
        client = client_of(lead)
        client.get(ADDRESS)
        queries = None
        for round_ in range(2):
            for number in range(1 + 4 * round_):
                make_answers(project=project, question=f"q{round_}{number}", texts=["a"])
            for rater, label in zip(annotators[:2], (YES, NO), strict=True):
                for _ in range(1 + 4 * round_):
                    vote(rater=rater, labels={"a": label})
            with django_assert_num_queries(queries or 24, exact=queries is not None) as seen:
                body = client.get(ADDRESS).json()
            queries = len(seen)
        assert (len(body["items"]), body["total"]) == (2, 6)

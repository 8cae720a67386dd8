import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from annotation.adjudication.models import Decision
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Question
from annotation.items.selectors import AnswersToJudge, Coverage, Sample, get_sample, read_coverage
from annotation.items.services.samples import Stratum, UnusableSample, draw_strata, leave_out, set_sample
from annotation.projects.models import Membership, Project
from tests.annotation.items.conftest import import_into, jsonl, outputs
from tests.factories import make_project

pytestmark = pytest.mark.long

VOTES = """\
id\tQuestion\tModel answer\tAcceptable?\tannotator1\tannotator2\tannotator3
1\twho\tme\tYes\tYes\tYes\t
2\twhat\tthat\tNo\tNo\tNo\t
"""


@pytest.fixture
def filled(project: Project) -> Project:
    rows = [
        {
            "id": f"id{number}",
            "question": f"q{number}",
            "prediction": "x",
            "dataset": "NQ" if number < 6 else "TQ",
            "tags": ["odd"] if number % 2 else [],
        }
        for number in range(10)
    ]
    import_into(project, files={"a.jsonl": jsonl(rows)})
    return project


def sampled() -> set[str]:
    return set(Question.objects.filter(in_sample=True).values_list("text", flat=True))


class TestSetSample:
    def test_a_drawn_sample_repeats_itself(self, filled: Project) -> None:
        assert set_sample(project=filled, method="seed", size=4, seed=7) == Sample(
            questions=10,
            predictions=10,
            answers=10,
            sampled=4,
            judged=0,
            method="seed",
            options={"size": 4, "seed": 7},
            to_judge=AnswersToJudge(every=10, common=10, judged=0),
            matching=AnswersToJudge(every=0, common=0, judged=0),
        )
        first = sampled()
        set_sample(project=filled, method="all")
        assert len(sampled()) == 10
        set_sample(project=filled, method="seed", size=4, seed=7)
        assert sampled() == first

    def test_a_filter_takes_data_set_and_tag(self, filled: Project) -> None:
        set_sample(project=filled, method="filter", dataset="NQ", tag="odd")
        assert sampled() == {"q1", "q3", "q5"}

    def test_those_that_every_system_answered_are_taken(self, filled: Project) -> None:
        import_into(filled, files={"b.jsonl": jsonl([{"question": "q2", "prediction": "y"}])})
        import_into(filled, files={"c.jsonl": outputs(q2="z", q3="z")})
        taken = set_sample(project=filled, method="common")
        assert (taken.method, taken.options, sampled()) == ("common", {}, {"q2"})
        assert read_coverage(project=filled) == Coverage(
            systems=3, behind=2, behind_names=["b", "c"], fewest=1, most=2, common=1, uneven=0
        )
        set_sample(project=filled, method="all")
        assert read_coverage(project=filled).uneven == 9

    def test_each_choice_says_how_many_answers_people_would_judge(self, filled: Project) -> None:
        # What is kept as long as no item changes is read by now, as it is when asked the last time.
        get_sample(project=filled)
        with CaptureQueriesContext(connection) as few:
            assert get_sample(project=filled).to_judge == AnswersToJudge(every=10, common=10, judged=0)
        import_into(filled, files={"b.jsonl": outputs(q2="y", q3="x", q4="y")})
        assert get_sample(project=filled).to_judge == AnswersToJudge(every=12, common=5, judged=0)
        decided = Candidate.objects.get(question__text="q2", text="y")
        Decision.objects.create(
            candidate=decided, number=1, label="correct", source="adjudicated", decided_at=now()
        )
        Candidate.objects.filter(pk=decided.pk).update(state=Candidate.State.DECIDED)
        with CaptureQueriesContext(connection) as more:
            assert get_sample(project=filled).to_judge == AnswersToJudge(every=11, common=4, judged=1)
        assert len(more) == len(few)

    def test_answers_of_questions_that_raters_took_out_are_not_to_judge(
        self, filled: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = Question.objects.get(text="q2")
        monkeypatch.setattr("annotation.items.selectors.improper_questions", lambda _: frozenset({out.pk}))
        assert get_sample(project=filled).to_judge.every == 9

    def test_answers_that_the_protocol_counts_as_correct_are_not_to_judge(self, db: None) -> None:
        project = make_project(preset="efficientqa", slug="counted")

        def bring(name: str, answers: dict[str, str]) -> None:
            rows = [{"question": q, "answer": ["yes"], "prediction": text} for q, text in answers.items()]
            import_into(project, files={f"{name}.jsonl": jsonl(rows)})

        bring("a", {"q0": "No"})
        set_sample(project=project, method="questions", questions=["q0"])
        bring("b", {"q1": "Yes!", "q2": "the yes", "q3": "maybe"})
        assert sampled() == {"q0"}
        found = get_sample(project=Project.objects.get(pk=project.pk))
        assert found.to_judge.every == 2
        assert found.matching is None

    def test_answers_that_the_protocol_could_count_as_correct_are_told(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project = make_project(slug="not-counted")
        golds = {"q1": "yes", "q2": "yes", "q3": "no"}

        def bring(name: str, answers: dict[str, str]) -> None:
            rows = [{"question": q, "answer": [golds[q]], "prediction": text} for q, text in answers.items()]
            import_into(project, files={f"{name}.jsonl": jsonl(rows)})

        bring("a", {"q1": "Yes!", "q2": "the yes", "q3": "maybe"})
        bring("b", {"q1": "never", "q3": "NO"})
        found = get_sample(project=project)
        assert found.to_judge == AnswersToJudge(every=5, common=4, judged=0)
        assert found.matching == AnswersToJudge(every=3, common=2, judged=0)
        out = frozenset({Question.objects.get(text="q1").pk})
        monkeypatch.setattr("annotation.items.selectors.improper_questions", lambda _: out)
        assert get_sample(project=project).matching == AnswersToJudge(every=2, common=1, judged=0)
        Candidate.objects.filter(text="the yes").update(state=Candidate.State.DECIDED)
        assert get_sample(project=project).matching == AnswersToJudge(every=1, common=1, judged=0)

    def test_there_may_be_none_that_every_system_answered(self, filled: Project) -> None:
        import_into(filled, files={"b.jsonl": outputs(other="y")})
        with pytest.raises(UnusableSample, match="every system"):
            set_sample(project=filled, method="common")
        assert len(sampled()) == 11

    def test_systems_that_answer_as_many_are_not_behind(self, filled: Project) -> None:
        assert read_coverage(project=filled) == Coverage(
            systems=1, behind=0, behind_names=[], fewest=0, most=0, common=10, uneven=0
        )

    def test_systems_that_answer_other_questions_are_behind(self, filled: Project) -> None:
        others = {f"r{number}": "x" for number in range(10)}
        import_into(filled, files={"b.jsonl": outputs(**others)})
        assert read_coverage(project=filled) == Coverage(
            systems=2, behind=2, behind_names=["a", "b"], fewest=10, most=10, common=0, uneven=20
        )

    def test_a_part_is_drawn_from_by_seed(self, filled: Project) -> None:
        taken = set_sample(project=filled, method="seed", size=2, seed=7, dataset="NQ", tag="odd")
        assert taken.options == {"size": 2, "seed": 7, "dataset": "NQ", "tag": "odd"}
        assert len(sampled()) == 2
        assert sampled() < {"q1", "q3", "q5"}
        with pytest.raises(UnusableSample, match="between 1 and 3"):
            set_sample(project=filled, method="seed", size=4, seed=7, dataset="NQ", tag="odd")
        with pytest.raises(UnusableSample, match="No question matches this"):
            set_sample(project=filled, method="seed", size=1, seed=7, dataset="WQ")

    def test_those_that_every_system_answered_are_drawn_from_by_seed(self, filled: Project) -> None:
        import_into(filled, files={"b.jsonl": outputs(q1="x", q2="x", q4="y")})
        taken = set_sample(project=filled, method="seed", size=2, seed=7, common=True)
        assert taken.options == {"size": 2, "seed": 7, "common": True}
        assert (taken.predictions, taken.answers) == (13, 11)
        assert len(sampled()) == 2
        assert sampled() < {"q1", "q2", "q4"}
        assert not Question.objects.filter(sample_probability__isnull=False).exists()
        with pytest.raises(UnusableSample, match="between 1 and 3"):
            set_sample(project=filled, method="seed", size=4, seed=7, common=True)

    def test_places_among_those_that_every_system_answered_are_filled_from_them(
        self, filled: Project
    ) -> None:
        import_into(filled, files={"b.jsonl": outputs(q1="x", q2="x", q4="y")})
        set_sample(project=filled, method="seed", size=2, seed=7, common=True)
        gone = Question.objects.filter(in_sample=True).order_by("pk")[:1].get()
        leave_out(project=filled, question_ids=[gone.pk])
        assert sampled() == {"q1", "q2", "q4"} - {gone.text}

    def test_nothing_is_drawn_where_no_question_is_answered_by_every_system(self, filled: Project) -> None:
        import_into(filled, files={"b.jsonl": outputs(other="x")})
        with pytest.raises(UnusableSample, match="answered by every system"):
            set_sample(project=filled, method="seed", size=1, seed=7, common=True)

    def test_what_is_drawn_of_a_part_stands_for_no_question_outside_of_it(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=2, seed=7, dataset="NQ")
        assert not Question.objects.filter(sample_probability__isnull=False).exists()
        set_sample(project=filled, method="seed", size=2, seed=7)
        assert Question.objects.filter(sample_probability=0.2).count() == 2

    def test_places_in_a_part_are_filled_from_it(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=5, seed=7, dataset="NQ")
        leaving = Question.objects.filter(in_sample=True).order_by("pk").values_list("pk", flat=True)[:1]
        leave_out(project=filled, question_ids=list(leaving))
        assert len(sampled()) == 5
        assert sampled() < {f"q{number}" for number in range(6)}

    def test_questions_are_named_by_text_or_id(self, filled: Project) -> None:
        set_sample(project=filled, method="questions", questions=["Q1?", "id4"])
        assert sampled() == {"q1", "q4"}

    def test_only_questions_with_votes_are_taken(self, project: Project) -> None:
        import_into(project, files={"votes.tsv": VOTES}, format_key="openqa-eval-votes")
        import_into(project, files={"a.jsonl": outputs(who="x", where="y", when="z")})
        taken = set_sample(project=project, method="votes")
        assert (taken.questions, taken.judged, taken.sampled) == (4, 2, 2)
        assert sampled() == {"who", "what"}

    def test_a_verdict_is_nobodys_vote(self, filled: Project) -> None:
        answers = list(Candidate.objects.order_by("pk")[:3])
        for answer, source in zip(answers, ("prejudged", "adjudicated", "imported"), strict=True):
            Decision.objects.create(
                candidate=answer, number=1, label="correct", source=source, decided_at=now()
            )
        set_sample(project=filled, method="votes")
        assert sampled() == {"q1", "q2"}

    @pytest.mark.parametrize(
        "how",
        [
            {"method": "seed"},
            {"method": "seed", "size": 11},
            {"method": "filter"},
            {"method": "filter", "tag": "even"},
            {"method": "questions"},
            {"method": "questions", "questions": ["who?"]},
            {"method": "votes"},
            {"method": "dice"},
            {"method": "strata", "size": 4},
        ],
    )
    def test_what_cannot_be_drawn_changes_nothing(self, filled: Project, how: dict[str, object]) -> None:
        with pytest.raises(UnusableSample):
            set_sample(project=filled, **how)
        assert len(sampled()) == 10

    def test_only_answers_in_the_sample_are_open(self, filled: Project) -> None:
        set_sample(project=filled, method="filter", dataset="TQ")
        states = set(Candidate.objects.values_list("question__dataset", "state", "wanted"))
        assert states == {("NQ", "unasked", 0), ("TQ", "open", 2)}
        set_sample(project=filled, method="filter", dataset="NQ")
        states = set(Candidate.objects.values_list("question__dataset", "state", "wanted"))
        assert states == {("NQ", "open", 2), ("TQ", "unasked", 0)}

    def test_later_imports_leave_a_drawn_sample_alone(self, filled: Project) -> None:
        set_sample(project=filled, method="questions", questions=["q1"])
        import_into(filled, files={"b.jsonl": outputs(q1="y", q2="y", new="y")})
        opened = Candidate.objects.filter(state="open").values_list("question__text", "text")
        assert set(opened) == {("q1", "x"), ("q1", "y")}

    def test_what_is_left_out_of_a_drawn_sample_is_replaced_by_what_comes_next(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=5, seed=7)
        five = sampled()
        set_sample(project=filled, method="seed", size=4, seed=7)
        four = sampled()
        gone = Question.objects.filter(text__in=four).order_by("pk")[:1].get()
        leave_out(project=filled, question_ids=[gone.pk])
        assert sampled() == five - {gone.text}
        opened = set(Candidate.objects.filter(state="open").values_list("question__text", flat=True))
        assert opened == sampled()

    def test_where_no_question_is_left_the_sample_is_smaller(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=10, seed=7)
        leave_out(project=filled, question_ids=list(Question.objects.values_list("pk", flat=True)[:3]))
        assert len(sampled()) == 7

    def test_an_answer_that_is_handed_out_keeps_its_slot(
        self, filled: Project, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        others = Question.objects.exclude(pk=sheet.question_id).values_list("text", flat=True)
        set_sample(project=filled, method="questions", questions=others)
        closed = Candidate.objects.get(question=sheet.question_id)
        assert (closed.state, closed.wanted, closed.taken) == ("unasked", 1, 1)
        set_sample(project=filled, method="all")
        closed.refresh_from_db()
        assert (closed.state, closed.wanted, closed.taken) == ("open", 2, 1)


def recorded() -> dict[str, tuple[int | None, float | None]]:
    rows = Question.objects.order_by("position").values_list("text", "sample_stratum", "sample_probability")
    return {text: (stratum, probability) for text, stratum, probability in rows}


class TestProbabilities:
    def test_a_sample_drawn_by_seed_records_with_which_probability(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=4, seed=7)
        drawn = sampled()
        assert recorded() == {f"q{n}": (0, 0.4 if f"q{n}" in drawn else None) for n in range(10)}

    @pytest.mark.parametrize("how", [{"method": "filter", "tag": "odd"}, {"method": "all"}])
    def test_a_sample_that_somebody_chose_has_none(self, filled: Project, how: dict[str, str]) -> None:
        set_sample(project=filled, method="seed", size=4, seed=7)
        set_sample(project=filled, **how)
        assert set(recorded().values()) == {(None, None)}

    def test_what_comes_in_later_was_not_drawn(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=4, seed=7)
        import_into(filled, files={"votes.tsv": VOTES}, format_key="openqa-eval-votes")
        assert recorded()["who"] == (None, None)
        assert "who" in sampled()

    def test_what_takes_the_place_of_a_question_left_out_is_as_likely(self, filled: Project) -> None:
        set_sample(project=filled, method="seed", size=4, seed=7)
        gone = Question.objects.filter(in_sample=True).order_by("pk")[:1].get()
        leave_out(project=filled, question_ids=[gone.pk])
        drawn = sampled()
        assert len(drawn) == 4
        assert {recorded()[text] for text in drawn} == {(0, 4 / 9)}
        assert recorded()[gone.text] == (None, None)


class TestDrawStrata:
    @staticmethod
    def ids(*numbers: int) -> list[int]:
        texts = [f"q{number}" for number in numbers]
        return list(Question.objects.filter(text__in=texts).order_by("pk").values_list("pk", flat=True))

    def draw(self, project: Project, *strata: Stratum, seed: int = 3) -> Sample:
        return draw_strata(project=project, strata=strata, seed=seed, options={"judge": "abc"})

    def test_every_part_is_drawn_by_itself_and_its_probability_recorded(self, filled: Project) -> None:
        first, second = Stratum(self.ids(0, 1, 2, 3), 3), Stratum(self.ids(4, 5, 6, 7, 8, 9), 2)
        found = self.draw(filled, first, second)
        assert (found.sampled, found.method) == (5, "strata")
        assert found.options == {"judge": "abc", "seed": 3, "size": 5}
        rows = recorded()
        assert [stratum for stratum, _ in rows.values()] == [0] * 4 + [1] * 6
        assert {rows[text] for text in sampled()} == {(0, 3 / 4), (1, 2 / 6)}
        assert sum(probability is not None for _, probability in rows.values()) == 5

    def test_each_question_of_a_part_is_equally_likely(self, filled: Project) -> None:
        counts = dict.fromkeys((f"q{number}" for number in range(10)), 0)
        strata = Stratum(self.ids(0, 1), 1), Stratum(self.ids(2, 3, 4, 5, 6, 7, 8, 9), 2)
        for seed in range(60):
            self.draw(filled, *strata, seed=seed)
            for text in sampled():
                counts[text] += 1
        # 30 of 60 and 15 of 60 expected, with standard deviations of 3.9 and 3.4.
        assert all(15 <= counts[f"q{number}"] <= 45 for number in (0, 1))
        assert all(3 <= counts[f"q{number}"] <= 29 for number in range(2, 10))

    def test_what_was_drawn_already_stays(self, filled: Project) -> None:
        taken = self.ids(0, 5)
        self.draw(filled, Stratum(self.ids(*range(10)), 4, taken))
        assert {"q0", "q5"} < sampled()
        assert len(sampled()) == 4

    def test_questions_that_came_meanwhile_refuse_it(self, filled: Project) -> None:
        strata = Stratum(self.ids(*range(10)), 4)
        import_into(filled, files={"b.jsonl": outputs(new="y")})
        with pytest.raises(UnusableSample, match="changed in the meantime"):
            self.draw(filled, strata)
        assert len(sampled()) == 11

    @pytest.mark.parametrize("size", [0, 11])
    def test_none_and_more_than_there_are_cannot_be_drawn(self, filled: Project, size: int) -> None:
        with pytest.raises(UnusableSample):
            self.draw(filled, Stratum(self.ids(*range(10)), size))

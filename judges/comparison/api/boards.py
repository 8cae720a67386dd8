"""The boards: of systems by ways of judging, of systems and of judges beside each other, of failures.

And the questions that a board is about, as every such page reads them from its address.
"""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.raters.alternative_annotator import EPSILON
from annotation.projects.api.access import AdjudicatorAndViewerView, LeadView, kept_reply
from annotation.projects.models import Project
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import NumberField, choice_of, operation, reply
from judges.comparison.rules.boards import ComparedPairs
from judges.comparison.rules.failures import Bands, BoardKind
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.judge_board.scored_judge import ScoredJudge
from judges.comparison.rules.leaderboard.amendments import SystemMove, order_in
from judges.comparison.rules.leaderboard.planning import Plan
from judges.comparison.rules.leaderboard.standings import Leaderboard
from judges.comparison.rules.leaderboard.systems import RightOfTwo, SystemsBoard
from judges.comparison.rules.study import Filter, Part, Scope
from judges.comparison.selectors.failures import FailureBoard, Wanted, read_failure_board
from judges.comparison.selectors.judge_board.cautions import Cautions, read_cautions
from judges.comparison.selectors.judge_board.judges import (
    JudgeBoardRow,
    read_judge_board,
    read_scored_judge,
    with_pseudonyms,
)
from judges.comparison.selectors.judge_board.pairs import (
    ComparedJudges,
    JudgePairs,
    JudgeStrategy,
    read_judge_differences,
    read_judge_pairs,
    read_strategies,
)
from judges.comparison.selectors.judge_board.parts import JudgedParts, read_parts
from judges.comparison.selectors.judge_board.replacement import Replacements, read_replacements
from judges.comparison.selectors.leaderboard.amendments import TurnedAnswer, describe_turns, read_amendments
from judges.comparison.selectors.leaderboard.corrected import (
    CorrectedBoard,
    PolicyPreview,
    preview_policy,
    read_corrected,
    read_plan,
)
from judges.comparison.selectors.leaderboard.datasets import ByDataset, read_by_dataset
from judges.comparison.selectors.leaderboard.standings import (
    BeyondExactMatch,
    best_scope,
    read_beyond,
    read_leaderboard,
    read_pairs,
)
from judges.comparison.selectors.leaderboard.systems import (
    AnsweredQuestion,
    describe_questions_of_two,
    find_questions_of_two,
    find_questions_right_by,
    read_systems,
)
from judges.comparison.selectors.study import FilterChoices, read_choices, sign_comparison
from judges.comparison.services import draw_planned_sample
from judges.prejudging.api import PreviewInputSerializer
from judges.prejudging.services.policies import make_policy


class IntervalsForm(serializers.Serializer[Any]):
    """Whether to say how sure each figure is, too, which takes longer."""

    intervals = serializers.BooleanField(required=False, default=False)


class FilterSerializer(serializers.Serializer[Any]):
    """Which questions and systems count.

    largest_bytes leaves out heavier systems and unknown sizes; least_share those with a smaller share of
    right answers, and unknown sizes.
    """

    scope = serializers.ChoiceField(
        choices=[scope.value for scope in Scope], required=False, default=Scope.SAMPLE.value
    )
    part = serializers.ChoiceField(
        choices=[part.value for part in Part], required=False, default=Part.ALL.value
    )
    dataset = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    tag = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    largest_bytes = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1)
    least_share = NumberField(required=False, default=None, allow_null=True, min_value=0, max_value=1)


def read_filter(request: Request, *, scores_of: Project | None = None) -> Filter:
    """Return what the address asks for; raises a validation error that names the parameter.

    scores_of: the study whose scores are asked for, over the questions for which they are best where the
    address names none.
    """
    query = FilterSerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    chosen = query.validated_data
    scope = Scope(chosen["scope"])
    if scores_of is not None and "scope" not in request.query_params:
        scope = best_scope(project=scores_of)
    return Filter(**{**chosen, "scope": scope, "part": Part(chosen["part"])})


class FilterChoicesView(AdjudicatorAndViewerView):
    """What the pages of comparison can be filtered by."""

    @operation("get_filter_choices", gives=FilterChoices)
    def get(self, request: Request, slug: str) -> Response:
        """List data sets, tags, and known facts about questions and systems."""
        return reply(read_choices(project=self.project))


TURNED_A_PAGE = 25


class BoundedForm(FilterSerializer, IntervalsForm):
    """Which questions and systems count; intervals: how sure each figure is, too, which takes longer."""


class LeaderboardForm(BoundedForm):
    """compared: the column over which each score's gain is said; gold: a version of the gold list.

    A version adds exact match with it as a column: `original`, the number or id of a change, a day or a time.
    """

    compared = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    gold = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)


class PairsForm(FilterSerializer):
    """By which way of judging systems are compared."""

    column = serializers.CharField(max_length=200)


class AmendmentsForm(BoundedForm):
    """Whose answers are listed: a system by its name, or all."""

    system = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    limit = limit_field(TURNED_A_PAGE)
    cursor = cursor_field()


class LeaderboardView(AdjudicatorAndViewerView):
    """Systems by ways of judging."""

    @operation("get_leaderboard", query=[LeaderboardForm], gives=Leaderboard)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Score every system on the chosen questions."""
        asked = self.read_query(LeaderboardForm)
        board = read_leaderboard(
            project=self.project,
            wanted=read_filter(request, scores_of=self.project),
            intervals=asked["intervals"],
            compared=asked["compared"],
            gold=asked["gold"],
        )
        return reply(board)


class PairsView(AdjudicatorAndViewerView):
    """Pairs of systems."""

    @operation("list_system_pairs", query=[PairsForm], gives=ComparedPairs)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare every pair of systems by one way of judging."""
        column = self.read_query(PairsForm)["column"]
        wanted = read_filter(request, scores_of=self.project)
        found = read_pairs(project=self.project, wanted=wanted, column=column)
        return reply(found)


class CorrectedView(AdjudicatorAndViewerView):
    """Systems by people alone, by judges alone, and by both."""

    @operation("get_corrected_scores", query=[FilterSerializer], gives=CorrectedBoard)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare people’s labels of a random sample, each judge, and the two combined."""
        wanted = read_filter(request, scores_of=self.project)
        return reply(read_corrected(project=self.project, wanted=wanted))


class PlanFormSerializer(serializers.Serializer[Any]):
    """How sure scores are to be: half the width of their intervals, in points."""

    points = NumberField(required=False, default=2.0, min_value=0.1, max_value=50)


class PlanDrawFormSerializer(PlanFormSerializer):
    """How precise scores should be, and how to sample the questions.

    `points`: the half-width of the 95% intervals, in percentage points. `seed`: the seed of the sample; if
    omitted or null, the project’s own is used.
    """

    seed = serializers.IntegerField(min_value=0, required=False, allow_null=True, default=None)


@dataclass(frozen=True)
class DrawnSample:
    """The number of questions, and the number of these that people now judge."""

    questions: int
    sampled: int


class LabelPlanView(LeadView):
    """How many labels sure scores need, for leads."""

    @operation("get_label_plan", query=[PlanFormSerializer], gives=Plan)
    def get(self, request: Request, slug: str) -> Response:
        """Estimate how many questions people must judge for a target precision, with and without a judge."""
        points = self.read_query(PlanFormSerializer)["points"]
        return reply(read_plan(project=self.project, points=points).plan)

    @operation("draw_planned_sample", takes=PlanDrawFormSerializer, gives=DrawnSample)
    def post(self, request: Request, slug: str) -> Response:
        """Set the planned sample as the questions that people judge."""
        form = self.read(PlanDrawFormSerializer)
        seed = self.project.seed if form["seed"] is None else form["seed"]
        sample = draw_planned_sample(project=self.project, points=form["points"], seed=seed)
        return reply(DrawnSample(sample.questions, sample.sampled))


class PolicyPreviewView(LeadView):
    """What a policy of pre-judging would do, and how sure scores are then."""

    @operation(
        "preview_prejudging",
        takes=PreviewInputSerializer,
        gives=PolicyPreview,
        takes_key=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count what each rule would settle; without a body, the saved policy is used. Nothing changes."""
        asked = self.read(PreviewInputSerializer)
        sample = asked.pop("sample")
        policy = make_policy(project=self.project, **asked)
        return reply(preview_policy(project=self.project, **policy._asdict(), sample=sample))


class ByDatasetView(AdjudicatorAndViewerView):
    """Systems by ways of judging, data set by data set."""

    @operation("get_leaderboard_by_dataset", query=[FilterSerializer], gives=ByDataset)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Score every system on each data set of the chosen questions."""
        wanted = read_filter(request, scores_of=self.project)
        return reply(read_by_dataset(project=self.project, wanted=wanted))


class BeyondExactMatchView(AdjudicatorAndViewerView):
    """What people accept of the answers that exact match rejects."""

    @operation("get_beyond_exact_match", query=[FilterSerializer], gives=BeyondExactMatch)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Count the answers that people accept and exact match rejects, for each system.

        Two counts are returned: by prediction and by distinct answer.
        """
        return reply(read_beyond(project=self.project, wanted=read_filter(request)))


@dataclass(frozen=True)
class Amendments(Paged):
    """The effect of the amended gold list, with a page of the answers whose result changed.

    `pending`: how many answers are not decided yet. `systems`: empty if the caller may not see which system
    gave an answer.
    """

    signature: str
    systems: list[SystemMove]
    pending: int
    right_count: int
    wrong_count: int
    turned: list[TurnedAnswer]


class AmendmentsView(AdjudicatorAndViewerView):
    """What the amendment of gold lists changed."""

    @operation("get_amendments", query=[AmendmentsForm], gives=Amendments)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Return how the amended gold list changes each system’s score, answer by answer."""
        asked, wanted = self.read_query(AmendmentsForm), read_filter(request)
        if asked["system"] or wanted.chooses_systems:
            self.require_sees_systems()
        found = read_amendments(project=self.project, wanted=wanted, intervals=asked["intervals"])
        turns = found.of_system(asked["system"])
        page = cut_page(request, turns, asked, key=order_in(found.items))
        turned = describe_turns(items=found.items, turns=page.rows, sees_systems=self.sees_systems)
        gold = "original to amended"
        amendments = Amendments(
            **page.place,
            signature=sign_comparison(
                self.project, "amendments", wanted=wanted, match="exact_match", gold=gold
            ),
            # Beside the few answers that turned, the counts by system would say whose each is.
            systems=found.moves if self.sees_systems else [],
            pending=found.pending,
            right_count=sum(turn.is_right for turn in turns),
            wrong_count=sum(not turn.is_right for turn in turns),
            turned=turned,
        )
        return reply(amendments)


QUESTIONS_A_PAGE = 50


class RightByForm(FilterSerializer):
    """Which questions are listed: those that so many systems have right."""

    right_by = serializers.IntegerField(min_value=0)
    limit = limit_field(QUESTIONS_A_PAGE)
    cursor = cursor_field()


class SystemsBoardView(AdjudicatorAndViewerView):
    """Systems beside each other."""

    @operation("get_systems_board", query=[BoundedForm], gives=SystemsBoard)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare systems: where their answers match, and where at least one is correct."""
        intervals = self.read_query(BoundedForm)["intervals"]
        return reply(read_systems(project=self.project, wanted=read_filter(request), intervals=intervals))


@dataclass(frozen=True)
class RightByQuestion:
    """A question with its gold answers as imported, in the order of the file."""

    id: str
    question: str
    gold: list[str]


@dataclass(frozen=True)
class RightByPage(Paged):
    """A page of questions."""

    questions: list[RightByQuestion]


class RightByQuestionsView(AdjudicatorAndViewerView):
    """Easy and hard questions."""

    @operation("list_questions_right_by", query=[RightByForm], gives=RightByPage)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """List questions by the number of correct systems."""
        asked, wanted = self.read_query(RightByForm), read_filter(request)
        if wanted.chooses_systems:
            self.require_sees_systems()
        found = find_questions_right_by(project=self.project, wanted=wanted, systems=asked["right_by"])
        page = cut_page(request, found, asked)
        questions = [
            RightByQuestion(each.public_id, each.text, [gold.text for gold in each.gold_answers.all()])
            for each in page.rows
        ]
        return reply(RightByPage(**page.place, questions=questions))


class OfTwoForm(FilterSerializer):
    """Two systems by name, and which of them has the questions right that are listed."""

    first = serializers.CharField(max_length=200)
    second = serializers.CharField(max_length=200)
    right = choice_of(RightOfTwo, required=False, default=RightOfTwo.FIRST)
    limit = limit_field(QUESTIONS_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class OfTwoPage(Paged):
    """A page of questions that two systems answered, and how many there are of each kind."""

    both: int
    only_first: int
    only_second: int
    neither: int
    questions: list[AnsweredQuestion]


class OfTwoView(AdjudicatorAndViewerView):
    """Two systems, question by question."""

    @operation("list_questions_of_two", query=[OfTwoForm], gives=OfTwoPage)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """List questions that one, both, or neither of two systems answered correctly, with their answers."""
        asked, wanted = self.read_query(OfTwoForm), read_filter(request)
        self.require_sees_systems()
        pair = {"first": asked["first"], "second": asked["second"]}
        found = find_questions_of_two(project=self.project, wanted=wanted, right=asked["right"], **pair)
        page = cut_page(request, found.questions, asked)
        questions = describe_questions_of_two(project=self.project, questions=page.rows, **pair)
        return reply(
            OfTwoPage(
                **page.place,
                both=found.counts[RightOfTwo.BOTH],
                only_first=found.counts[RightOfTwo.FIRST],
                only_second=found.counts[RightOfTwo.SECOND],
                neither=found.counts[RightOfTwo.NEITHER],
                questions=questions,
            )
        )


class BoardForm(IntervalsForm):
    """What is asked of a board. common: only answers that every judge with verdicts has judged.

    intervals: how sure each figure is, too, which takes longer.
    """

    common = serializers.BooleanField(required=False, default=False)


class PartsForm(BoardForm):
    """What the study is cut by."""

    by = serializers.ChoiceField(choices=[by.value for by in PartBy], default=PartBy.SYSTEM.value)


class JudgeBoardView(AdjudicatorAndViewerView):
    """Judges against people."""

    @operation("get_judge_board", query=[BoardForm], gives=list[JudgeBoardRow])
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare every run with people’s decisions, by answer and by system."""
        wanted = self.read_query(BoardForm)
        rows = read_judge_board(
            project=self.project, on_common=wanted["common"], intervals=wanted["intervals"]
        )
        return reply(with_pseudonyms(rows, project=self.project))


class JudgedPartsView(AdjudicatorAndViewerView):
    """One judge against people, part by part."""

    @operation("list_judged_parts", query=[PartsForm], gives=JudgedParts)
    @kept_reply
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Compare a run with people by system, answer length, question type, data set, or tag."""
        wanted = self.read_query(PartsForm)
        found = read_parts(
            project=self.project,
            run=run,
            by=PartBy(wanted["by"]),
            on_common=wanted["common"],
            intervals=wanted["intervals"],
        )
        return reply(found)


class ScoredJudgeView(AdjudicatorAndViewerView):
    """What a judge's scores are worth."""

    @operation("get_judge_thresholds", query=[IntervalsForm], gives=ScoredJudge)
    @kept_reply
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Compare thresholds of a run on the answers that people decided."""
        wanted = self.read_query(IntervalsForm)
        return reply(read_scored_judge(project=self.project, run=run, intervals=wanted["intervals"]))


class JudgePairsView(AdjudicatorAndViewerView):
    """Pairs of judges."""

    @operation("get_judge_pairs", gives=JudgePairs)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare people and all runs with each other."""
        return reply(read_judge_pairs(project=self.project))


class JudgeDifferencesView(AdjudicatorAndViewerView):
    """Pairs of judges, each compared with people."""

    @operation("get_judge_differences", gives=ComparedJudges)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Test each pair of judges on the answers that people decided and that both judges scored."""
        return reply(read_judge_differences(project=self.project))


class StrategiesView(AdjudicatorAndViewerView):
    """Prompts side by side."""

    @operation("list_judge_strategies", query=[IntervalsForm], gives=list[JudgeStrategy])
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Compare the runs of the LLM judge by model and prompt, overall and by system."""
        wanted = self.read_query(IntervalsForm)
        return reply(read_strategies(project=self.project, intervals=wanted["intervals"]))


class ReplacementForm(serializers.Serializer[Any]):
    """epsilon: how much less often than an annotator a judge may agree with the others."""

    epsilon = NumberField(required=False, default=EPSILON, min_value=0, max_value=0.5)


class ReplacementView(AdjudicatorAndViewerView):
    """Judges in an annotator's place."""

    @operation("get_replacements", query=[ReplacementForm], gives=Replacements)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Test whether each judge may replace one of the study’s annotators."""
        epsilon = self.read_query(ReplacementForm)["epsilon"]
        return reply(read_replacements(project=self.project, epsilon=epsilon))


class CautionsView(AdjudicatorAndViewerView):
    """What to know before a judge is believed."""

    @operation("get_judge_cautions", gives=Cautions)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Return how often judges change verdicts, and whether they favor systems of their own family."""
        return reply(read_cautions(project=self.project))


KINDS = [kind.value for kind in BoardKind]
BANDS = [bands.value for bands in Bands]


class WantedBoardForm(serializers.Serializer[Any]):
    """Which board; what is left out is as usual. `set`: of tags; `run`: whose errors; `system`: by name."""

    board = serializers.ChoiceField(choices=KINDS, required=False, default=BoardKind.MISSES.value)
    set = serializers.CharField(required=False, default="", allow_blank=True, max_length=60)
    run = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    system = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    bands = serializers.ChoiceField(choices=BANDS, required=False, default="", allow_blank=True)


def wanted_board(query: dict[str, Any]) -> Wanted:
    """Return the board that a validated query asks for."""
    return Wanted(
        kind=BoardKind(query["board"]),
        set_key=query["set"],
        run=query["run"],
        system=query["system"],
        bands=Bands(query["bands"]) if query["bands"] else None,
    )


class FailureBoardView(AdjudicatorAndViewerView):
    """One failure board."""

    @operation("get_failure_board", query=[WantedBoardForm], gives=FailureBoard)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Count tags, or compute judges’ accuracy by answer length, with intervals clustered by question."""
        wanted = wanted_board(self.read_query(WantedBoardForm))
        return reply(read_failure_board(project=self.project, wanted=wanted))

"""HTTP for judges beside people, and beside each other."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import operation, reply
from judges.comparison.api.filters import IntervalsForm
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.judge_board.scored_judge import ScoredJudge
from judges.comparison.selectors.judge_board.judges import (
    JudgeBoardRow,
    read_judge_board,
    read_scored_judge,
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


class BoardForm(IntervalsForm):
    """What is asked of a board. common: only answers that every judge with verdicts has judged.

    intervals: how sure each figure is, too, which takes longer.
    """

    common = serializers.BooleanField(required=False, default=False)


class PartsForm(BoardForm):
    """What the study is cut by."""

    by = serializers.ChoiceField(choices=[by.value for by in PartBy], default=PartBy.SYSTEM.value)


class JudgeBoardView(AdjudicatorView):
    """Judges against people."""

    @operation("get_judge_board", query=[BoardForm], gives=list[JudgeBoardRow])
    def get(self, request: Request, slug: str) -> Response:
        """Compare every run with people's decisions, answer by answer and system by system."""
        wanted = self.read_query(BoardForm)
        rows = read_judge_board(
            project=self.project, on_common=wanted["common"], intervals=wanted["intervals"]
        )
        return reply(rows)


class JudgedPartsView(AdjudicatorView):
    """One judge against people, part by part."""

    @operation("list_judged_parts", query=[PartsForm], gives=JudgedParts)
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Compare a run with people by system, answer length, question type, data set or tag."""
        wanted = self.read_query(PartsForm)
        found = read_parts(
            project=self.project,
            run=run,
            by=PartBy(wanted["by"]),
            on_common=wanted["common"],
            intervals=wanted["intervals"],
        )
        return reply(found)


class ScoredJudgeView(AdjudicatorView):
    """What a judge's scores are worth."""

    @operation("get_judge_thresholds", query=[IntervalsForm], gives=ScoredJudge, errors=(404,))
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Sweep the threshold of a run over the answers that people decided."""
        wanted = self.read_query(IntervalsForm)
        return reply(read_scored_judge(project=self.project, run=run, intervals=wanted["intervals"]))


class JudgePairsView(AdjudicatorView):
    """Judges two by two."""

    @operation("get_judge_pairs", gives=JudgePairs)
    def get(self, request: Request, slug: str) -> Response:
        """Compare people and every run with each other."""
        return reply(read_judge_pairs(project=self.project))


class JudgeDifferencesView(AdjudicatorView):
    """Judges two by two, each beside people."""

    @operation("get_judge_differences", gives=ComparedJudges)
    def get(self, request: Request, slug: str) -> Response:
        """Test every two judges on the answers that people decided and both scored."""
        return reply(read_judge_differences(project=self.project))


class StrategiesView(AdjudicatorView):
    """Prompts side by side."""

    @operation("list_judge_strategies", query=[IntervalsForm], gives=list[JudgeStrategy])
    def get(self, request: Request, slug: str) -> Response:
        """Compare the runs of the LLM judge by model and prompt, over all and by system."""
        wanted = self.read_query(IntervalsForm)
        return reply(read_strategies(project=self.project, intervals=wanted["intervals"]))

"""HTTP for judges against people."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from common.web.replies import operation, reply
from judges.comparison.api.filters import READERS
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.selectors.judge_board.judges import JudgeBoardRow, read_judge_board
from judges.comparison.selectors.judge_board.parts import JudgedParts, read_parts


class BoardForm(serializers.Serializer[Any]):
    """What is asked of a board. common: only answers that every judge with verdicts has judged.

    intervals: how sure each figure is, too, which takes longer.
    """

    common = serializers.BooleanField(required=False, default=False)
    intervals = serializers.BooleanField(required=False, default=False)


class PartsForm(BoardForm):
    """What the study is cut by."""

    by = serializers.ChoiceField(choices=[by.value for by in PartBy], default=PartBy.SYSTEM.value)


class JudgeBoardView(ProjectView):
    """Judges against people."""

    allowed_roles = READERS

    @operation("get_judge_board", query=[BoardForm], gives=list[JudgeBoardRow])
    def get(self, request: Request, slug: str) -> Response:
        """Compare every run with people's decisions, answer by answer and system by system."""
        wanted = self.read_query(BoardForm)
        rows = read_judge_board(
            project=self.project, on_common=wanted["common"], intervals=wanted["intervals"]
        )
        return reply(rows)


class JudgedPartsView(ProjectView):
    """One judge against people, part by part."""

    allowed_roles = READERS

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

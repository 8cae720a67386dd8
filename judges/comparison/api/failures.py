"""HTTP for failure boards."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import operation, reply
from judges.comparison.rules.failures import Bands, BoardKind
from judges.comparison.selectors.failures import FailureBoard, Wanted, read_failure_board

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


class FailureBoardView(AdjudicatorView):
    """One failure board."""

    @operation("get_failure_board", query=[WantedBoardForm], gives=FailureBoard, errors=(404,))
    def get(self, request: Request, slug: str) -> Response:
        """Count what people tagged, or how judges do by length, with intervals over questions."""
        wanted = wanted_board(self.read_query(WantedBoardForm))
        return reply(read_failure_board(project=self.project, wanted=wanted))

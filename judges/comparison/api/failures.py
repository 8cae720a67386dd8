"""HTTP for failure boards."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from common.web.http import ErrorSerializer
from judges.comparison.api.filters import READERS
from judges.comparison.api.shares import ShareSerializer, share_body
from judges.comparison.rules.failures import Bands, BoardKind, Cell, Figures
from judges.comparison.selectors.failures import FailureBoard, Wanted, read_failure_board

KINDS = [kind.value for kind in BoardKind]
BANDS = [bands.value for bands in Bands]


class WantedBoardSerializer(serializers.Serializer[Any]):
    """Which board; what is left out is as usual. `set`: of tags; `run`: whose errors; `system`: by name."""

    board = serializers.ChoiceField(choices=KINDS, required=False, default=BoardKind.MISSES.value)
    set = serializers.CharField(required=False, default="", allow_blank=True, max_length=60)
    run = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    system = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    bands = serializers.ChoiceField(choices=BANDS, required=False, default="", allow_blank=True)


class BoardChoiceSerializer(serializers.Serializer[Any]):
    """Something a board can be about."""

    key = serializers.CharField()
    name = serializers.CharField()


class SignedJudgeSerializer(serializers.Serializer[Any]):
    """A judge whose numbers stand in a table, and what produced its verdicts."""

    name = serializers.CharField()
    signature = serializers.CharField()


class BoardLineSerializer(BoardChoiceSerializer):
    """A tag, a class of length or a kind of answer."""

    group = serializers.CharField()
    meaning = serializers.CharField()


class BoardFiguresSerializer(BoardChoiceSerializer, ShareSerializer):
    """A column. `tagged` of `total` were looked at and stand for `stands_for`.

    share: `rated` of `base`, the rate that stands over the column.
    """

    total = serializers.IntegerField()
    tagged = serializers.IntegerField()
    stands_for = serializers.IntegerField()
    rated = serializers.IntegerField()
    base = serializers.IntegerField()


class BoardCellSerializer(ShareSerializer):
    """A share by keys of row and column; items: how many were counted, of so many."""

    row = serializers.CharField()
    column = serializers.CharField()
    items = serializers.IntegerField()
    of = serializers.IntegerField()


class FailureBoardSerializer(serializers.Serializer[Any]):
    """A board with what was chosen and what else there is; without columns there is nothing to say yet.

    weighed: each answer of the audit stands for those it was drawn among. left_out: how many answers that
    programs settled nobody speaks for.
    """

    board = serializers.ChoiceField(choices=KINDS)
    set = serializers.CharField()
    run = serializers.CharField()
    system = serializers.CharField()
    bands = serializers.ChoiceField(choices=BANDS, allow_blank=True)
    sets = BoardChoiceSerializer(many=True)
    runs = BoardChoiceSerializer(many=True)
    systems = BoardChoiceSerializer(many=True)
    rounds = serializers.IntegerField()
    items = serializers.IntegerField()
    baseline = serializers.CharField()
    judges = SignedJudgeSerializer(many=True)
    signature = serializers.CharField()
    weighed = serializers.BooleanField()
    left_out = serializers.IntegerField()
    rows = BoardLineSerializer(many=True)
    columns = BoardFiguresSerializer(many=True)
    cells = BoardCellSerializer(many=True)


def wanted_board(query: dict[str, Any]) -> Wanted:
    """Return the board that a validated query asks for."""
    return Wanted(
        kind=BoardKind(query["board"]),
        set_key=query["set"],
        run=query["run"],
        system=query["system"],
        bands=Bands(query["bands"]) if query["bands"] else None,
    )


def _figures_body(figures: Figures) -> dict[str, Any]:
    return {**figures._asdict(), **share_body(figures.rate)}


def _cell_body(cell: Cell, found: FailureBoard) -> dict[str, Any]:
    return {
        "row": found.board.rows[cell.row].key,
        "column": found.board.columns[cell.column].key,
        "items": cell.items,
        "of": cell.of,
        **share_body(cell.share),
    }


def _body(found: FailureBoard) -> dict[str, Any]:
    wanted = found.wanted
    return {
        **found._asdict(),
        "board": wanted.kind.value,
        "set": wanted.set_key,
        "run": wanted.run,
        "system": wanted.system,
        "bands": wanted.bands.value if wanted.bands else "",
        "rounds": len(found.rounds),
        "rows": found.board.rows,
        "columns": [_figures_body(column) for column in found.board.columns],
        "cells": [_cell_body(cell, found) for cell in found.board.cells],
    }


class FailureBoardView(ProjectView):
    """One failure board."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_failure_board",
        parameters=[WantedBoardSerializer],
        responses={200: FailureBoardSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Count what people tagged, or how judges do by length, with intervals over questions."""
        query = WantedBoardSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = read_failure_board(project=self.project, wanted=wanted_board(query.validated_data))
        return Response(FailureBoardSerializer(_body(found)).data)

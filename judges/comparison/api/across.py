"""HTTP for several projects in one table."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.figures import number_or_none
from annotation.accounts.models import User
from annotation.projects.api.access import WrongRole
from annotation.projects.models import Project
from annotation.projects.selectors import get_membership
from annotation.projects.services import note_opening
from common.figures import words_or_none
from common.web.http import ErrorSerializer
from judges.comparison.api.filters import READERS
from judges.comparison.api.leaderboard.standings import LeaderboardScoreSerializer
from judges.comparison.rules.leaderboard import Score
from judges.comparison.rules.study import Unit
from judges.comparison.selectors.across import Across, AcrossRow, Cell, Evaluator, read_across
from judges.comparison.selectors.study import sign_across

MOST_PROJECTS = 20


class ComparisonQuerySerializer(serializers.Serializer[Any]):
    """Which projects are compared: their short names, a comma between them."""

    projects = serializers.CharField(max_length=MOST_PROJECTS * 61)

    def validate_projects(self, text: str) -> list[str]:
        """Return each name once, in the order given."""
        slugs = list(dict.fromkeys(slug.strip() for slug in text.split(",") if slug.strip()))
        if not 1 <= len(slugs) <= MOST_PROJECTS:
            raise serializers.ValidationError(f"Choose one to {MOST_PROJECTS} projects.")
        return slugs


class ComparedProjectSerializer(serializers.Serializer[Any]):
    """A chosen project and how far people are with it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    n_questions = serializers.IntegerField()
    judged_questions = serializers.IntegerField()
    has_people = serializers.BooleanField()
    all_decided = serializers.BooleanField()
    programs_share = serializers.FloatField()


class EvaluatorSerializer(serializers.Serializer[Any]):
    """A judge in all the projects.

    distance: mean absolute difference of accuracy from people's, 0–1, over `systems`; null with `words` where
    there is none.
    """

    key = serializers.CharField()
    name = serializers.CharField()
    signature = serializers.CharField()
    unit = serializers.ChoiceField(choices=[unit.value for unit in Unit])
    projects = serializers.IntegerField()
    systems = serializers.IntegerField()
    distance = serializers.FloatField(allow_null=True)
    words = serializers.CharField(allow_blank=True)


class ComparedScoreSerializer(LeaderboardScoreSerializer):
    """A judge's score; difference: from people's, on the questions both judged."""

    difference = serializers.FloatField(allow_null=True)


class ComparedSystemSerializer(serializers.Serializer[Any]):
    """A system of a project by the keys of evaluators; people: by amended gold."""

    project = serializers.CharField()
    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    n = serializers.IntegerField()
    scores = serializers.DictField(child=ComparedScoreSerializer())
    people = LeaderboardScoreSerializer(allow_null=True)


class ComparedReferenceSerializer(serializers.Serializer[Any]):
    """A published number of a system; measure: an evaluator's key, or "human" for people."""

    project = serializers.CharField()
    name = serializers.CharField()
    measure = serializers.CharField()
    value = serializers.FloatField()
    n = serializers.IntegerField(allow_null=True)
    about = serializers.CharField(allow_blank=True)
    dataset = serializers.CharField(allow_blank=True)
    source = serializers.CharField()  # type: ignore[assignment]


class ComparisonSerializer(serializers.Serializer[Any]):
    """Projects × judges × systems; published numbers are in no distance and nearest to nobody."""

    signature = serializers.CharField()
    projects = ComparedProjectSerializer(many=True)
    evaluators = EvaluatorSerializer(many=True)
    rows = ComparedSystemSerializer(many=True)
    published = ComparedReferenceSerializer(many=True)


def _score_body(score: Score) -> dict[str, Any]:
    return score._asdict()


def _cell_body(cell: Cell) -> dict[str, Any]:
    return {**_score_body(cell.score), "difference": number_or_none(cell.difference)}


def _row_body(row: AcrossRow) -> dict[str, Any]:
    return {
        "project": row.project,
        "system": row.system,
        "label": row.label,
        "n": row.n,
        "scores": {key: _cell_body(cell) for key, cell in row.cells.items()},
        "people": row.people and _score_body(row.people),
    }


def _evaluator_body(evaluator: Evaluator) -> dict[str, Any]:
    column, distance = evaluator.column, evaluator.distance
    return {
        "key": column.key,
        "name": column.name,
        "signature": column.signature,
        "unit": column.unit.value,
        "projects": evaluator.projects,
        "systems": distance.systems,
        "distance": number_or_none(distance.mean),
        "words": words_or_none(distance.mean) or "",
    }


def _body(across: Across) -> dict[str, Any]:
    return {
        "projects": [study._asdict() for study in across.studies],
        "evaluators": list(map(_evaluator_body, across.evaluators)),
        "rows": list(map(_row_body, across.rows)),
        "published": [
            {**score.reference._asdict(), "project": score.project, "measure": score.evaluator}
            for score in across.published
        ],
    }


class ComparisonView(APIView):
    """Several projects in one table, for whoever may see the scores of each."""

    access = "signed_in"

    @extend_schema(
        operation_id="compare_projects",
        parameters=[ComparisonQuerySerializer],
        responses={200: ComparisonSerializer, 403: ErrorSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request) -> Response:
        """Put the judged samples of these projects beside each other; one that is not ours is not found."""
        query = ComparisonQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        user = cast(User, request.user)
        projects = [_readable(user, slug) for slug in query.validated_data["projects"]]
        found = read_across(projects=projects)
        judges = [evaluator.column.signature for evaluator in found.evaluators]
        signature = sign_across(projects, judges=judges)
        return Response(ComparisonSerializer({**_body(found), "signature": signature}).data)


def _readable(user: User, slug: str) -> Project:
    member = get_membership(user=user, slug=slug)
    if member.role not in READERS:
        raise WrongRole("Your role in this project does not allow this.")
    note_opening(member=member)
    return member.project

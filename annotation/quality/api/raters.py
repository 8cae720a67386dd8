"""HTTP for rater quality; leads alone read it."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import LEAD, ProjectView
from annotation.quality.rules import FEWEST, Difference, KnownVote, RaterReport
from annotation.quality.selectors import answers_named, get_rater, list_raters, sign_raters


class TallySerializer(serializers.Serializer[Any]):
    """How often something was so, of how many times it could have been."""

    hits = serializers.IntegerField()
    total = serializers.IntegerField()


class FigureSerializer(serializers.Serializer[Any]):
    """A value between its bounds; null where there is none, and `words` says why."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    words = serializers.CharField(allow_blank=True)
    tally = TallySerializer(allow_null=True)


class PaceSerializer(serializers.Serializer[Any]):
    """Active seconds an answer, beside what is usual in the project."""

    median_seconds = serializers.FloatField(allow_null=True)
    usual_seconds = serializers.FloatField(allow_null=True)
    fast = FigureSerializer()


class RaterSerializer(serializers.Serializer[Any]):
    """One rater in one row."""

    id = serializers.CharField(source="rater.public_id")
    pseudonym = serializers.CharField(source="rater.pseudonym")
    name = serializers.CharField(source="rater.name")
    state = serializers.CharField(source="rater.state")
    judged = serializers.IntegerField()
    skipped = serializers.IntegerField(source="rater.skipped")
    last_at = serializers.DateTimeField(allow_null=True)
    pace = PaceSerializer()
    with_decisions = FigureSerializer()
    without_own = FigureSerializer()
    kappa = FigureSerializer()
    dawid_skene = FigureSerializer()
    one_coin = FigureSerializer()
    self_agreement = FigureSerializer()
    self_kappa = FigureSerializer()
    known_answers = FigureSerializer()
    signs = serializers.ListField(
        child=serializers.ChoiceField(choices=["fast", "run", "first_label", "drift"])
    )


class RatersSerializer(serializers.Serializer[Any]):
    """Every rater; below `fewest` cases a share is told in words."""

    signature = serializers.CharField()
    fewest = serializers.IntegerField()
    raters = RaterSerializer(many=True)


class LabelRunSerializer(serializers.Serializer[Any]):
    """The longest run of one label beside those of the same votes, shuffled."""

    label = serializers.CharField()  # type: ignore[assignment]
    longest = serializers.IntegerField()
    usual = serializers.FloatField()
    high = serializers.IntegerField()


class FirstLabelSerializer(serializers.Serializer[Any]):
    """How often the first label was given, by the rater and by others to the same answers."""

    own = FigureSerializer()
    others = FigureSerializer()


class DriftSerializer(serializers.Serializer[Any]):
    """The first half of a rater's work beside the last."""

    first = FigureSerializer()
    last = FigureSerializer()
    p_value = serializers.FloatField(allow_null=True)


class PeriodSerializer(serializers.Serializer[Any]):
    """A stretch of a rater's work."""

    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    agreement = FigureSerializer()


class DifferenceSerializer(serializers.Serializer[Any]):
    """An answer on which the rater differs from what it came to without them."""

    answer = serializers.CharField()
    question = serializers.CharField()
    text = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    without = serializers.CharField()
    at = serializers.DateTimeField()


class KnownMissSerializer(serializers.Serializer[Any]):
    """A hidden known answer that the rater got wrong."""

    answer = serializers.CharField()
    question = serializers.CharField()
    text = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    known = serializers.CharField()
    at = serializers.DateTimeField()


class RaterDetailSerializer(RaterSerializer):
    """One rater with what the figures are made of."""

    signature = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    confusion = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    run = LabelRunSerializer(allow_null=True)
    first_label = FirstLabelSerializer()
    drift = DriftSerializer()
    periods = PeriodSerializer(many=True)
    difference_count = serializers.IntegerField()
    differences = DifferenceSerializer(many=True)
    known_misses = KnownMissSerializer(many=True)


class RatersView(ProjectView):
    """How well each rater works."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_raters", responses=RatersSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a row a rater, with the uncertainty that few votes have."""
        listed = {
            "signature": sign_raters(self.project),
            "fewest": FEWEST,
            "raters": list_raters(project=self.project),
        }
        return Response(RatersSerializer(listed).data)


class RaterView(ProjectView):
    """One rater in detail."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_rater", responses=RaterDetailSerializer)
    def get(self, request: Request, slug: str, rater: str) -> Response:
        """Return what the figures of one rater are made of."""
        report = get_rater(project=self.project, public_id=rater)
        signature = sign_raters(self.project, rater=report.rater.pseudonym)
        body = {**report._asdict(), **self._rows_of(report), "signature": signature}
        return Response(RaterDetailSerializer(body).data)

    def _rows_of(self, report: RaterReport) -> dict[str, Any]:
        return {
            "differences": self._named(report.differences),
            "known_misses": self._named(report.known_misses),
        }

    def _named(self, rows: Sequence[Difference] | Sequence[KnownVote]) -> list[dict[str, Any]]:
        answers = answers_named(project=self.project, candidate_ids=[row.candidate for row in rows])
        return [
            {
                **row._asdict(),
                "answer": answers[row.candidate].public_id,
                "question": answers[row.candidate].question.text,
                "text": answers[row.candidate].text,
            }
            for row in rows
        ]

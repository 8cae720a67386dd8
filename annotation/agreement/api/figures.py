"""The forms of agreement's figures over HTTP."""

from typing import Any

from rest_framework import serializers

from analysis.agreement import MissingVotes
from annotation.agreement.rules import Dimension, LabelView

RULES = [rule.value for rule in MissingVotes]
VIEWS = [view.value for view in LabelView]
DIMENSIONS = [dimension.value for dimension in Dimension]


def interval_field() -> serializers.ListField:
    """Return a field of both ends of an interval, or null."""
    return serializers.ListField(child=serializers.FloatField(), allow_null=True)


class PairAgreementSerializer(serializers.Serializer[Any]):
    """Two raters, under their pseudonyms.

    interval: of `observed` and `cohen`, empty where intervals were not asked for. words: why a figure is
    null, or under "interval." and its name why its interval is.
    """

    a = serializers.CharField()
    b = serializers.CharField()
    items = serializers.IntegerField()
    disagreements = serializers.IntegerField()
    observed = serializers.FloatField(allow_null=True)
    cohen = serializers.FloatField(allow_null=True)
    is_paradox = serializers.BooleanField()
    interval = serializers.DictField(child=interval_field())
    words = serializers.DictField(child=serializers.CharField())


class FiguresSerializer(serializers.Serializer[Any]):
    """Every figure of some items; null where undefined, with the reason in `words`.

    interval: by the figure's name, `share_` and a label for that label's share of the votes; empty where
    intervals were not asked for.
    """

    items = serializers.IntegerField()
    questions = serializers.IntegerField()
    disagreements = serializers.IntegerField()
    observed_agreement = serializers.FloatField(allow_null=True)
    cohen_kappa = serializers.FloatField(allow_null=True)
    fleiss_kappa = serializers.FloatField(allow_null=True)
    krippendorff_alpha = serializers.FloatField(allow_null=True)
    krippendorff_alpha_ordinal = serializers.FloatField(allow_null=True)
    gwet_ac1 = serializers.FloatField(allow_null=True)
    interval = serializers.DictField(child=interval_field())
    words = serializers.DictField(child=serializers.CharField())
    is_paradox = serializers.BooleanField()
    distribution = serializers.DictField(child=serializers.IntegerField())


class AgreementFiguresSerializer(FiguresSerializer):
    """How far raters agree over all; `rule_text`: what stands for a vote that was not given."""

    signature = serializers.CharField()
    rule_text = serializers.CharField()
    raters = serializers.IntegerField()
    band = serializers.CharField(allow_blank=True)
    pairs = PairAgreementSerializer(many=True)


class CheckSerializer(serializers.Serializer[Any]):
    """A check about the question that several raters answer."""

    key = serializers.CharField()
    text = serializers.CharField()


class AgreementSerializer(AgreementFiguresSerializer):
    """Every figure of one rule for missing votes.

    label_views: the ways of reading labels that differ in this project. check_key: empty for answers.
    """

    missing_votes = serializers.ChoiceField(choices=RULES)
    labels = serializers.ChoiceField(choices=VIEWS)
    label_views = serializers.ListField(child=serializers.ChoiceField(choices=VIEWS))
    check_key = serializers.CharField(allow_blank=True)
    checks = CheckSerializer(many=True)


class SliceSerializer(FiguresSerializer):
    """How far raters agree in one part of the study."""

    name = serializers.CharField()


class SlicesSerializer(serializers.Serializer[Any]):
    """The study in parts; `dimensions`: all ways of cutting that have a meaning here."""

    by = serializers.ChoiceField(choices=DIMENSIONS)
    signature = serializers.CharField()
    dimensions = serializers.ListField(child=serializers.ChoiceField(choices=DIMENSIONS))
    slices = SliceSerializer(many=True)

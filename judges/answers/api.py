"""HTTP for the table of answers, and for what it can be filtered by."""

from dataclasses import fields
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.raters.agreement import MissingVotes
from annotation.adjudication.models import Decision
from annotation.agreement.api import DIMENSIONS, RULES, VIEWS
from annotation.agreement.rules.votes import LabelView
from annotation.agreement.selectors.reports import Way
from annotation.assignments.models import QuestionFlag
from annotation.projects.api.access import LEAD, AdjudicatorView, WrongRole
from common.web.replies import operation, reply
from judges.answers.rules import Sort, Verdict
from judges.answers.selectors.columns import PEOPLE
from judges.answers.selectors.filters import STATES, Says, Wanted
from judges.answers.selectors.table import AnswerChoices, AnswerPage, read_answer_choices, read_page
from judges.comparison.api.boards import WantedBoardForm, wanted_board

# Between the names of one value of an address; no id and no pseudonym has it.
BETWEEN = "~"
VERDICTS = "|".join(Verdict)


def _text(**options: Any) -> serializers.CharField:
    return serializers.CharField(required=False, default="", allow_blank=True, **options)


class AnswersQuerySerializer(WantedBoardForm):
    """Which answers are asked for, in which order; what is left out asks nothing.

    given_by: a system by name. judged_by: a rater by pseudonym, for leads. said: what columns say, each a
    run's id or `people` with a verdict, as `people~accepted,abc~rejected`. differing: two columns as
    `people~abc`, one of which accepts what the other rejects. only_right, only_wrong: two systems by name,
    for the answers of both to the questions that only the first has right, as the column according_to says.
    sort: a column, or the id of a run for its scores; `-` before it turns the order. after, before: the id of
    an answer that the page goes on from. judges: ids of runs whose verdicts are read, as `abc~def`; `none`
    for none.

    errors_of: the id of a run. part: a part of the study cut `by`. missing_votes, labels: how votes are read
    where the state is that first raters differ. check: the key of a check about the question; what differs
    then are its answers. raters: two pseudonyms as `R-1~R-2`, for leads; only where these two differ.
    accepted_by, rejected_by, unscored_by: the id of a run, or `people`, over what the judge board counts.
    With a `column`, those behind a cell of a failure board; without a `row`, behind the column's rate.
    """

    search = _text()
    state = serializers.ChoiceField(choices=STATES, required=False, default="", allow_blank=True)
    label = _text(max_length=60)  # type: ignore[assignment]
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Decision.Source.values, required=False, default="", allow_blank=True
    )
    given_by = _text(max_length=200)
    dataset = _text(max_length=100)
    tag = _text(max_length=200)
    flag = serializers.ChoiceField(
        choices=QuestionFlag.Kind.values, required=False, default="", allow_blank=True
    )
    judged_by = _text(max_length=40)
    said = serializers.RegexField(
        rf"^\w+~({VERDICTS})(,\w+~({VERDICTS}))*$", required=False, default="", allow_blank=True
    )
    differing = serializers.RegexField(r"^\w+~\w+$", required=False, default="", allow_blank=True)
    only_right = _text(max_length=200)
    only_wrong = _text(max_length=200)
    according_to = serializers.CharField(max_length=20, required=False, default=PEOPLE)
    min_words = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    max_words = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    sort = serializers.CharField(max_length=30, required=False, default=Sort.QUESTION.value)
    after = _text(max_length=20)
    before = _text(max_length=20)
    judges = _text()
    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )
    labels = serializers.ChoiceField(choices=VIEWS, required=False, default=LabelView.AS_LABELLED.value)
    check = _text()
    raters = serializers.RegexField(r"^[^~]+~[^~]+$", required=False, default="", allow_blank=True)
    errors_of = _text()
    accepted_by = _text()
    rejected_by = _text()
    unscored_by = _text()
    by = serializers.ChoiceField(choices=DIMENSIONS, required=False, default="", allow_blank=True)
    part = _text()
    question = _text()
    row = _text()
    column = _text()


# What an address says otherwise than the filter takes it.
TRANSLATED = {"said", "differing", "way", "raters", "cell"}
PLAIN = [field.name for field in fields(Wanted) if field.name not in TRANSLATED]


def _wanted(query: dict[str, Any]) -> Wanted:
    said = [pair.split(BETWEEN) for pair in query["said"].split(",") if pair]
    return Wanted(
        **{name: query[name] for name in PLAIN},
        said=tuple(Says(column, Verdict(verdict)) for column, verdict in said),
        differing=_parted(query["differing"]),
        way=Way(
            rule=MissingVotes(query["missing_votes"]), view=LabelView(query["labels"]), check=query["check"]
        ),
        raters=_parted(query["raters"]),
        cell=(wanted_board(query), query["row"], query["column"]) if query["column"] else None,
    )


def _parted(text: str) -> tuple[str, ...]:
    return tuple(text.split(BETWEEN)) if text else ()


class AnswersView(AdjudicatorView):
    """The answers of a project."""

    @operation("list_answers", query=[AnswersQuerySerializer], gives=AnswerPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the table of answers."""
        query = self.read_query(AnswersQuerySerializer)
        wanted = _wanted(query)
        if wanted.is_by_rater and self.member.role != LEAD:
            raise WrongRole("Only leads choose answers by who judged them.")
        if wanted.is_by_system(self.project) or query["sort"].removeprefix("-") == Sort.SYSTEMS:
            self.require_sees_systems()
        page = read_page(
            project=self.project,
            wanted=wanted,
            sort=query["sort"],
            after=query["after"],
            before=query["before"],
            judges=query["judges"].split(BETWEEN) if query["judges"] else None,
            with_systems=self.sees_systems,
        )
        return reply(page)


class AnswerChoicesView(AdjudicatorView):
    """What the table of answers can be filtered by."""

    @operation("get_answer_choices", gives=AnswerChoices)
    def get(self, request: Request, slug: str) -> Response:
        """Return systems, judges, data sets, tags, flags and raters, as far as whoever asks may know them."""
        choices = read_answer_choices(
            project=self.project,
            with_systems=self.sees_systems,
            with_raters=self.member.role == LEAD,
        )
        return reply(choices)

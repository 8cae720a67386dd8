"""HTTP for the table of answers, for what it can be filtered by, and for its saved views."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
from annotation.projects.api.access import LEAD, AdjudicatorAndViewerView, LeadView
from annotation.release.api import ExportSerializer
from annotation.release.services import start_export
from common.requests.paging import (
    Cursor,
    Paged,
    cursor_field,
    foreign_cursor,
    limit_field,
    place_beside,
    read_cursor,
)
from common.web.replies import operation, reply
from judges.answers import services
from judges.answers.models import AnswerView
from judges.answers.rules import LONGEST_NAME, Sort, Verdict
from judges.answers.selectors.filters import STATES, Says, Wanted, find_chosen
from judges.answers.selectors.table import (
    ANSWERS_A_PAGE,
    THE_END,
    AnswerChoices,
    AnswerLine,
    read_answer_choices,
    read_some,
)
from judges.answers.selectors.views import SavedView, read_view, views_of
from judges.comparison.api.boards import WantedBoardForm, wanted_board
from judges.comparison.selectors.judge_board.pairs import PEOPLE

# Between the names of one value of an address; no id and no pseudonym has it.
BETWEEN = "~"
VERDICTS = "|".join(Verdict)


# Every name there is fits in; SQLite refuses to look for 50,001 letters.
LONGEST = 1_000


def _text(max_length: int = LONGEST) -> serializers.CharField:
    return serializers.CharField(required=False, default="", allow_blank=True, max_length=max_length)


def _pattern(pattern: str) -> serializers.RegexField:
    return serializers.RegexField(
        pattern, required=False, default="", allow_blank=True, max_length=4 * LONGEST
    )


class AnswersQuerySerializer(WantedBoardForm):
    """Which answers are asked for, in which order; what is left out asks nothing.

    given_by: a system by name. judged_by: a rater by pseudonym, for leads. said: what columns say, each a
    run's id or `people` with a verdict, as `people~accepted,abc~rejected`. differing: two columns as
    `people~abc`, one of which accepts what the other rejects, or people whose labels do not mean the same;
    for leads also an annotator's votes, as `rater:R-1~rater:R-2`. only_right, only_wrong: two systems by
    name, for the answers of both to the questions that only the first has right, as the column according_to
    says.
    sort: a column, or the id of a run for its scores; `-` before it turns the order. judges: ids of runs
    whose verdicts are read, as `abc~def`; `none` for none.

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
    said = _pattern(rf"^\w+~({VERDICTS})(,\w+~({VERDICTS}))*$")
    differing = _pattern(r"^(\w+|rater:[^~]+)~(\w+|rater:[^~]+)$")
    only_right = _text(max_length=200)
    only_wrong = _text(max_length=200)
    according_to = serializers.RegexField(r"^\w+$", max_length=20, required=False, default=PEOPLE)
    min_words = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    max_words = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    sort = serializers.CharField(max_length=30, required=False, default=Sort.QUESTION.value)
    limit = limit_field(ANSWERS_A_PAGE)
    cursor = cursor_field()
    judges = _text(max_length=4 * LONGEST)
    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )
    labels = serializers.ChoiceField(choices=VIEWS, required=False, default=LabelView.AS_LABELLED.value)
    check = _text()
    raters = _pattern(r"^[^~]+~[^~]+$")
    errors_of = _text()
    accepted_by = _text()
    rejected_by = _text()
    unscored_by = _text()
    by = serializers.ChoiceField(choices=DIMENSIONS, required=False, default="", allow_blank=True)
    part = _text()
    question = _text()
    row = _text()
    column = _text()


# What an address says as the filter takes it.
PLAIN = (
    *("search", "state", "label", "source", "given_by", "dataset", "tag", "flag", "judged_by", "question"),
    *("only_right", "only_wrong", "according_to", "min_words", "max_words"),
    *("errors_of", "accepted_by", "rejected_by", "unscored_by", "by", "part"),
)


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


class OfAnswersView(AdjudicatorAndViewerView):
    """A view that is told which answers are meant; nobody chooses by what they may not see."""

    def require_may_ask(self, query: dict[str, Any]) -> None:
        """Raise `WrongRole` or `SystemsHidden` where a checked query chooses or orders by what is hidden."""
        if is_by_rater(query):
            self.require_sees_raters()
        if self.is_by_system(query):
            self.require_sees_systems()

    def is_by_system(self, query: dict[str, Any]) -> bool:
        """Whether a checked query chooses or orders answers by their systems."""
        return query["sort"].removeprefix("-") == Sort.SYSTEMS or _wanted(query).is_by_system(self.project)


def is_by_rater(query: dict[str, Any]) -> bool:
    """Whether a checked query chooses answers by their raters."""
    return _wanted(query).is_by_rater


@dataclass(frozen=True)
class AnswerPage(Paged):
    """A page of answers.

    `questions`: if the query names a question check, the number of questions that the answers belong to,
    otherwise null. `judges`: the runs whose verdicts the rows contain.
    """

    questions: int | None
    judges: list[str]
    answers: list[AnswerLine]


class AnswersView(OfAnswersView):
    """The answers of a project."""

    @operation("list_answers", query=[AnswersQuerySerializer], gives=AnswerPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the answers table."""
        query = self.read_query(AnswersQuerySerializer)
        self.require_may_ask(query)
        cursor = read_cursor(request, query["cursor"]) or Cursor()
        (beside,) = cursor.row or (THE_END if cursor.is_back else "",)
        found = read_some(
            project=self.project,
            limit=query["limit"],
            wanted=_wanted(query),
            sort=query["sort"],
            **{"before" if cursor.is_back else "after": beside},
            judges=query["judges"].split(BETWEEN) if query["judges"] else None,
            with_systems=self.sees_systems,
        )
        if found is None:
            raise foreign_cursor()
        ends = [(found.answers[place].id,) for place in (0, -1)] if found.answers else []
        place = place_beside(request, ends, count=found.count, before=found.before, shown=len(found.answers))
        return reply(
            AnswerPage(**asdict(place), questions=found.questions, judges=found.judges, answers=found.answers)
        )


class AnswerChoicesView(AdjudicatorAndViewerView):
    """What the table of answers can be filtered by."""

    @operation("get_answer_choices", gives=AnswerChoices)
    def get(self, request: Request, slug: str) -> Response:
        """Return systems, judges, data sets, tags, flags, and annotators that the caller may see."""
        choices = read_answer_choices(
            project=self.project,
            with_systems=self.sees_systems,
            with_raters=self.sees_raters,
        )
        return reply(choices)


# What a view keeps: all that the page's address says but for where a page of rows begins.
OF_A_PAGE = {"limit", "cursor", "judges"}
COLUMNS = "columns"
KEPT = {*AnswersQuerySerializer().fields, COLUMNS} - OF_A_PAGE


def read_kept(query: Mapping[str, str]) -> dict[str, Any]:
    """Return what a view's query asks the table; raises `ValidationError` where it cannot be asked so."""
    unknown = sorted(set(query) - KEPT)
    if unknown:
        raise serializers.ValidationError(
            f"“{unknown[0]}” is not a filter, column, or sort order of this table."
        )
    form = AnswersQuerySerializer(data={key: value for key, value in query.items() if key != COLUMNS})
    form.is_valid(raise_exception=True)
    checked: dict[str, Any] = form.validated_data
    return checked


class ViewQueryField(serializers.DictField):
    """What the page's address says, by the names it has there, as it came."""

    child = serializers.CharField()

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return it if the table can be asked so."""
        query: dict[str, str] = super().to_internal_value(data)
        read_kept(query)
        return query


class SavedViewSerializer(serializers.Serializer[Any]):
    """A view to save.

    `query`: filters, columns, and order, under the names that the page’s address uses.
    """

    name = serializers.CharField(max_length=LONGEST_NAME)
    query = ViewQueryField()


class SavedViewsView(OfAnswersView):
    """The views of the table that somebody saved."""

    @operation("list_answer_views", gives=list[SavedView])
    def get(self, request: Request, slug: str) -> Response:
        """List saved views by name, except those that use a filter hidden from the caller."""
        views = [view for view in views_of(self.project) if self._may_see(view)]
        return reply([read_view(view, member=self.member) for view in views])

    def _may_see(self, view: AnswerView) -> bool:
        if self.member.role == LEAD:
            return True
        try:
            query = read_kept(view.query)
        except serializers.ValidationError:
            return False
        if is_by_rater(query):
            return False
        return self.sees_systems or not self.is_by_system(query)

    @operation(
        "save_answer_view",
        takes=SavedViewSerializer,
        gives=SavedView,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Save the table’s filters, columns, and order under a name."""
        form = self.read(SavedViewSerializer)
        self.require_may_ask(read_kept(form["query"]))
        view = services.save_view(project=self.project, by=self.member, **form)
        return reply(read_view(view, member=self.member), status=201)


class SavedViewView(OfAnswersView):
    """One saved view."""

    @operation("change_answer_view", takes=SavedViewSerializer, gives=SavedView)
    def patch(self, request: Request, slug: str, view: str) -> Response:
        """Rename the view or change what it shows; omitted fields do not change."""
        form = self.read(SavedViewSerializer, partial=True)
        if "query" in form:
            self.require_may_ask(read_kept(form["query"]))
        changed = services.change_view(project=self.project, public_id=view, by=self.member, **form)
        return reply(read_view(changed, member=self.member))

    @operation("delete_answer_view", status=204)
    def delete(self, request: Request, slug: str, view: str) -> Response:
        """Delete the view."""
        services.delete_view(project=self.project, public_id=view, by=self.member)
        return Response(status=204)


# More than anybody selects by hand; whoever wants more exports the whole filter.
MOST_SELECTED = 2_000


class AnswersExportSerializer(serializers.Serializer[Any]):
    """Which answers to export, and in which format.

    `answers`: the IDs of the selected answers; if empty, all answers that match the query. `query`: as in a
    saved view; its order is the order of the file.
    """

    format = serializers.ChoiceField(choices=["answers-csv", "answers-jsonl"])
    answers = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=MOST_SELECTED, required=False, default=list
    )
    query = ViewQueryField(required=False, default=dict)


class AnswersExportView(LeadView):
    """Selected answers, or all that the table shows, as a file."""

    works_archived = True
    write_scope = "run"

    @operation("export_answers", takes=AnswersExportSerializer, gives=ExportSerializer, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Export the matching answers; if the file is large, the background worker creates it."""
        form = self.read(AnswersExportSerializer)
        query = read_kept(form["query"])
        chosen = find_chosen(
            project=self.project, wanted=_wanted(query), sort=query["sort"], public_ids=form["answers"]
        )
        export = start_export(project=self.project, format_key=form["format"], by=self.user, chosen=chosen)
        return Response(ExportSerializer(export).data, status=201)

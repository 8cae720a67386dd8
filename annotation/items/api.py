"""HTTP for items: imports, systems and the sample, all for leads only."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.items import selectors
from annotation.items.formats.columns import MAPPABLE
from annotation.items.formats.records import Format
from annotation.items.formats.registry import FORMATS
from annotation.items.models import DataImport
from annotation.items.services import applying, corrections, samples, uploads
from annotation.items.services.reading import option_specs
from annotation.projects.api.access import LeadAndViewerView, LeadView
from annotation.projects.models import Project
from common.web.door import read_json
from common.web.replies import operation


class SystemDescriptionSerializer(serializers.Serializer[Any]):
    """What is known about a system; all fields are optional."""

    retrieval_depth = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    size_bytes = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    track = serializers.CharField(max_length=100, required=False, allow_null=True, allow_blank=True)
    closed_book = serializers.BooleanField(required=False, allow_null=True)


class SystemSerializer(serializers.Serializer[Any]):
    """A system under evaluation."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.CharField(allow_blank=True)
    description = SystemDescriptionSerializer()
    prediction_count = serializers.IntegerField()


class SystemChangeSerializer(serializers.Serializer[Any]):
    """The fields of a system that can be changed."""

    label = serializers.CharField(max_length=200, required=False)  # type: ignore[assignment]
    description = SystemDescriptionSerializer(required=False)


class SystemsView(LeadAndViewerView):
    """The systems, for leads."""

    @operation("list_systems", gives=SystemSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the systems by name."""
        return Response(SystemSerializer(selectors.list_systems(project=self.project), many=True).data)


class SystemView(LeadView):
    """One system, for leads."""

    @operation("change_system", takes=SystemChangeSerializer, gives=SystemSerializer)
    def patch(self, request: Request, slug: str, **route: str) -> Response:
        """Change the system’s display name or description."""
        form = self.read(SystemChangeSerializer)
        system = corrections.describe_system(project=self.project, public_id=self.kwargs["id"], **form)
        return Response(SystemSerializer(system).data)


class AnswersToJudgeSerializer(serializers.Serializer[Any]):
    """The number of answers that people would still judge.

    `every`: if all questions are judged. `common`: if only questions that all systems answered are judged.
    `judged`: if only questions with votes are judged.
    """

    every = serializers.IntegerField()
    common = serializers.IntegerField()
    judged = serializers.IntegerField()


class SampleSerializer(serializers.Serializer[Any]):
    """The number of questions, the number of these that people judge, and how they were selected.

    `sampled`: questions that people judge. `judged`: questions with votes or decisions by people.
    `predictions`: answers of all systems to all questions. `answers`: distinct answers, each judged once.
    `to_judge`: answers that people would still judge. `matching`: how many of these equal a gold answer; null
    if such answers count as correct without being judged.
    """

    questions = serializers.IntegerField()
    predictions = serializers.IntegerField()
    answers = serializers.IntegerField()
    sampled = serializers.IntegerField()
    judged = serializers.IntegerField()
    method = serializers.ChoiceField(choices=Project.SampleMethod.choices)
    options = serializers.DictField()
    to_judge = AnswersToJudgeSerializer()
    matching = AnswersToJudgeSerializer(allow_null=True)


class SampleChangeSerializer(serializers.Serializer[Any]):
    """How to select the questions that people judge.

    `method`: which of the other fields apply. `size`, `seed`: of a random sample; without a seed, the
    project’s own is used. `common`: whether a random sample takes only questions that every system answered.
    `dataset`, `tag`: for a filter, or to limit a random sample. `questions`: the IDs or texts of questions.
    """

    method = serializers.ChoiceField(choices=Project.SampleMethod.choices)
    size = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    seed = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    dataset = serializers.CharField(required=False, allow_blank=True, default="")
    tag = serializers.CharField(required=False, allow_blank=True, default="")
    common = serializers.BooleanField(required=False, default=False)
    questions = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class SampleView(LeadView):
    """The judged sample, for leads."""

    @operation("get_sample", gives=SampleSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return how many questions people judge, and how they were selected."""
        return Response(SampleSerializer(selectors.get_sample(project=self.project)).data)

    @operation("set_sample", takes=SampleChangeSerializer, gives=SampleSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Choose which questions people judge."""
        form = self.read(SampleChangeSerializer)
        return Response(SampleSerializer(samples.set_sample(project=self.project, **form)).data)


class CorrectionInputSerializer(serializers.Serializer[Any]):
    """The corrected text of the question, and the reason."""

    text = serializers.CharField()
    reason = serializers.CharField()


class CorrectedQuestionSerializer(serializers.Serializer[Any]):
    """The question with its corrected text."""

    id = serializers.CharField(source="public_id")
    text = serializers.CharField()
    corrected_at = serializers.DateTimeField()


class QuestionCorrectView(LeadView):
    """The correction of one question, by leads."""

    @operation(
        "correct_question",
        takes=CorrectionInputSerializer,
        gives=CorrectedQuestionSerializer,
    )
    def post(self, request: Request, slug: str, question: str) -> Response:
        """Correct the question’s text; votes are kept."""
        form = self.read(CorrectionInputSerializer)
        corrected = corrections.correct_question(
            project=self.project, public_id=question, by=self.user, **form
        )
        return Response(CorrectedQuestionSerializer(corrected).data)


class ImportOptionSerializer(serializers.Serializer[Any]):
    """An option for importing files of this format."""

    name = serializers.CharField()
    default = serializers.CharField(allow_blank=True)
    choices = serializers.ListField(child=serializers.CharField())
    help = serializers.CharField()


class ImportFormatSerializer(serializers.Serializer[Any]):
    """A file format that can be read."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    options = serializers.SerializerMethodField()
    meanings = serializers.SerializerMethodField()

    @extend_schema_field(ImportOptionSerializer(many=True))
    def get_options(self, found: Format) -> Any:
        """Return the options for reading the files and importing their rows."""
        return ImportOptionSerializer(option_specs(found), many=True).data

    def get_meanings(self, found: Format) -> list[str]:
        """Return the meanings that columns can be given; the list is empty if the format’s columns are
        fixed."""
        return list(MAPPABLE) if found.key == "generic" else []


class ImportFileSerializer(serializers.Serializer[Any]):
    """A file of an import."""

    name = serializers.CharField()
    size = serializers.IntegerField()


class ImportProblemSerializer(serializers.Serializer[Any]):
    """A problem in a file.

    `line`: 0 for the entire file. `file`: empty for all files together.
    """

    file = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField()
    column = serializers.CharField(allow_blank=True)
    severity = serializers.ChoiceField(choices=["error", "warning"])
    code = serializers.CharField()
    message = serializers.CharField()


class ImportCauseSerializer(ImportProblemSerializer):
    """All problems of one kind in one file: the first problem, the count, and the first line numbers."""

    count = serializers.IntegerField()
    lines = serializers.ListField(child=serializers.IntegerField())


class ImportColumnSerializer(serializers.Serializer[Any]):
    """A column of the files.

    `meaning`: what the column was recognized as; empty if it was not. `values`: the first values in it.
    """

    name = serializers.CharField()
    meaning = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    values = serializers.ListField(child=serializers.CharField())


class ImportSerializer(serializers.Serializer[Any]):
    """An import: its files, the results of checking them, and its progress."""

    id = serializers.CharField(source="public_id")
    files = ImportFileSerializer(many=True)
    format = serializers.CharField()
    format_name = serializers.SerializerMethodField()
    options = serializers.DictField()
    state = serializers.ChoiceField(choices=DataImport.State.choices)
    counts = serializers.DictField(child=serializers.IntegerField())
    rows_total = serializers.IntegerField()
    rows_done = serializers.IntegerField()
    sample = serializers.ListField(child=serializers.DictField())
    columns = ImportColumnSerializer(many=True)
    problems = ImportProblemSerializer(many=True)
    causes = ImportCauseSerializer(many=True)
    problem_count = serializers.IntegerField()
    created_by = serializers.CharField(source="created_by.name")
    created_at = serializers.DateTimeField()
    applied_at = serializers.DateTimeField(allow_null=True)
    message = serializers.CharField(allow_blank=True)

    def get_format_name(self, data_import: DataImport) -> str:
        """Return the format’s display name."""
        found = FORMATS.get(data_import.format)
        return found.name if found else data_import.format


class ImportCreateSerializer(serializers.Serializer[Any]):
    """Files to import; if no format is given, it is detected.

    `options`: a JSON object as text.
    """

    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)
    format = serializers.CharField(required=False, allow_blank=True, default="")
    options = serializers.CharField(required=False, allow_blank=True, default="")

    def validate_options(self, text: str) -> dict[str, Any]:
        """Read the JSON object."""
        return _options(text)


class ImportCheckSerializer(serializers.Serializer[Any]):
    """Another format or other options to read the files with."""

    format = serializers.CharField(required=False, allow_blank=True, default="")
    options = serializers.DictField(required=False, default=dict)


def _options(text: str) -> dict[str, Any]:
    options = read_json(text or "{}")
    if not isinstance(options, dict):
        raise serializers.ValidationError("Send a JSON object.")
    return options


class ImportFormatsView(LeadView):
    """The file formats, for leads."""

    @operation("list_import_formats", gives=ImportFormatSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the import formats."""
        return Response(ImportFormatSerializer(list(FORMATS.values()), many=True).data)


class ImportsView(LeadView):
    """The imports of a project, for leads."""

    parser_classes = [MultiPartParser]

    @operation("list_imports", gives=ImportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the imports, newest first."""
        return Response(ImportSerializer(selectors.list_imports(project=self.project), many=True).data)

    @operation(
        "create_import",
        takes={"multipart/form-data": ImportCreateSerializer},
        gives=ImportSerializer,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Upload files and check them; nothing is added to the project yet."""
        form = self.read(ImportCreateSerializer)
        data_import = uploads.create_import(
            project=self.project,
            by=self.user,
            files=form["files"],
            format_key=form["format"],
            options=form["options"],
            in_background=True,
        )
        return Response(ImportSerializer(data_import).data, status=201)


class ImportActionView(LeadView):
    """One import, for leads."""

    def data_import(self) -> DataImport:
        """Return the import that the address names."""
        return selectors.get_import(project=self.project, public_id=self.kwargs["id"])


class ImportView(ImportActionView):
    """One import."""

    @operation("get_import", gives=ImportSerializer)
    def get(self, request: Request, slug: str, **route: str) -> Response:
        """Return the import’s progress and findings."""
        return Response(ImportSerializer(self.data_import()).data)

    @operation("discard_import", status=204)
    def delete(self, request: Request, slug: str, **route: str) -> Response:
        """Discard an import that was not confirmed."""
        uploads.discard_import(data_import=self.data_import())
        return Response(status=204)


class ImportCheckView(ImportActionView):
    """Checking again."""

    @operation("check_import", takes=ImportCheckSerializer, gives=ImportSerializer)
    def post(self, request: Request, slug: str, **route: str) -> Response:
        """Check the files again with another format or other options."""
        form = self.read(ImportCheckSerializer)
        data_import = uploads.recheck_import(
            data_import=self.data_import(),
            format_key=form["format"],
            options=form["options"],
            in_background=True,
        )
        return Response(ImportSerializer(data_import).data)


class ImportCancelView(ImportActionView):
    """Cancelling a check."""

    @operation("cancel_import_check", gives=ImportSerializer)
    def post(self, request: Request, slug: str, **route: str) -> Response:
        """Cancel a waiting or running check; the files can be checked again."""
        data_import = self.data_import()
        uploads.cancel_check(data_import=data_import)
        data_import.refresh_from_db()
        return Response(ImportSerializer(data_import).data)


class ImportConfirmView(ImportActionView):
    """Confirming."""

    @operation("confirm_import", gives=ImportSerializer)
    def post(self, request: Request, slug: str, **route: str) -> Response:
        """Add the import to the project."""
        data_import = applying.confirm_import(data_import=self.data_import(), in_background=True)
        return Response(ImportSerializer(data_import).data)


class ImportUndoView(ImportActionView):
    """Undoing."""

    @operation("undo_import", gives=ImportSerializer)
    def post(self, request: Request, slug: str, **route: str) -> Response:
        """Undo the whole import."""
        undone = applying.undo_import(data_import=self.data_import(), in_background=True)
        return Response(ImportSerializer(undone).data)

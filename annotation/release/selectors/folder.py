"""A study as a folder for data set hubs: Parquet, a card, Croissant with its RAI fields, a datasheet."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from annotation.projects.models import Membership, Project
from annotation.release.rules import count_of
from annotation.release.selectors.parquet import write_parquet
from annotation.release.selectors.rows import (
    count_all_answers,
    count_predictions,
    count_questions,
    count_votes,
)
from common.identifiers import VERSION

ALWAYS = (1980, 1, 1, 0, 0, 0)
# Until whoever publishes the data has chosen one.
NO_LICENSE = "unknown"
LICENSE_TEXT = """No license has been chosen yet.

Assay does not know the licenses of this study’s questions, gold answers, and system outputs, or what its
annotators agreed to. Before you publish this folder, replace this text with your license, and enter its name
in README.md (license) and croissant.json (license).
"""


class Table(NamedTuple):
    """A table of the folder: its name, what one row is, and its lines."""

    name: str
    row: str
    lines: Callable[..., Iterator[str]]


class _Stored(NamedTuple):
    """A table in the folder: its columns with their types, and the SHA-256 of its file."""

    table: Table
    columns: Mapping[str, Any]
    sha256: str

    @property
    def path(self) -> str:
        return f"data/{self.table.name}.parquet"


def write_folder(*, project: Project, file: IO[bytes], tables: tuple[Table, ...]) -> None:
    """Write the folder as a zip file; the same study gives the same bytes."""
    with zipfile.ZipFile(file, "w") as archive:
        stored = [_store(archive, table, project) for table in tables]
        facts = _facts(project)
        for name, text in (
            ("README.md", _card(facts, stored)),
            ("croissant.json", json.dumps(_croissant(facts, stored), indent=2, ensure_ascii=False) + "\n"),
            ("DATASHEET.md", _datasheet(facts)),
            ("LICENSE", LICENSE_TEXT),
        ):
            archive.writestr(zipfile.ZipInfo(name, date_time=ALWAYS), text)


def _store(archive: zipfile.ZipFile, table: Table, project: Project) -> _Stored:
    from pyarrow import parquet

    with TemporaryFile() as kept:
        write_parquet(lines=table.lines(project=project, limit=None), file=kept)
        kept.seek(0)
        schema = parquet.read_schema(kept)
        kept.seek(0)
        digest = hashlib.file_digest(kept, "sha256").hexdigest()
        kept.seek(0)
        found = _Stored(table, {field.name: field.type for field in schema}, digest)
        with archive.open(zipfile.ZipInfo(found.path, date_time=ALWAYS), "w", force_zip64=True) as out:
            while chunk := kept.read(1 << 20):
                out.write(chunk)
    return found


class _Facts(NamedTuple):
    """What is told of a study in words; no person is named."""

    slug: str
    name: str
    description: str
    created: str
    questions: int
    answers: int
    predictions: int
    votes: int
    raters: int
    raters_per_answer: int
    labels: str
    guidelines: str


def _facts(project: Project) -> _Facts:
    protocol = project.protocol.rules if project.protocol else None
    raters = Membership.objects.filter(project=project, judgments__isnull=False).distinct().count()
    return _Facts(
        slug=project.slug,
        name=project.name,
        description=project.description
        or f"Systems’ answers to questions, as judged by people: {project.name}.",
        created=project.created_at.date().isoformat(),
        questions=count_questions(project),
        answers=count_all_answers(project),
        predictions=count_predictions(project),
        votes=count_votes(project),
        raters=raters,
        raters_per_answer=protocol.raters_per_answer if protocol else 0,
        labels=", ".join(f"{label.name} ({label.key})" for label in protocol.labels) if protocol else "",
        guidelines=protocol.guidelines if protocol else "",
    )


def _quoted(text: str) -> str:
    """Return a text as a string of YAML, which any string of JSON is."""
    return json.dumps(text, ensure_ascii=False)


def _card(facts: _Facts, stored: list[_Stored]) -> str:
    configs = "".join(
        f"- config_name: {each.table.name}\n"
        + ("  default: true\n" if place == 0 else "")
        + f"  data_files:\n  - split: test\n    path: {each.path}\n"
        for place, each in enumerate(stored)
    )
    tables = "".join(f"| `{each.table.name}` | {each.table.row} |\n" for each in stored)
    return f"""---
pretty_name: {_quoted(facts.name)}
license: {NO_LICENSE}
task_categories:
- question-answering
tags:
- human-evaluation
- llm-as-a-judge
- croissant
configs:
{configs}---

# {facts.name}

{facts.description}

{_numbers(facts)} Made with Assay {VERSION}.

| configuration | one row is |
| --- | --- |
{tables}
```python
from datasets import load_dataset

answers = load_dataset("PATH OR OWNER/{facts.slug}", "answers", split="test")
```

Join answers with the other tables by `item_id`, and questions by `question_id`. Annotators appear
under pseudonyms. [DATASHEET.md](DATASHEET.md) describes how the data was collected. See [LICENSE](LICENSE)
for the license.
"""


def _numbers(facts: _Facts) -> str:
    questions = count_of(facts.questions, "question")
    votes = f"{count_of(facts.votes, 'vote')} by {count_of(facts.raters, 'annotator')}"
    return (
        f"{questions} whose answers people judge, with {count_of(facts.predictions, 'prediction')}, "
        f"{count_of(facts.answers, 'distinct answer')}, and {votes}."
    )


def _croissant(facts: _Facts, stored: list[_Stored]) -> dict[str, Any]:
    """Return the metadata in Croissant 1.1 with the fields of its RAI vocabulary 1.0."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": facts.slug,
        "alternateName": facts.name,
        "description": facts.description,
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "version": "1.0.0",
        "datePublished": facts.created,
        "license": NO_LICENSE,
        "rai:dataCollection": "Systems answered the questions; matching answers were judged once.",
        "rai:dataCollectionType": ["Manual Human Curator", "Software Collection"],
        "rai:dataAnnotationProtocol": _protocol_words(facts),
        "rai:dataAnnotationPlatform": [f"Assay {VERSION}"],
        "rai:dataAnnotationAnalysis": [
            "Each vote is kept (table “votes”). Where annotators disagree, the “source” column of the "
            "“answers” table says how the answer was decided."
        ],
        "rai:annotationsPerItem": str(facts.raters_per_answer),
        "rai:annotatorDemographics": ["Not recorded."],
        "rai:machineAnnotationTools": [
            "Automatic judges, each identified by its signature in the “verdicts” table."
        ],
        "rai:personalSensitiveInformation": [
            "Annotators appear under pseudonyms. Their comments are free text and have not been checked for "
            "names."
        ],
        "rai:dataLimitations": ["Answers that nobody judged have no label."],
        "rai:dataBiases": ["Only answers given by the named systems were judged."],
        "rai:dataUseCases": ["Evaluating question-answering systems and automatic judges of their answers."],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"{each.table.name}-file",
                "name": f"{each.table.name}-file",
                "contentUrl": each.path,
                # As mlcroissant reads it.
                "encodingFormat": "application/x-parquet",
                "sha256": each.sha256,
            }
            for each in stored
        ],
        "recordSet": [_record_set(each) for each in stored],
    }


def _record_set(stored: _Stored) -> dict[str, Any]:
    """Return a table's columns of plain values; lists and records of records are in the file alone."""
    name = stored.table.name
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": f"{name}/{column}",
            "dataType": kind,
            "source": {"fileObject": {"@id": f"{name}-file"}, "extract": {"column": column}},
        }
        for column, arrow in stored.columns.items()
        if (kind := _KINDS.get(str(arrow)))
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": stored.table.row,
        "field": fields,
    }


_KINDS = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def _protocol_words(facts: _Facts) -> str:
    raters = count_of(facts.raters_per_answer, "annotator")
    return (
        f"{raters} judged each answer without seeing its system, other annotators’ votes, "
        f"or automatic judges’ verdicts. Labels: {facts.labels}."
    )


def _datasheet(facts: _Facts) -> str:
    """Return the questions of Gebru et al. 2021, as EVOUNA's appendix A asks them, as far as Assay knows."""
    return f"""# Datasheet: {facts.name}

Assay has filled in what it knows. *To be filled in* marks what only the authors know.

## Motivation

**For what purpose was the data set created?** {facts.description}

**Who created it, and who funded it?** *To be filled in.*

## Composition

**What do the instances represent, and how many are there?** {_numbers(facts)}

**Is it a sample?** The column `label` of `answers` is empty for answers that are not decided. *To be filled
in: the source of the questions.*

**Are there labels?** {facts.labels or "None yet."} Each vote is in `votes`, with its annotator, round, and
time.

**Are there errors or noise?** Annotators sometimes disagree. `votes` shows where, and `source` in `answers`
shows how each answer was decided.

**Does it contain personal data?** Annotators appear under pseudonyms. Their
comments are free text and have not been checked for names.

## Collection

**How was the data acquired?** {_protocol_words(facts)}

**Over what timeframe?** The study began on {facts.created}; `votes` has the time of each vote.

**Were annotators paid, and was there an ethical review?** *To be filled in.*

**Guidelines for annotators**

{facts.guidelines or "None."}

## Preprocessing

Matching answers from several systems are pooled into one answer. `predictions` has each system’s own text.

## Uses

To evaluate question-answering systems and automatic judges. Do not tune a system on the answers used to
evaluate it.

## Distribution and maintenance

**Under which license?** See LICENSE. **Who maintains it?** *To be filled in.*
"""

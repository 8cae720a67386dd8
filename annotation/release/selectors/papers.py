"""Read a project for the files of the papers: a question with all systems' answers, a system's outputs."""

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import decide_columns
from annotation.gold.selectors.ledger import gold_lists, gold_patterns
from annotation.items.models import Prediction, System
from annotation.judgments.selectors import improper_among
from annotation.projects import rules as protocols
from annotation.projects.models import Project
from annotation.release import rules
from annotation.release.rules import CastVote, JudgedPrediction, JudgedQuestion, ReleasedOutput
from annotation.release.selectors.rows import (
    cast_votes,
    columns_of,
    in_batches,
    read_vote,
    released_answers,
    sampled_questions,
    votes_on_answers,
)
from common.identifiers import tell_apart

ALWAYS = (1980, 1, 1, 0, 0, 0)
# What some file system does not take in a name.
_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]|^\.+|[. ]+$')
LONGEST_NAME_BYTES = 200


def evouna_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield the judged questions with every system's answer and people's verdict, as EVOUNA's file."""
    systems = _systems(project)
    questions = _judged_questions(project, dict(systems), limit)
    names = [name for _, name in systems]
    yield from rules.evouna_lines(questions, systems=names, protocol=_protocol(project))


def _systems(project: Project) -> list[tuple[int, str]]:
    return list(System.objects.filter(project=project).order_by("pk").values_list("pk", "name"))


def _protocol(project: Project) -> protocols.Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _judged_questions(
    project: Project, systems: Mapping[int, str], limit: int | None
) -> Iterator[JudgedQuestion]:
    for chunk in in_batches(sampled_questions(project)[:limit]):
        ids = [question.pk for question in chunk]
        golds = _strings(project, ids)
        improper = improper_among(ids, protocol=_protocol(project))
        predictions = _predictions(ids, systems, _labels(project, ids, improper))
        for question in chunk:
            yield JudgedQuestion(
                text=question.text,
                gold=golds[question.pk],
                predictions=predictions[question.pk],
                is_improper=question.pk in improper,
            )


def _strings(project: Project, question_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the imported gold answers without regular expressions, which these forms cannot tell apart."""
    patterns = gold_patterns(project, amended=False, question_ids=question_ids)
    return {
        question: tuple(text for text in texts if text not in patterns.get(question, ()))
        for question, texts in gold_lists(project, amended=False, question_ids=question_ids).items()
    }


def _labels(project: Project, question_ids: Sequence[int], improper: Iterable[int]) -> dict[int, str]:
    """Return by answer what people decided it to be; of improper questions, what its uncounted votes say.

    Nobody's verdict on an answer that programs settled is among them: the file is read as people's.
    """
    labels: dict[int, str] = {}
    votes: Mapping[int, list[CastVote]] = defaultdict(list)
    for row in cast_votes(project).filter(candidate__question__in=list(improper)):
        votes[row[0]].append(read_vote(row))
    for candidate, cast in votes.items():
        said = decide_columns(columns=columns_of(project, cast).all, protocol=_protocol(project))
        labels[candidate] = said.label or ""
    decided = Decision.objects.in_force().without_programs().filter(candidate__question__in=question_ids)
    return labels | dict(decided.values_list("candidate_id", "label"))


def _predictions(
    question_ids: Sequence[int], systems: Mapping[int, str], labels: Mapping[int, str]
) -> Mapping[int, dict[str, JudgedPrediction]]:
    found: Mapping[int, dict[str, JudgedPrediction]] = defaultdict(dict)
    rows = Prediction.objects.filter(question__in=question_ids)
    fields = ("question_id", "system_id", "candidate_id", "text")
    for question, system, candidate, text in rows.values_list(*fields):
        found[question][systems[system]] = JudgedPrediction(text, labels.get(candidate, ""))
    return found


def release_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield what OpenQA-eval's files of the project are called, the votes first; limit: so many."""
    names = [_votes_name(project), *_output_names(project).values()]
    return (f"{name}\n" for name in names[:limit])


def write_release(*, project: Project, file: IO[bytes]) -> None:
    """Write the votes and a file of outputs for each system as a zip file, as OpenQA-eval released them."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _store(archive, _votes_name(project), _without_last_end(_vote_lines(project)))
        for system, name in _output_names(project).items():
            _store(archive, name, map(rules.output_line, _outputs(project, system)))


def _store(archive: zipfile.ZipFile, name: str, lines: Iterable[str]) -> None:
    entry = zipfile.ZipInfo(name, date_time=ALWAYS)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as out:
        out.writelines(line.encode() for line in lines)


def _votes_name(project: Project) -> str:
    return f"{project.slug}_human.tsv"


def _output_names(project: Project) -> dict[int, str]:
    """Return by system what its file is called: its name, but for what no file system takes.

    Names that are one where case does not count are told apart by the system's number.
    """
    systems = _systems(project)
    stems = [_stem(name) for _, name in systems]
    keys = tell_apart((stem.casefold(), str(place)) for place, stem in enumerate(stems, 1))
    told = (
        stem if key == stem.casefold() else f"{stem} ({place})"
        for place, (stem, key) in enumerate(zip(stems, keys, strict=True), 1)
    )
    return {system: f"model_outputs/{stem}.jsonl" for (system, _), stem in zip(systems, told, strict=True)}


def _stem(name: str) -> str:
    fit = _UNFIT.sub("_", name).encode()[:LONGEST_NAME_BYTES]
    return fit.decode(errors="ignore") or "_"


def _vote_lines(project: Project) -> Iterator[str]:
    # Released without quotation marks, which are part of answers there; some texts need them all the same.
    texts = (text for answer in released_answers(project) for text in (answer.question_id, *answer[2:4]))
    are_plain = rules.fits_plain_tsv(texts)
    votes = votes_on_answers(project)
    rows = rules.openqa_rows(released_answers(project), votes=votes, protocol=_protocol(project))
    return rules.plain_tsv_lines(rows) if are_plain else rules.tsv_lines(rows)


def _without_last_end(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines without the line end behind the last one, as the file was released."""
    end = ""
    for line in lines:
        yield end + line.removesuffix("\n")
        end = "\n"


def _outputs(project: Project, system: int) -> Iterator[ReleasedOutput]:
    rows = (
        Prediction.objects.filter(system=system)
        .select_related("question")
        .order_by("question__position", "question_id")
    )
    for chunk in in_batches(rows):
        golds = _strings(project, [row.question_id for row in chunk])
        for row in chunk:
            own = golds[row.question_id] if row.golds is None else tuple(row.golds)
            yield ReleasedOutput(row.question.text, own, rules.as_read(row.raw, row.text))

"""The documentation as texts: short sentences, and commands, links and pages that are there."""

import argparse
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it.token import Token

from assay.command_line import LOCAL
from common.help.documents import DOCUMENTS, FOLDER
from common.web.markdown import PARSER, slug_of
from tools.commands import assay_parsers, management_parsers

ROOT = Path(__file__).resolve().parent.parent
MOST_WORDS = 20
WORD = re.compile(r"\w[\w’'.%-]*")
# What ends a sentence; a colon or semicolon does not.
END = re.compile(r"(?<=[.!?])[”’)\"]*\s+")
FILES = [*(FOLDER / f"{name}.md" for name in DOCUMENTS), ROOT / "README.md"]
# Also what is read in the repository only.
TEXTS = sorted([*ROOT.glob("*.md"), *FOLDER.glob("*.md")])
# A decision is left as it was written; only where it leads to is checked.
LINKING = [*TEXTS, *sorted(FOLDER.glob("decisions/*.md"))]
MANAGING = management_parsers()
ASSAY = assay_parsers()
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def texts_of(tokens: list[Token]) -> Iterator[str]:
    """Yield paragraphs and items as read; code counts as a word. Tables and headings have no sentences."""
    in_table = False
    for before, token in pairwise(tokens):
        in_table = (in_table or before.type == "table_open") and before.type != "table_close"
        if token.type == "inline" and not in_table and before.type != "heading_open":
            parts = token.children or []
            yield "".join("code" if part.type == "code_inline" else part.content or " " for part in parts)


def words_per_sentence(text: str) -> float:
    """Return the mean over all sentences of a page."""
    sentences = [each for block in texts_of(PARSER.parse(text)) for each in END.split(block)]
    counts = [count for sentence in sentences if (count := len(WORD.findall(sentence)))]
    return sum(counts) / len(counts)


def lines_of(path: Path) -> list[str]:
    """Return the lines of commands that a reader would copy, continued lines joined and comments left out."""
    blocks = [
        token.content
        for token in PARSER.parse(path.read_text(encoding="utf-8"))
        if token.type in {"fence", "code_block"} and token.info in {"", "sh"}
    ]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [bare for line in lines if (bare := line.partition(" #")[0].strip())]


def commands_of(path: Path) -> Iterator[tuple[list[str], bool]]:
    """Yield commands as words, and whether they stand alone, to be copied: others are named in a sentence."""
    for line in lines_of(path):
        yield from ((words, True) for words in called(line))
    for code in re.findall(r"`([^`\n]+)`", path.read_text(encoding="utf-8")):
        yield from ((words, False) for words in called(code))


def called(line: str) -> Iterator[list[str]]:
    """Yield the call in a line, from the name of the program on; nothing where it calls none of ours."""
    found = re.search(r"(?:^|\s|/)(manage\.py|assay|make)\s+(?=[a-z_-])(.*)", line)
    # A line of Python, or a sentence, may begin with these words, too.
    if found and not re.match(r"from |import ", line):
        rest = re.split(r" [<>|] | && ", found[2])[0]
        yield [found[1], *shlex.split(rest.replace("…", "X").replace("’", ""))]


def problem_of(words: list[str], *, is_whole: bool) -> str:
    """Return what is wrong with a command, or nothing."""
    program, name, *rest = words
    if program == "make":
        # In a sentence other words may follow.
        targets = [word for word in (name, *rest * is_whole) if "=" not in word]
        unknown = [target for target in targets if target not in TARGETS]
        return f"no such target: {unknown}" if unknown else ""
    if program == "assay" and name == "manage":
        return problem_of(["manage.py", *rest], is_whole=is_whole) if rest else ""
    if program == "assay" and name in {"backup", "restore"}:
        program = "manage.py"
    parser = (MANAGING if program == "manage.py" else ASSAY).get(name)
    if parser is None:
        is_placeholder = name.isupper() and not is_whole
        return "" if is_placeholder or name in OF_DJANGO or name in LOCAL else f"no such command: {name}"
    if name in LOCAL and program == "assay":
        return ""
    known = {option for action in parser._actions for option in action.option_strings}
    unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
    return f"no such option: {unknown}" if unknown else parsed(parser, rest) if is_whole else ""


def parsed(parser: argparse.ArgumentParser, words: list[str]) -> str:
    """Return why a parser refuses whole words, as a shell would hand them on."""
    if any(mark in " ".join(words) for mark in "[]"):
        return ""
    try:
        parser.parse_args(words)
    except (SystemExit, Exception) as error:
        return f"refused: {error}"
    return ""


# Django's own that the documentation names.
OF_DJANGO = {"migrate", "makemigrations", "check", "changepassword", "help"}
# A changelog says what was.
COMMANDING = [path for path in TEXTS if path.name != "CHANGELOG.md"]
COMMANDS = [(path.name, words, whole) for path in COMMANDING for words, whole in commands_of(path)]


class TestSentences:
    @pytest.mark.parametrize("path", TEXTS, ids=[path.stem for path in TEXTS])
    def test_are_short_on_average(self, path: Path) -> None:
        assert words_per_sentence(path.read_text(encoding="utf-8")) <= MOST_WORDS

    def test_are_counted_as_a_reader_would(self) -> None:
        text = "# A title of many words\n\nOne two `three` four. Five six: seven.\n\n| a b c d |\n| --- |\n"
        assert words_per_sentence(text) == 3.5


def links_of(text: str) -> Iterator[str]:
    """Yield where links and pictures lead to within the repository."""
    for token in PARSER.parse(text):
        for part in token.children or []:
            address = str(part.attrGet("href") or part.attrGet("src") or "")
            if address and not re.match(r"https?:|mailto:", address):
                yield unquote(address)


def places_of(path: Path) -> set[str]:
    """Return the ids that GitHub gives the headings of a file."""
    tokens = PARSER.parse(path.read_text(encoding="utf-8"))
    headings = (token for before, token in pairwise(tokens) if before.type == "heading_open")
    return {slug_of("".join(part.content for part in token.children or [])) for token in headings}


def lost_links(path: Path, text: str) -> list[str]:
    """Return links of a file that lead to no file, or to no heading of one."""
    return [link for link in links_of(text) if not leads_somewhere(path, link)]


def leads_somewhere(path: Path, link: str) -> bool:
    """Return whether a link of a file leads to a file or folder, and to a heading where it names one."""
    address, _, place = link.partition("#")
    target = path.parent / address if address else path
    return target.exists() and (not place or (target.suffix == ".md" and place in places_of(target)))


class TestLinks:
    @pytest.mark.parametrize("path", LINKING, ids=[str(path.relative_to(ROOT)) for path in LINKING])
    def test_lead_to_files_and_headings_that_are_there(self, path: Path) -> None:
        assert lost_links(path, path.read_text(encoding="utf-8")) == []

    @pytest.mark.parametrize("link", ["nowhere.md", "docs/nowhere.md", "#nowhere", "docs/judges.md#nowhere"])
    def test_that_lead_nowhere_are_noticed(self, link: str) -> None:
        good = "[here](docs/judges.md) [folder](docs/) [web](https://example.com/#a) `[code](nowhere.md)`"
        assert lost_links(ROOT / "README.md", f"{good} [there]({link})") == [link]


# Read exactly so in a file, an answer or a command: a comma within would be read as part of it.
EXACT = {" ", "restore", "DPR", "_", "/", "NQ_", "his cousin"}


def misquoted(text: str) -> list[str]:
    """Return quotations before whose closing mark a comma or period belongs, as American English has it."""
    blocks = " ".join(texts_of(PARSER.parse(text)))
    return [quoted for quoted in re.findall(r"“([^”]*)”[.,]", blocks) if quoted not in EXACT]


class TestQuotations:
    @pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
    def test_end_with_their_comma_or_period(self, path: Path) -> None:
        assert misquoted(path.read_text(encoding="utf-8")) == []

    def test_that_do_not_are_noticed(self) -> None:
        assert misquoted("It is “settled”, or “open.” `a “b”.` The prefix is “NQ_”.") == ["settled"]


class TestCommands:
    def test_are_found(self) -> None:
        copied = [words for _, words, is_whole in COMMANDS if is_whole]
        assert len(copied) > 40
        assert ["make", "demo"] in copied

    @pytest.mark.parametrize(("file", "words", "is_whole"), COMMANDS)
    def test_exist_with_their_options(self, file: str, words: list[str], is_whole: bool) -> None:
        assert problem_of(words, is_whole=is_whole) == "", f"{file}: {' '.join(words)}"

    @pytest.mark.parametrize(
        "line",
        [
            "python manage.py bundel nq301 nq301.zip",
            "manage.py bundle nq301",
            "manage.py backup --into assay.zip",
            "assay pusch nq301",
            "assay report nq301 --fail kappa=0.7 --x",
            "make demos",
            "make check tests",
        ],
    )
    def test_that_do_not_exist_would_be_noticed(self, line: str) -> None:
        (words,) = called(line)
        assert problem_of(words, is_whole=True) != ""


class TestPage:
    def test_of_commands_names_them_all(self) -> None:
        headings = re.findall(
            r"^## (.+)$", (FOLDER / "commands.md").read_text(encoding="utf-8"), re.MULTILINE
        )
        assert headings == [*(f"manage.py {name}" for name in MANAGING), *(f"assay {name}" for name in ASSAY)]

    def test_of_commands_says_what_each_argument_means(self) -> None:
        rows = re.findall(
            r"^\| (`.+`.*) \| (.*) \|$", (FOLDER / "commands.md").read_text(encoding="utf-8"), re.M
        )
        assert len(rows) > 100
        assert [argument for argument, meaning in rows if not meaning.strip()] == []

"""The page of the documentation that lists all commands, made from the parsers that read them."""

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What every command of Django takes.
SHARED = {
    *("help", "version", "verbosity", "settings", "pythonpath", "traceback"),
    *("no_color", "force_color", "skip_checks"),
}
HEAD = (
    "# Commands\n\nThis page is made from the commands themselves; each prints the same with `--help`. "
    "Commands of `manage.py` run on the server, in the folder of Assay, as `python manage.py NAME`. "
    "From a wheel, write `assay manage NAME`. The other commands of `assay` are at the end; most work with "
    "any installation [over HTTP](api.md#the-command-over-http). `make` lists its own commands.\n"
)


def commands_page() -> str:
    """Return the page as Markdown."""
    sections = [
        *(_section(f"manage.py {name}", parser) for name, parser in management_parsers().items()),
        *(_section(f"assay {name}", parser) for name, parser in assay_parsers().items()),
    ]
    return "\n".join([HEAD, *sections])


def management_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of our management commands, by name in alphabetical order."""
    from django.core.management import load_command_class

    folder = ROOT / "commands" / "management" / "commands"
    names = sorted(path.stem for path in folder.glob("[a-z]*.py"))
    return {name: load_command_class("commands", name).create_parser("manage.py", name) for name in names}


def assay_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of `assay` by command; those that hand all of it on have no arguments."""
    from assay.command_line import LOCAL
    from assay.remote import _parser

    (listed,) = (each for each in _parser(LOCAL)._actions if isinstance(each, argparse._SubParsersAction))
    parsers: dict[str, argparse.ArgumentParser] = dict(listed.choices)
    for entry in listed._choices_actions:
        words = entry.help or ""
        parsers[entry.dest].description = f"{words[:1].upper()}{words[1:]}."
    return parsers


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    rows = [_row(parser, action) for action in parser._actions if action.dest not in SHARED]
    table = ["| argument | meaning |", "| --- | --- |", *rows, ""] if rows else []
    return "\n".join([f"## {name}", "", _literal(parser.description or ""), "", *table])


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    name = f"`{_name(action)}`{' (required)' if action.option_strings and action.required else ''}"
    words = parser._get_formatter()._expand_help(action) if action.help else ""
    known = [str(each) for each in action.choices or () if each]
    choices = [] if all(each in words for each in known) else [f"`{each}`" for each in known]
    said = "; ".join(filter(None, [_literal(words), f"one of {', '.join(choices)}" if choices else ""]))
    return f"| {name} | {said.replace('|', chr(92) + '|')} |"


def _name(action: argparse.Action) -> str:
    value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return value
    return action.option_strings[-1] if action.nargs == 0 else f"{action.option_strings[-1]} {value}"


def _literal(words: str) -> str:
    """Return the words of a parser as Markdown that shows them unchanged."""
    return " ".join(words.split()).replace("<", "&lt;").replace("*", "\\*")

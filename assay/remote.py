"""The commands that work with an installation over HTTP, and where its address and token are kept."""

import argparse
import getpass
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import platformdirs

from assay.client import Client, Project
from assay.errors import AssayError, NotFound
from assay.records.replies import Agreement, Figure

DONE, FAILED, WRONG_USE, BELOW = range(4)
EXIT_CODES = "Exit codes: 0 done; 1 failed; 2 usage error; 3 a figure is below --fail-under."
SHORT_NAMES = {
    "kappa": "fleiss_kappa",
    "alpha": "krippendorff_alpha",
    "ac1": "gwet_ac1",
    "agreement": "observed_agreement",
}
READABLE = (
    "Over http://, others could read the token in transit. Use https://. To allow http:// anyway, use "
    "login --insecure, or set ASSAY_INSECURE=1 together with ASSAY_URL."
)


class WrongUse(Exception):
    """The command cannot be meant so."""


def run(arguments: Sequence[str], *, others: Mapping[str, str]) -> int:
    """Run a command and return its exit code; `others` are commands to list, which run elsewhere."""
    given = _parser(others).parse_args(arguments)
    try:
        return int(given.act(given))
    except WrongUse as error:
        return _tell(error, WRONG_USE)
    except (AssayError, OSError) as error:
        return _tell(error, FAILED)
    except KeyboardInterrupt:
        return _tell("interrupted; anything already started continues on the server", FAILED)


def _tell(error: object, code: int) -> int:
    print(f"assay: {plain(str(error))}", file=sys.stderr)
    return code


def plain(text: str) -> str:
    """Return text that moves no cursor and changes no colors: files' names and answers may try to."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


def _say(text: object) -> None:
    print(plain(str(text)))


def _parser(others: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="assay", epilog=EXIT_CODES)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, about in others.items():
        commands.add_parser(name, help=about)
    _add_login(commands)
    push = _add(commands, "push", _push, "import files into a project, all or nothing")
    push.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the files to import together")
    push.add_argument("--format", default="", help="the files’ format (default: recognized by content)")
    push.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format"
    )
    push.add_argument(
        "--protocol",
        default="",
        metavar="KEY",
        help="the protocol of the new project, used only if the project does not exist yet",
    )
    pull = _add(commands, "pull", _pull, "create an export and download it")
    pull.add_argument("format", metavar="FORMAT", help="such as votes-csv or openqa-eval-gold")
    pull.add_argument(
        "--to", type=Path, default=Path(), metavar="PATH", help="the file or folder to save it to"
    )
    pull.add_argument("--force", action="store_true", help="overwrite an existing file")
    judge = _add(commands, "judge", _judge, "run a judge and wait for it")
    judge.add_argument("judge", metavar="JUDGE", help="such as token_f1")
    judge.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the judge"
    )
    judge.add_argument("--connection", default="", metavar="ID", help="the connection to a language model")
    judge.add_argument(
        "--spend-cap", metavar="AMOUNT", help="maximum spending on the run in USD, such as 2.50"
    )
    judge.add_argument(
        "--follow",
        action="store_true",
        default=None,
        help="also judge new answers as they arrive; if calls cost money, pass --spend-cap, too",
    )
    judge.add_argument("--no-wait", action="store_true", help="start the run without waiting for it")
    _add(commands, "status", _status, "list your projects, or the runs in one project", project_may_lack=True)
    report = _add(commands, "report", _report, "print the leaderboard and the agreement among annotators")
    report.add_argument("--json", action="store_true", help="print one JSON object")
    report.add_argument(
        "--missing-votes",
        metavar="RULE",
        help="how missing votes count: own-category, drop, as-incorrect, or as-correct",
    )
    report.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="exit with 3 if an agreement figure is undefined or below this minimum, for example kappa=0.7",
    )
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    act: Callable[[argparse.Namespace], int],
    about: str,
    *,
    project_may_lack: bool = False,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    parser.epilog = EXIT_CODES
    parser.add_argument(
        "project",
        metavar="PROJECT",
        nargs="?" if project_may_lack else None,
        help="the project’s address (slug)",
    )
    parser.set_defaults(act=act)
    return parser


def _add_login(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    login = commands.add_parser("login", help="save the address of an installation and an API token")
    login.add_argument("url", metavar="URL", help="such as https://assay.example.org")
    login.add_argument("--token-stdin", action="store_true", help="read the token from standard input")
    login.add_argument("--insecure", action="store_true", help="allow unencrypted http:// to another machine")
    login.set_defaults(act=_login)


def login_file() -> Path:
    """Return where address and token are kept, in the user's folder for settings."""
    return platformdirs.user_config_path("assay") / "login.json"


def _login(given: argparse.Namespace) -> int:
    # Looks at the address before anybody is asked for a token.
    _open(given.url, "", insecure=given.insecure).close()
    token = (sys.stdin.readline() if given.token_stdin else getpass.getpass("API token: ")).strip()
    if not token:
        raise WrongUse("Enter an API token. To create one, open Your account → API tokens.")
    with _open(given.url, token, insecure=given.insecure) as client:
        found = client.projects()
    _keep({"url": given.url, "token": token, "insecure": given.insecure})
    _say(f"Signed in to {given.url}. Projects that you can open: {len(found)}.")
    return DONE


def _keep(login: Mapping[str, object]) -> None:
    place = login_file()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Made for this user alone (mode 0600), and whole before it takes the name.
    descriptor, whole = tempfile.mkstemp(dir=place.parent, prefix=".login-")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(dict(login), file)
    os.replace(whole, place)


def _open(url: str, token: str, *, insecure: bool) -> Client:
    try:
        client = Client(url, token)
    except ValueError as error:
        raise WrongUse(str(error)) from None
    if client.is_readable_by_others and not insecure:
        client.close()
        raise WrongUse(READABLE)
    return client


def _client() -> Client:
    """Return a client by `ASSAY_URL` and `ASSAY_TOKEN`, else by what `login` kept."""
    url, token = os.environ.get("ASSAY_URL", ""), os.environ.get("ASSAY_TOKEN", "")
    if url and token:
        return _open(url, token, insecure=os.environ.get("ASSAY_INSECURE") == "1")
    if url or token:
        raise WrongUse("Set both ASSAY_URL and ASSAY_TOKEN, or neither.")
    place = login_file()
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
        return _open(kept["url"], kept["token"], insecure=kept.get("insecure") is True)
    except FileNotFoundError:
        raise WrongUse("Sign in first: assay login URL.") from None
    except (ValueError, KeyError, TypeError):
        raise WrongUse(f"{place} is damaged. Sign in again: assay login URL.") from None


def _pairs(given: Sequence[str]) -> dict[str, str]:
    parts = [each.partition("=") for each in given]
    if wrong := [name for name, equals, _ in parts if not (name and equals)]:
        raise WrongUse(f"“{wrong[0]}”: write it as NAME=VALUE.")
    return {name: value for name, _, value in parts}


def _push(given: argparse.Namespace) -> int:
    options = _pairs(given.option)
    for file in given.files:
        # Before a project is created for it.
        file.open("rb").close()
    with _client() as client:
        project = _project(client, given.project, protocol=given.protocol)
        done = project.import_files(*given.files, format=given.format, options=options)
    _say(f"Imported as {done.format}: {_counted(done.counts)}.")
    for problem in done.problems:
        _say(f"{problem.severity}: {problem}")
    return DONE


def _project(client: Client, slug: str, *, protocol: str) -> Project:
    try:
        return client.project(slug)
    except NotFound:
        if not protocol:
            raise
        return client.create_project(slug, slug=slug, protocol=protocol)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count)


def _pull(given: argparse.Namespace) -> int:
    with _client() as client:
        done = client.project(given.project).export(given.format, given.to, overwrite=given.force)
    _say(f"{done.file_name}: {done.rows:,} rows, {done.size:,} bytes, {done.sha256}")
    return DONE


def _judge(given: argparse.Namespace) -> int:
    options = _pairs(given.set)
    with _client() as client:
        project = client.project(given.project)
        run = project.run_judge(
            given.judge,
            options=options,
            connection=given.connection,
            spend_cap=given.spend_cap,
            follows=given.follow,
        )
        if not given.no_wait:
            run = project.wait(run)
    _say(f"{run.name}: {run.state}, {run.done:,} of {run.total:,} judged, {run.unscored:,} unscored")
    _say(run.signature)
    return DONE


def _status(given: argparse.Namespace) -> int:
    with _client() as client:
        if given.project is None:
            for each in client.projects():
                _say(f"{each.slug}  {each.state}  {each.role}  {each.question_count:,} questions")
            return DONE
        for run in client.project(given.project).runs():
            progress = f"{run.done:,} of {run.total:,} judged"
            _say(f"{run.id}  {run.state}  {progress}  {run.name}  {run.message}".rstrip())
    return DONE


def _report(given: argparse.Namespace) -> int:
    limits = _limits(given.fail_under)
    query = {"missing_votes": given.missing_votes} if given.missing_votes else {}
    with _client() as client:
        project = client.project(given.project)
        agreement, board = project.agreement(**query), project.leaderboard()
    if given.json:
        print(json.dumps({"agreement": asdict(agreement), "leaderboard": asdict(board)}, indent=1))
    else:
        _say(f"{agreement.items:,} answers, {agreement.raters} annotators")
        for name, figure in agreement.figures.items():
            _say(f"{name}  {_spelled(figure)}")
        _say(f"\n{board}\n\n{board.signature}")
    return _compare(agreement, limits)


def _limits(given: Sequence[str]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in _pairs(given).items()}
    except ValueError:
        raise WrongUse("--fail-under needs a figure and a number, such as kappa=0.7.") from None


def _spelled(figure: Figure) -> str:
    if figure.value is None:
        return f"– ({figure.why})"
    interval = "" if figure.low is None or figure.high is None else f" [{figure.low:.3f}, {figure.high:.3f}]"
    return f"{figure.value:.3f}{interval}"


def _compare(agreement: Agreement, limits: Mapping[str, float]) -> int:
    known = agreement.figures
    if unknown := [name for name in limits if SHORT_NAMES.get(name, name) not in known]:
        raise WrongUse(f"“{unknown[0]}” is not an agreement figure. Use one of: {', '.join(known)}.")
    below = False
    for name, limit in limits.items():
        figure = known[SHORT_NAMES.get(name, name)]
        # “Not a number” is below everything, too.
        if figure.value is None or not figure.value >= limit:
            below = True
            _tell(f"{name} is {_spelled(figure)}, below {limit:g}", BELOW)
    return BELOW if below else DONE

"""The texts of Python modules that people read."""

import ast
import re
from collections.abc import Iterable, Iterator

# Prompts that follow papers, and German.
NOT_OURS = re.compile(
    r"AI-generated|(Reply with|Answer|after it) Yes or No|Verdict:( \{said.*)?$|^You (get|help) |"
    r"\b(Sie|Ihr\w*|und|zum|Konto|Fragen?|Antwort\w*|Guten|Neues|Uhr|höchstens)\b"
)
# What these are given, and what has these names, is read by programs.
CODED_CALLS = re.compile(
    r"getLogger|compile|subn?|split|search|match|fullmatch|find\w+|execute\w*|RawSQL|raw|[gs]etattr|reverse|"
    r"path|re_path|\w*Constraint|Index|TypeVar|cast|str[fp]time|\w+swith|remove(pre|suf)fix|run|Popen|"
    r"(Assertion|Runtime|Type|Key)Error"
)
CODED_KEYWORDS = re.compile(
    r"pattern|related_name|metavar|operation_id|code|key|slug|template|system|format|encoding|content_type|"
    r"sql|samesite|_connector|namespace|fields|dest|action|verbose_name|realm"
)
SAYING_KEYWORDS = re.compile(
    r"help|help_text|label|summary|title|message|text|about|reason|description|noun|words"
)
CODE = re.compile(
    # Paths, patterns, names of variables and classes.
    r"[\s.,:;]*[./#\\]\w\S*|\S*://\S*|.*(\(\?|\\[bdswn.]).*|[A-Z]{2,}_\w*|[A-Z][a-z]+([A-Z]\w*)+|"
    r"[a-z]+[A-Z]\w*|[^A-Z]*›[^A-Z]*|([a-z0-9_]+ )*[a-z0-9]*_[a-z0-9_]+( [a-z0-9_]+)*|([a-z]+ ){11,}[a-z]+|"
    # SQL, styles, HTTP, levels of logs, forms of times.
    r"(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|PRAGMA|SET|ANALYZE)(\s.*)?|\w+ \{ [a-z-]+: .*|"
    r"(GET|PUT|POST|PATCH|HEAD|OPTIONS|DEBUG|INFO|WARNING|ERROR|[A-Z]{2}\d{3})|([A-Z]\w*-)+[A-Z]\w*|"
    r"[\w*-]+[/:.][\w.+*:-]+(;.*)?|(%[A-Za-z][-:. ]?)+|.*\x00.*",
    re.DOTALL,
)


def is_for_people(said: str, *, is_surely: bool = False) -> bool:
    """Whether people read a text; surely where only texts stand, so that even one small word is no code."""
    bare = re.sub(r"\{[^{}]*\}|<[^<>]*>", "", said)
    has_words = re.search(r"[^\W\d_]{2}|[^\W\d_][ .,]", bare)
    is_code = CODE.fullmatch(said) or not (is_surely or re.search(r"\s|[^\x00-@\[-\x7f]", bare))
    return bool(has_words and not is_code and not NOT_OURS.search(said))


def texts_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield what people read in a module, each in one line, with its line in the module."""
    for node, is_surely in _spoken(tree, is_surely=False):
        if is_for_people(said := rendered(node) or "", is_surely=is_surely):
            yield node.lineno, " ".join(said.split())


def rendered(node: ast.AST) -> str | None:
    """Return an expression as people read it, values in {braces}, choices in [a|b]; None if it is no text."""
    match node:
        case ast.Constant(value=str(said)):
            return said
        case ast.JoinedStr(values=parts):
            return "".join(rendered(part) or "" for part in parts)
        case ast.FormattedValue(value=inner):
            return rendered(inner) or f"{{{_name_of(inner)}}}"
        case ast.IfExp(body=first, orelse=second) if _are_texts(first, second):
            return f"[{rendered(first)}|{rendered(second)}]"
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            sides = [rendered(side) or f"{{{_name_of(side)}}}" for side in (left, right)]
            return "".join(sides) if _are_texts(left) or _are_texts(right) else None
    return None


def _are_texts(*nodes: ast.AST) -> bool:
    return all(rendered(node) is not None for node in nodes)


def _name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="len" | "str" | "sorted"), args=[inner]):
            return _name_of(inner)
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _name_of(inner)
    return "…"


def _spoken(node: ast.AST, *, is_surely: bool) -> Iterator[tuple[ast.expr, bool]]:
    """Yield expressions that are texts, and whether only texts stand where they do."""
    if _is_for_programs(node):
        return
    if isinstance(node, ast.expr) and not isinstance(node, ast.IfExp) and _are_texts(node):
        yield node, is_surely
    is_saying = isinstance(node, ast.keyword) and bool(SAYING_KEYWORDS.fullmatch(node.arg or ""))
    for part in _parts_of(node):
        is_label = isinstance(node, ast.Assign) and part is not node.value
        yield from _spoken(part, is_surely=is_saying or is_label)


def _is_for_programs(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.FunctionDef(name="__str__" | "__repr__"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="logger"))):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Call(func=func):
            return bool(CODED_CALLS.fullmatch(_name_of(func)))
        case ast.keyword(arg=name):
            return bool(CODED_KEYWORDS.fullmatch(name or ""))
    return False


def _parts_of(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a node in which texts may stand, such as the label of a model's choice."""
    match node:
        case ast.Assign(value=ast.Tuple(elts=[ast.Constant(), ast.Constant(value=str()) as label])):
            return [label]
        case ast.BinOp() | ast.JoinedStr() if _are_texts(node):
            values = [each.value for each in ast.walk(node) if isinstance(each, ast.FormattedValue)]
            return [each for each in values if not _are_texts(each)]
        case ast.Compare() | ast.Subscript():
            return [each for each in ast.iter_child_nodes(node) if not _are_texts(each)]
        case ast.Dict(keys=keys, values=values):
            titles = [key for key in keys if isinstance(key, ast.Constant)]
            return [*(key for key in titles if re.search("[A-Z].* ", str(key.value))), *values]
        case ast.AnnAssign(value=value):
            return [value] if value else []
        case ast.FunctionDef(body=body, decorator_list=before, args=arguments):
            defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
            return [*before, *defaults, *body]
        case ast.match_case(body=body):
            return body
    return ast.iter_child_nodes(node)

"""Counts what code does: steps, and the characters and elements that each step touches, never seconds.

Modules are imported a second time with every call, loop, slice, comparison and joined text rewritten so
that it reports its size. Code in C (`list.count`, `str.replace`, a regular expression) is charged the
sizes of what it is given and of what it returns, unless it is known to be cheaper.

What this cannot see: a single call into C or the standard library that takes longer than linear time in its
arguments (a backtracking pattern, `difflib`), the cost of hashing a text again, and SQL.
"""

import ast
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import FunctionType, MethodType, ModuleType
from typing import Any

PREFIX = "_counted_"
SIZED = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
# Their cost does not grow with what they are called on.
CONSTANT = frozenset(
    {
        *("append", "add", "get", "setdefault", "pop", "popleft", "appendleft", "discard", "group", "span"),
        *("start", "end", "items", "keys", "values", "cast", "getattr", "hasattr", "isinstance", "len"),
        *("next", "iter", "range", "enumerate", "zip", "map", "filter", "reversed", "id", "type", "super"),
        *("isascii", "islice", "callable", "issubclass", "move_to_end", "chain", "from_iterable"),
    }
)

# rapidfuzz compares so many letters with one in a step.
LETTERS_A_STEP = 64
# Asked millions of times, so that none of these is made anew at every call.
PYTHON = frozenset({FunctionType, MethodType})
COUNTED = PREFIX + "call"
WRITTEN_ANEW = (str, bytes, tuple)
TABLES = (dict, set, frozenset, range)


class _Sized(dict[type, bool]):
    """Whether values of a type have a size that counts, looked up once for each type."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = issubclass(kind, SIZED)
        return self[kind]


IS_SIZED = _Sized()


class Counter:
    """What was done since it was last set to zero."""

    def __init__(self) -> None:
        self.steps = 0

    def call(self, function: Any, /, *args: Any, **named: Any) -> Any:
        """Call, and charge a function that is not itself counted by the size of what it is given."""
        self.steps += 1
        if type(function) in PYTHON and COUNTED in function.__globals__:
            return function(*args, **named)
        try:
            result = function(*args, **named)
        except Exception:
            self.steps += _size_of_call(function, args, named, None)
            raise
        self.steps += _size_of_call(function, args, named, result)
        return result

    def sized(self, result: Any) -> Any:
        """Charge what was just built by its size."""
        self.steps += 1 + _size(result)
        return result

    def grown(self, result: Any) -> Any:
        """Charge what `+=` and its like made: a text is written anew, a list only takes in what is new."""
        self.steps += 1 + (_size(result) if isinstance(result, WRITTEN_ANEW) else 0)
        return result

    def each(self, values: Iterable[Any]) -> Iterator[Any]:
        """Charge one step for each element that is taken."""
        for value in values:
            self.steps += 1
            yield value

    def contains(self, value: Any, container: Any) -> bool:
        """Charge a search by what is searched: all of a list or text, one step of a table."""
        self.steps += 1 + (0 if isinstance(container, TABLES) else _size(container))
        return value in container

    def test(self, value: Any) -> Any:
        """Charge one step for a round of a loop."""
        self.steps += 1
        return value


def _size(value: Any) -> int:
    return len(value) if IS_SIZED[type(value)] else 0


def _sizes(values: Sequence[Any]) -> int:
    whole = 0
    for value in values:
        if IS_SIZED[type(value)]:
            whole += len(value)
    return whole


def _size_of_call(function: Any, args: Sequence[Any], named: dict[str, Any], result: Any) -> int:
    name = getattr(function, "__name__", "")
    if name in CONSTANT:
        return 0
    owner = getattr(function, "__self__", None)
    whole = _size(owner) + _size(result) + _sizes((*args, *named.values()) if named else args)
    if name == "raw_decode" and isinstance(result, tuple):
        return int(result[1]) - int(args[1])
    if name in {"startswith", "endswith", "removeprefix", "removesuffix"}:
        return sum(map(_size, args)) + _size(result) * name.startswith("remove")
    if name in {"count", "find", "index"} and isinstance(owner, str | bytes) and len(args) > 1:
        stop = args[2] if len(args) > 2 else result + 1 if result and result > 0 else len(owner)
        return max(0, min(int(stop), len(owner)) - int(args[1]))
    if name == "extend":
        return whole - _size(owner)
    if name == "ratio" and len(args) == 2:
        return whole + len(args[0]) * len(args[1]) // LETTERS_A_STEP
    return whole


class _Rewriter(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in {"super", "locals", "globals"}:
            return node
        return _reporting("call", node.func, *node.args, keywords=node.keywords)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        is_slice = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        return _reporting("sized", node) if is_slice else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _reporting("sized", node) if isinstance(node.op, ast.Add | ast.Mult | ast.Mod) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        reading = ast.parse(ast.unparse(node.target), mode="eval").body
        return [node, ast.Expr(_reporting("grown", reading))] if _is_plain(node.target) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                value.value = self.visit(value.value)
        return _reporting("sized", node)

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        has_star = isinstance(node.ctx, ast.Load) and any(isinstance(each, ast.Starred) for each in node.elts)
        return _reporting("sized", node) if has_star else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            found = _reporting("contains", node.left, node.comparators[0])
            return ast.UnaryOp(ast.Not(), found) if isinstance(node.ops[0], ast.NotIn) else found
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _reporting("each", node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = _reporting("test", node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _reporting("each", node.iter)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value:
            node.value = self.visit(node.value)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node


def _is_plain(target: ast.expr) -> bool:
    return isinstance(target, ast.Name | ast.Attribute)


def _reporting(what: str, *args: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.Call:
    return ast.Call(ast.Name(PREFIX + what, ast.Load()), list(args), keywords or [])


class _Finder:
    """Finds modules below some names and loads them rewritten."""

    def __init__(self, names: tuple[str, ...], counter: Counter) -> None:
        self._names = names
        self._counter = counter

    def covers(self, name: str) -> bool:
        return any(name == each or name.startswith(f"{each}.") for each in self._names)

    def find_spec(self, name: str, path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if not self.covers(name):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None and spec.origin:
            run = self._run
            spec.loader.exec_module = lambda module: run(module, str(spec.origin))  # type: ignore[method-assign]
        return spec

    def _run(self, module: ModuleType, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            tree = ast.fix_missing_locations(_Rewriter().visit(ast.parse(file.read())))
        for what in ("call", "sized", "grown", "each", "contains", "test"):
            setattr(module, PREFIX + what, getattr(self._counter, what))
        exec(compile(tree, path, "exec"), module.__dict__)


@contextmanager
def counted(*names: str) -> Iterator[tuple[Callable[[str], ModuleType], Counter]]:
    """Give a way to import counted copies of the modules below `names`, and what counts.

    The modules that the rest of the process uses are put back as they were. Names that hold Django models
    cannot be imported twice.
    """
    counter = Counter()
    finder = _Finder(names, counter)
    before = {name: module for name, module in sys.modules.items() if finder.covers(name)}
    for name in before:
        del sys.modules[name]
        # Else `from parent import module` finds the one that is not counted.
        parent, _, last = name.rpartition(".")
        vars(sys.modules.get(parent, ModuleType(""))).pop(last, None)
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module, counter
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if finder.covers(name)]:
            del sys.modules[name]
        sys.modules.update(before)
        for name, module in before.items():
            parent, _, last = name.rpartition(".")
            if parent in sys.modules:
                setattr(sys.modules[parent], last, module)

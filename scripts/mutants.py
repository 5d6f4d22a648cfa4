"""Mutants: every small change to a module that its tests should notice.

A mutant is one change of a module's syntax tree. Nothing on disk is ever changed: the changed tree is
compiled in the process that runs the tests.

Not mutated, because no test should pin it down: docstrings, annotations, the words of sentences (strings with
spaces or a capital, and f-strings), class keywords such as `frozen`, `__all__` and `__slots__`.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
}
_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_WORD: Final = re.compile(r"(?:[a-z0-9][\w:/.+-]*)?")
_DECLARATIONS: Final = ("__all__", "__slots__")
_TEXTS: Final = (ast.Tuple, ast.List, ast.JoinedStr)


class Mutant(NamedTuple):
    """One change of one module."""

    path: Path
    ordinal: int
    line: int
    function: str | None
    """The function it lies in, by its qualified name; None where it lies outside of any."""
    before: str
    after: str


def find_mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module, in order."""
    finder = _Mutator(path, None)
    finder.visit(ast.parse(path.read_text(encoding="utf-8")))
    return finder.found


def compile_mutant(path: Path, ordinal: int) -> CodeType:
    """The code of a module with one of its mutations made."""
    tree = _Mutator(path, ordinal).visit(ast.parse(path.read_text(encoding="utf-8")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a comparison that makes no sense is a mutant like any other
        return compile(ast.fix_missing_locations(tree), str(path), "exec")


class _Mutator(ast.NodeTransformer):
    """Walks a module, lists its mutants, and makes the one that is asked for."""

    def __init__(self, path: Path, target: int | None) -> None:
        self.path, self.target = path, target
        self.found: list[Mutant] = []
        self.scopes: list[str] = []
        self.functions: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        for changed in _alternatives(node):
            before, after = (" ".join(ast.unparse(each).split()) for each in (node, changed))
            line = getattr(node, "lineno", 0)
            function = self.functions[-1] if self.functions else None
            self.found.append(Mutant(self.path, len(self.found), line, function, before, after))
            if len(self.found) - 1 == self.target:
                return ast.copy_location(changed, node)
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.scopes.append(node.name)
        self.functions.append(".".join(self.scopes))
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        self.scopes.append("<locals>")
        node.body = [self.visit(statement) for statement in node.body]
        del self.scopes[-2:], self.functions[-1]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.scopes.append(node.name)
        node.body = [self.visit(statement) for statement in node.body]
        del self.scopes[-1]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if any(name in _DECLARATIONS for name in names) or ast.unparse(node.value).startswith("TypeVar("):
            return node
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return node


def _alternatives(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            operators = [*node.ops[:index], _COMPARISONS[type(operator)](), *node.ops[index + 1 :]]
            yield ast.Compare(node.left, operators, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.BinOp):
        yield from _other_arithmetic(node)
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(_negated(node.test), node.body, node.orelse)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        yield ast.Call(ast.Name(_CALLS[node.func.id], ast.Load()), node.args, node.keywords)
    elif isinstance(node, ast.stmt):
        yield from _other_statements(node)


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(node, ast.If) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield ast.If(_negated(node.test), node.body, node.orelse)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.AugAssign):
        if type(node.op) in _ARITHMETIC:
            yield ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)
        yield ast.Pass()
    elif _can_be_left_out(node):
        yield ast.Pass()


def _can_be_left_out(node: ast.stmt) -> bool:
    """Whether a statement has an effect of its own, and names nothing that later ones need."""
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Delete | ast.Continue | ast.Break)


def _other_arithmetic(node: ast.BinOp) -> Iterator[ast.AST]:
    is_joining = any(isinstance(side, _TEXTS) for side in (node.left, node.right))
    if isinstance(node.op, ast.BitOr | ast.BitAnd) or is_joining:
        yield node.left
    elif type(node.op) in _ARITHMETIC:
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)


def _other_constants(node: ast.Constant) -> Iterator[ast.Constant]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, str) and _WORD.fullmatch(node.value):
        yield ast.Constant("mutated")


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)

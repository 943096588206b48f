"""Mutation sites of Python: what functions do. What runs at import, annotations, defaults and texts have none."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutation.schemata import Language, Site

PYTHON = Language(
    selector="lutra_mutant(#)",
    expression="((|ALTERNATIVE|) if |SELECTOR| else (|ORIGINAL|))",
    statement="",
    deletion="if not |SELECTOR|: |ORIGINAL|",
)
BINARY: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Mod: "//",
    ast.FloorDiv: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.source = source
        self.sites: list[Site] = []
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._inside = False

    def place(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """First character of a node, and that after it. The sources are ASCII: columns count bytes."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        start, end = self.place(node)
        return f"({self.source[start:end]})"

    def add(self, node: ast.expr, operator: str, *texts: str) -> None:
        if self._inside:
            self.sites.append(Site(*self.place(node), "expression", [(operator, text) for text in texts]))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self._inside = self._inside, True
        for statement in node.body:
            self.visit(statement)
        self._inside = before

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text for people; its expressions have no places of their own before Python 3.12."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """For readers and for mypy."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """Dropped as a whole: its text is for people."""
        self._delete(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            if not isinstance(node.value, ast.Yield | ast.YieldFrom):
                self._delete(node)
            self.generic_visit(node)

    def _delete(self, node: ast.stmt) -> None:
        if self._inside:
            self.sites.append(Site(*self.place(node), "statement", [("statement dropped", "")]))

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        simple = isinstance(test, ast.Compare) and len(test.ops) == 1 and len(COMPARED[type(test.ops[0])]) == 1
        if not simple and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            self.add(test, "condition negated", f"not {self.text(test)}")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if type(node.op) in BINARY and not texts:
            self.add(node, "operator", f"{self.text(node.left)} {BINARY[type(node.op)]} {self.text(node.right)}")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = " or " if isinstance(node.op, ast.And) else " and "
        self.add(node, "operator", other.join(map(self.text, node.values)))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            left, right = self.text(node.left), self.text(node.comparators[0])
            self.add(node, "operator", *(f"{left} {op} {right}" for op in COMPARED[type(node.ops[0])]))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            what = "negation dropped" if isinstance(node.op, ast.Not) else "operator"
            self.add(node, what, self.text(node.operand))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, "constant", str(not node.value))
        elif isinstance(node.value, int):
            self.add(node, "constant", str(node.value - 1 if node.value else 1))


def sites(source: str) -> Iterator[Site]:
    """The sites of a source, which is ASCII."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return iter(finder.sites)

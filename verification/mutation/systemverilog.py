"""Mutation sites of SystemVerilog, from the syntax tree of pyslang.

Elaboration-time constants have no site: parameters, dimensions, widths, labels, generate conditions, loop headers.
Assertions and what arms them have none because they are checks, and an asynchronous reset's condition because it is an
idiom.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pyslang import syntax

from mutation.schemata import Site

BINARY = {
    "AddExpression": ["-"],
    "SubtractExpression": ["+"],
    "BinaryAndExpression": ["|"],
    "BinaryOrExpression": ["&"],
    "BinaryXorExpression": ["|"],
    "LogicalAndExpression": ["||"],
    "LogicalOrExpression": ["&&"],
    "EqualityExpression": ["!="],
    "InequalityExpression": ["=="],
    "LessThanExpression": ["<=", ">="],
    "LessThanEqualExpression": ["<", ">"],
    "GreaterThanExpression": [">=", "<="],
    "GreaterThanEqualExpression": [">", "<"],
    "LogicalShiftLeftExpression": [">>"],
    "LogicalShiftRightExpression": ["<<"],
}
COMPOUND = {"XorAssignmentExpression": "|=", "OrAssignmentExpression": "&="}
# BINARY or UNARY already negates these.
NEGATED_OTHERWISE = {"EqualityExpression", "InequalityExpression", "UnaryLogicalNotExpression"}
UNARY = {"UnaryLogicalNotExpression", "UnaryBitwiseNotExpression"}
REDUCTION = {"UnaryBitwiseOrExpression": "&", "UnaryBitwiseAndExpression": "|"}
NOT_VISITED = {
    "ParameterDeclarationStatement",
    "ParameterPortList",
    "ParameterValueAssignment",
    "VariableDimension",
    "TypedefDeclaration",
    "AnsiPortList",
    "PackageImportDeclaration",
    "ImmediateAssertStatement",
    "InitialBlock",
    "RangeList",
    "FunctionPrototype",
    "NamedType",
    "IntegerType",
}


def text_of(node: syntax.SyntaxNode, source: str) -> str:
    """The node's source."""
    return source[node.sourceRange.start.offset : node.sourceRange.end.offset]


def kind(node: syntax.SyntaxNode) -> str:
    """slang's name of the node's kind."""
    return str(node.kind).removeprefix("SyntaxKind.")


def children(node: syntax.SyntaxNode) -> list[syntax.SyntaxNode]:
    """The nodes below, without tokens."""
    return [child for child in node if isinstance(child, syntax.SyntaxNode)]


def sites(source: str) -> list[Site]:
    """All sites of a source file; offsets in characters, which must be ASCII. ValueError if it does not parse."""
    if not source.isascii():
        raise ValueError("not ASCII")
    tree = syntax.SyntaxTree.fromText(source)
    if any(d.isError() for d in tree.diagnostics):
        raise ValueError("syntax errors")
    return list(Finder(source).visit(tree.root))


class Finder:
    """Walks a tree: one method per construct that needs special treatment, tables for the rest."""

    def __init__(self, source: str) -> None:
        self.source = source

    def text(self, node: syntax.SyntaxNode) -> str:
        """The node's source."""
        return text_of(node, self.source)

    def site(self, node: syntax.SyntaxNode, operator: str, *texts: str, statement: bool = False) -> Site:
        """A site at a node, with the texts that mutants put there."""
        span = node.sourceRange
        return Site(
            span.start.offset,
            span.end.offset,
            "statement" if statement else "expression",
            [(operator, text) for text in texts],
        )

    def visit(self, node: syntax.SyntaxNode) -> Iterator[Site]:
        """The sites of a node and of all nodes within it."""
        name = kind(node)
        if name in NOT_VISITED:
            return
        if isinstance(node, syntax.BinaryExpressionSyntax) and name in BINARY:
            left, right = self.text(node.left), self.text(node.right)
            yield self.site(node, "operator", *(f"{left} {other} {right}" for other in BINARY[name]))
        elif isinstance(node, syntax.PrefixUnaryExpressionSyntax):
            if name in UNARY:
                yield self.site(node, "negation dropped", self.text(node.operand))
            elif name in REDUCTION:
                yield self.site(node, "operator", REDUCTION[name] + self.text(node.operand))
        special = getattr(self, "_" + name, None)
        if special is not None:
            yield from special(node)
        else:
            yield from self.all(children(node))

    def all(self, nodes: list[syntax.SyntaxNode]) -> Iterator[Site]:
        """The sites of several nodes."""
        for node in nodes:
            yield from self.visit(node)

    # ---------------------------------------------------------------- constants

    def _IntegerLiteralExpression(self, node: syntax.LiteralExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        value = int(self.text(node))
        yield self.site(node, "constant", str(value - 1 if value else 1))

    def _IntegerVectorExpression(self, node: syntax.IntegerVectorExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        size, _, digits = self.text(node).partition("'")
        base = {"d": 10, "h": 16, "b": 2}[digits[0].lower()]
        value = int(digits[1:].replace("_", ""), base)
        yield self.site(node, "constant", f"{size}'h{value - 1 if value else 1:x}")

    def _UnbasedUnsizedLiteralExpression(self, node: syntax.LiteralExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        yield self.site(node, "constant", "'0" if self.text(node) == "'1" else "'1")

    # ---------------------------------------------------------------- selections

    # A name with all its members and selections is one expression.
    def _ScopedName(self, node: syntax.SyntaxNode) -> Iterator[Site]:  # noqa: N802
        for select in self.selections(node):
            if isinstance(select, syntax.BitSelectSyntax):
                yield from self.visit(select.expr)
            elif kind(select) == "SimpleRangeSelect":
                yield from self.shifted(node, select)
            else:
                yield from self.visit(select.left)

    _IdentifierSelectName = _ScopedName

    def selections(self, node: syntax.SyntaxNode) -> Iterator[syntax.BitSelectSyntax | syntax.RangeSelectSyntax]:
        """Text between the brackets of a name; empty for a whole unpacked array."""
        for child in children(node):
            if isinstance(child, syntax.ElementSelectSyntax):
                if isinstance(child.selector, syntax.BitSelectSyntax | syntax.RangeSelectSyntax):
                    yield child.selector
            else:
                yield from self.selections(child)

    def shifted(self, name: syntax.SyntaxNode, select: syntax.RangeSelectSyntax) -> Iterator[Site]:
        """The range one bit lower, or higher where it begins at bit 0."""
        try:
            high, low = int(self.text(select.left)), int(self.text(select.right))
        except ValueError:
            return
        by = -1 if low else 1
        text, start = self.text(name), name.sourceRange.start.offset
        at, end = select.sourceRange.start.offset - start, select.sourceRange.end.offset - start
        yield self.site(name, "bits shifted", f"{text[:at]}{high + by}:{low + by}{text[end:]}")

    # ---------------------------------------------------------------- expressions

    def _CastExpression(self, node: syntax.CastExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.right)

    def _MultipleConcatenationExpression(self, node: syntax.MultipleConcatenationExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.concatenation)

    def _ConditionalExpression(self, node: syntax.ConditionalExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        condition, left, right = self.text(node.predicate), self.text(node.left), self.text(node.right)
        yield self.site(node, "branches swapped", f"{condition} ? {right} : {left}")
        yield from self.all(children(node))

    def _AssignmentPatternItem(self, node: syntax.AssignmentPatternItemSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.expr)

    def _AssignmentExpression(self, node: syntax.BinaryExpressionSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.right)

    _NonblockingAssignmentExpression = _AssignmentExpression
    _XorAssignmentExpression = _AssignmentExpression
    _OrAssignmentExpression = _AssignmentExpression

    def _NamedPortConnection(self, node: syntax.NamedPortConnectionSyntax) -> Iterator[Site]:  # noqa: N802
        if node.name.valueText.endswith("_i") and node.expr is not None:
            yield from self.visit(node.expr)

    # ---------------------------------------------------------------- statements

    def _ExpressionStatement(self, node: syntax.ExpressionStatementSyntax) -> Iterator[Site]:  # noqa: N802
        expr, name = node.expr, kind(node.expr)
        if isinstance(expr, syntax.BinaryExpressionSyntax) and name in COMPOUND:
            changed = f"{self.text(expr.left)} {COMPOUND[name]} {self.text(expr.right)};"
            yield self.site(node, "operator", changed, statement=True)
        if "Assignment" in name:
            yield self.site(node, "assignment dropped", "", statement=True)
        yield from self.visit(expr)

    def _ConditionalStatement(self, node: syntax.ConditionalStatementSyntax) -> Iterator[Site]:  # noqa: N802
        predicate = node.predicate
        if self.text(predicate) not in ("!rst_ni", "rst_ni"):
            expr = predicate.conditions[0].expr
            if kind(expr) not in NEGATED_OTHERWISE:
                yield self.site(expr, "condition negated", f"!({self.text(expr)})")
            yield from self.visit(expr)
        yield from self.visit(node.statement)
        if node.elseClause is not None:
            yield from self.visit(node.elseClause.clause)

    def _CaseStatement(self, node: syntax.CaseStatementSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.expr)
        bodies = [item.clause for item in node.items if isinstance(item.clause, syntax.SyntaxNode)]
        for body, neighbour in pairwise(bodies):
            if self.text(body) != self.text(neighbour) and "Empty" not in kind(body):
                yield self.site(body, "case branch of its neighbour", self.text(neighbour), statement=True)
        yield from self.all(bodies)

    def _ForLoopStatement(self, node: syntax.ForLoopStatementSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.statement)

    # ---------------------------------------------------------------- generate

    def _LoopGenerate(self, node: syntax.LoopGenerateSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.block)

    def _IfGenerate(self, node: syntax.IfGenerateSyntax) -> Iterator[Site]:  # noqa: N802
        yield from self.visit(node.block)
        if node.elseClause is not None:
            yield from self.visit(node.elseClause.clause)

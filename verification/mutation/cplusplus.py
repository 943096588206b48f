"""Mutation sites of C++, from the syntax tree of tree-sitter.

Compile-time constants have no site: template arguments, array sizes, labels, `constexpr`, types. Neither has a
condition under `if constexpr`, which chooses code in the simulator's handlers, templates over constants.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from mutation.schemata import Site

BINARY = {
    "+": ["-"],
    "-": ["+"],
    "*": ["+"],
    "%": ["/"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|"],
    "&&": ["||"],
    "||": ["&&"],
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "<<": [">>"],
    ">>": ["<<"],
}
COMPOUND = {"^=": "|=", "|=": "&=", "&=": "|=", "+=": "-=", "-=": "+="}
UPDATE = {"++": "--", "--": "++"}
# BINARY, or dropping the negation, already negates these.
NEGATED_OTHERWISE = {"==", "!=", "!"}
NOT_VISITED = {
    "preproc_include",
    "preproc_def",
    "preproc_function_def",
    "template_argument_list",
    "template_parameter_list",
    "static_assert_declaration",
    "field_declaration",
    "enum_specifier",
    "parameter_list",
    "array_declarator",
    "structured_binding_declarator",
    "string_literal",
    "comment",
    "type_descriptor",
    "lambda_capture_specifier",
    "attribute_specifier",
    "type_definition",
}
# Their arguments must be constants.
CALLS_NOT_VISITED = ("__builtin_shufflevector",)
# Scalars combined with GCC's vectors must be constants that fit.
VECTOR_FUNCTIONS = ("rotate_rows", "xtime")
# Statements about the translator, which the mutated build does not have: seeded bugs are in it.
TRANSLATOR = ("translator_", "tables_changed()")
PARSER = Parser(Language(tree_sitter_cpp.language()))


def text_of(node: Node) -> str:
    """The node's source."""
    return (node.text or b"").decode("ascii")


def sites(source: str) -> list[Site]:
    """All sites of a source file; offsets in characters, which must be ASCII."""
    return list(visit(PARSER.parse(source.encode("ascii")).root_node))


def site(node: Node, operator: str, *texts: str, statement: bool = False) -> Site:
    """A site at a node, with the texts that mutants put there."""
    return Site(
        node.start_byte, node.end_byte, "statement" if statement else "expression", [(operator, t) for t in texts]
    )


def required(node: Node, name: str) -> Node:
    """A child that the grammar promises."""
    found = node.child_by_field_name(name)
    assert found is not None, f"{node.type} without {name}"
    return found


def is_constexpr(node: Node) -> bool:
    """A declaration or definition that the compiler evaluates."""
    return node.type in ("declaration", "function_definition") and any(
        c.type == "type_qualifier" and c.text == b"constexpr" for c in node.children
    )


def is_unparsed(node: Node) -> bool:
    """A construct that the grammar misparses, such as a macro that expands to statements."""
    return any(c.is_missing or c.is_error for c in node.children)


def is_of_translator(node: Node) -> bool:
    """A statement that uses the translator."""
    statement = node.type.endswith("_statement") and node.type != "compound_statement"
    return statement and any(name in text_of(node) for name in TRANSLATOR)


def in_vector_function(node: Node | None) -> bool:
    """Whether the node is within one of `VECTOR_FUNCTIONS`."""
    while node is not None and node.type != "function_definition":
        node = node.parent
    declarator = node and node.child_by_field_name("declarator")
    return declarator is not None and text_of(declarator).startswith(VECTOR_FUNCTIONS)


def visit(node: Node) -> Iterator[Site]:
    """The sites of a node and of all nodes within it."""
    if node.type in NOT_VISITED or is_constexpr(node) or is_unparsed(node) or is_of_translator(node):
        return
    handler = HANDLERS.get(node.type)
    if handler is not None:
        yield from handler(node)
    else:
        yield from visit_all(node)


def visit_all(node: Node) -> Iterator[Site]:
    """The sites within a node."""
    for child in node.named_children:
        yield from visit(child)


def binary(node: Node) -> Iterator[Site]:
    """Replace the operator."""
    left, right, operator = required(node, "left"), required(node, "right"), text_of(required(node, "operator"))
    # Only a difference is defined for iterators.
    if operator in BINARY and not text_of(right).endswith(".begin()"):
        others = (f"{text_of(left)} {other} {text_of(right)}" for other in BINARY[operator])
        yield site(node, "operator", *others)
    yield from visit_all(node)


def unary(node: Node) -> Iterator[Site]:
    """Drop the negation."""
    if text_of(required(node, "operator")) in "!~":
        yield site(node, "negation dropped", text_of(required(node, "argument")))
    yield from visit_all(node)


def number(node: Node) -> Iterator[Site]:
    """Decrement a number; 0 becomes 1."""
    if in_vector_function(node):
        return
    text = text_of(node)
    suffix = text[len(text.rstrip("uUlL")) :]
    value = int(text.removesuffix(suffix).replace("'", ""), 0)
    yield site(node, "constant", f"{value - 1 if value else 1}{suffix}")


def truth(node: Node) -> Iterator[Site]:
    """Replace a truth value by the other one."""
    yield site(node, "constant", "false" if text_of(node) == "true" else "true")


def conditional(node: Node) -> Iterator[Site]:
    """Exchange the two values."""
    condition, left, right = (text_of(required(node, n)) for n in ("condition", "consequence", "alternative"))
    yield site(node, "branches swapped", f"({condition}) ? ({right}) : ({left})")
    yield from visit_all(node)


def assignment(node: Node) -> Iterator[Site]:
    """The sites in the assigned value and in the selection of the target's element."""
    yield from visit(required(node, "right"))
    # In the target, only the selection of the element.
    left = required(node, "left")
    if left.type == "subscript_expression":
        yield from visit_all(left)


def statement(node: Node) -> Iterator[Site]:
    """Drop an assignment, update or call, or change its operator."""
    expression = node.named_children[0] if node.named_children else None
    if expression is None:
        return
    if expression.type == "assignment_expression":
        operator = text_of(required(expression, "operator"))
        if operator in COMPOUND:
            left, right = (text_of(required(expression, n)) for n in ("left", "right"))
            yield site(node, "operator", f"{left} {COMPOUND[operator]} {right};", statement=True)
    if expression.type == "update_expression":
        changed = text_of(expression)
        for operator, other in UPDATE.items():
            if operator in changed:
                yield site(node, "operator", changed.replace(operator, other) + ";", statement=True)
                break
    if expression.type in ("assignment_expression", "update_expression", "call_expression", "comma_expression"):
        yield site(node, "statement dropped", "", statement=True)
    yield from visit_all(node)


def branch(node: Node) -> Iterator[Site]:
    """Negate a condition."""
    clause = required(node, "condition")
    if not any(c.type == "constexpr" for c in node.children):
        value = clause.child_by_field_name("value")
        if value is not None and value.type != "declaration" and clause.child_by_field_name("initializer") is None:
            operator = value.child_by_field_name("operator")
            if operator is None or text_of(operator) not in NEGATED_OTHERWISE:
                yield site(value, "condition negated", f"!({text_of(value)})")
            yield from visit(value)
        else:
            yield from visit_all(clause)
    for name in ("consequence", "alternative"):
        body = node.child_by_field_name(name)
        if body is not None:
            yield from visit(body)


def case(node: Node) -> Iterator[Site]:
    """The sites in the statements of a case; its label is constant."""
    label = node.child_by_field_name("value")
    for child in node.named_children:
        if child != label:
            yield from visit(child)


def call(node: Node) -> Iterator[Site]:
    """The sites in a call, unless its arguments must be constants."""
    function = required(node, "function")
    if text_of(function) not in CALLS_NOT_VISITED:
        yield from visit(function)
        yield from visit(required(node, "arguments"))


HANDLERS = {
    "binary_expression": binary,
    "unary_expression": unary,
    "number_literal": number,
    "true": truth,
    "false": truth,
    "conditional_expression": conditional,
    "assignment_expression": assignment,
    "expression_statement": statement,
    "if_statement": branch,
    "case_statement": case,
    "call_expression": call,
}

"""A filter of cases that matches nothing fails, here and in pytest itself."""

from __future__ import annotations

import pytest

from support.only import only


def test_only_keeps_what_is_wanted_in_order() -> None:
    assert only([3, 1, 2], lambda n: n > 1) == [3, 2]


def test_only_refuses_a_filter_that_matches_nothing() -> None:
    with pytest.raises(ValueError, match="no case is left"):
        only(["number", "choice"], lambda kind: kind == "imm")


def test_a_parametrisation_without_a_case_is_an_error(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("empty_parameter_set_mark") == "fail_at_collect"

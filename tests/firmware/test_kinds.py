"""Names that manifests may use and the tables of what they mean, and implementations of one direction."""

from __future__ import annotations

from typing import get_args

from lutra.firmware import tables
from lutra.firmware.ciphers import UNITS, Catalogue, UnitName
from lutra.firmware.kinds import KINDS, KindName
from lutra.firmware.lte import FORMS, FormName
from lutra.firmware.manifest import catalogue
from lutra.firmware.testing.cases import cases


def test_every_legal_name_has_a_meaning() -> None:
    assert get_args(KindName) == tuple(KINDS)
    assert get_args(FormName) == tuple(FORMS)
    assert get_args(UnitName) == tuple(UNITS.values())


def test_every_kind_has_a_convention_for_its_routines() -> None:
    assert tables.conventions().routines.keys() == KINDS.keys()


def test_an_implementation_that_only_decrypts_repeats_no_encryption() -> None:
    alone = [case for case in cases(Catalogue(catalogue().offered)) if [*case.implementation.entries] == ["decrypt"]]
    assert alone
    assert not any(case.is_repeated for case in alone)

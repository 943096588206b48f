"""Which firmware a configuration runs follows from the instructions of its images."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.asm import assemble_text
from lutra.firmware.ciphers import ImageSource, Parameters
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.mentions import needs_no_more
from lutra.firmware.needs import Needs, of_image
from lutra.isa import load
from support.description import ROOT, generator, python

SERVED = "from lutra.firmware.manifest import catalogue; import json; print(json.dumps(sorted({SET})))"
CODE = SERVED.replace(
    "{SET}", "{i.image.name for c in catalogue().running(catalogue().offered[::EVERY]) for i in c.implementations}"
)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("halt", Needs(("base",), 1, 0, 1, {})),
        ("mov v0, ctr\nhalt", Needs(("base", "counter"), 1, 0, 2, {})),
        ("mov ctr, v0\nhalt", Needs(("base", "counter"), 1, 0, 2, {})),
        ("aesenc2 v0, v1, m0:m1[0]\nhalt", Needs(("base", "aes"), 2, 0, 2, {})),
        ("arx {v0, v1}, v0, v1, v2, 0, gp_step\nhalt", Needs(("base", "arx", "multiplier"), 2, 0, 2, {})),
        ("zuc c0\nhalt", Needs(("base", "zuc"), 1, 1, 2, {})),
        ("zuc c1\nctxst v0, c0, 0\nhalt", Needs(("base", "stream", "zuc"), 1, 2, 3, {})),
        ("halt\n.section m1\n.org 0x20\n.byte 1", Needs(("base",), 1, 0, 1, {"m1": 3})),
        ("ctxst v0, c1, 0\nhalt", Needs(("base", "stream"), 1, 2, 2, {})),
    ],
)
def test_what_a_program_needs(text: str, needed: Needs) -> None:
    assert of_image(assemble_text(text)) == needed


def test_a_program_can_ask_what_the_core_has() -> None:
    text = ".if has_aes && has_crc && core_rounds == 2 && core_contexts == 2\nnop\n.else\nhalt\n.endif\n"
    assert assemble_text(text).program == assemble_text("nop").program


ALL = pytest.mark.nightly("all ciphers, of two configurations; some of them show what is left out")


@pytest.mark.parametrize(
    ("name", "every"), [("cp-asip", 31), *(pytest.param(name, 1, marks=ALL) for name in ("aes", "cp-asip"))]
)
def test_a_configuration_serves_the_images_that_need_no_more(name: str, every: int, tmp_path: Path) -> None:
    assert generator("--configuration", name, "--out", tmp_path).returncode == 0
    run = python(tmp_path, CODE.replace("EVERY", str(every)))
    chosen = next(c for c in load().configurations if c.name == name)
    asked = catalogue().running(catalogue().offered[::every])
    needed = {i.image.name: of_image(assembled(i.image)) for c in asked for i in c.implementations}
    fits = {n for n, m in needed.items() if {*m.extensions} <= {*chosen.extensions} and m.rounds <= max(chosen.rounds)}
    assert 0 < len(fits) < len(needed)
    # Of the contexts an image says itself what it can do without.
    assert set(json.loads(run.stdout)) == fits
    assert fits and fits != set(needed)


def test_what_is_said_to_need_no_more_by_its_text_does_not() -> None:
    needs = load().configuration.extensions
    images = {i.image.name: i.image for c in catalogue().offered for i in c.implementations}
    quick = {name for name, source in images.items() if needs_no_more(source)}
    for name in quick:
        assert {*of_image(assembled(images[name])).extensions} <= {*needs}, name
    assert quick == {i.image.name for c in catalogue().ciphers for i in c.implementations}


@pytest.mark.parametrize(("text", "told"), [("nop // {}\n", True), ("{}\n", False)])
def test_a_text_that_names_what_is_lacking_is_left_to_the_assembler(tmp_path: Path, text: str, told: bool) -> None:
    (tmp_path / "other.inc").write_text(text.format(load().absent[0].mnemonic))
    source = tmp_path / "some.s"
    source.write_text('.include "other.inc"\nhalt\n')
    assert needs_no_more(ImageSource("some", (source,), (), Parameters("", "", ""), 0, 16)) is told


def test_the_page_says_how_much_memory_the_ready_configurations_need() -> None:
    images = {i.image.name: i.image for c in catalogue().ciphers for i in c.implementations}
    needed = [of_image(assembled(source)) for source in images.values()]
    page = (ROOT / "docs/how-to/choose-a-configuration.md").read_text()
    for c in load().configurations:
        fit = [
            n
            for n in needed
            if {*n.extensions} <= {*c.extensions} and n.rounds <= max(c.rounds) and n.contexts <= c.contexts
        ]
        rows = (max(n.rows.get(space, 0) for n in fit) for space in ("m0", "m1"))
        line = " | ".join(map(str, (c.name, max(n.program_words for n in fit), *rows)))
        assert f"\n| {line} |\n" in page

"""The stories of patching run on one core: its sources and generated files are those that are recorded, to the byte."""

from __future__ import annotations

from patch_stories import core


def test_the_core_is_the_recorded_one() -> None:
    assert core.digests() == core.RECORDED.read_text(), (
        "the core has changed. A patch needs no change of it; after a change of the core itself: "
        "python -m patch_stories.core > verification/patch_stories/core.sha256"
    )


def test_every_module_of_the_core_is_recorded() -> None:
    recorded = {line.split()[1] for line in core.RECORDED.read_text().splitlines()}
    made = {str(f.relative_to(core.ROOT)) for d in ("rtl", "build/gen/sv") for f in (core.ROOT / d).glob("*.sv")}
    assert recorded == made

"""Every story of patching goes as it is told, on the core whose digests are recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.iss.engine import EngineName
from patch_stories import core
from patch_stories.scene import Scene, StoryError
from patch_stories.stories import STORIES

# An update, one that is older, and one that is broken; `make patch-demo` tells two in lock-step.
BY_DAY = (("zuc", "cosim"), ("younger", "iss"), ("broken", "iss"))
OTHERS = pytest.mark.nightly("ten seconds each; three stories are told here, one of them in lock-step")
ALL = [*((name, "iss") for name in STORIES), ("zuc", "cosim"), ("broken", "cosim")]


@pytest.mark.parametrize(("name", "engine"), [pytest.param(*a, marks=[OTHERS] * (a not in BY_DAY)) for a in ALL])
def test_a_story_goes_as_it_is_told(name: str, engine: EngineName, tmp_path: Path) -> None:
    told: list[str] = []
    before = core.digests()
    STORIES[name](Scene(tmp_path, engine, told.append))
    assert core.digests() == before == core.RECORDED.read_text()
    assert any("published answers" in line for line in told)


def test_a_story_that_goes_another_way_is_an_error(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "iss", lambda line: None)
    good = scene.build("zuc", "zuc", "1.5.0", 1)
    with pytest.raises(StoryError, match=r"zuc 1\.5\.0 was taken"):
        scene.refused(good, "COUNTER")
    with pytest.raises(StoryError, match="not so"):
        scene.refused(good, "COUNTER")  # it has this version now, which is another reason

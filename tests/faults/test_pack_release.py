"""A device of a core with extension `close` that runs a pack: plaintext leaves it with its tag only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lutra import make_engine
from lutra.firmware import pack
from support.documents import ROOT
from support.protected import with_core

pytestmark = pytest.mark.nightly("the simulator of a core that closes its memories; `make test` has one that pretends")
NAMES = ["aes-128-gcm", "aes-128-ccm"]


def test_no_plaintext_is_read_from_a_device_before_its_tag() -> None:
    done = with_core("-m", "injection.pack_release", "--step", "11")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^(\S+): \d+ words left out, one by one: 0 findings$", done.stdout, re.MULTILINE) == NAMES


def test_plaintext_is_read_from_a_device_whose_pack_has_one_image() -> None:
    done = with_core("-m", "injection.pack_release", "--one-image")
    assert (done.returncode, done.stderr) == (0, "")
    seen = r"^(\S+): plaintext in cycle \d+, before its tag is checked$"
    assert re.findall(seen, done.stdout, re.MULTILINE) == NAMES


BUILD = """
import sys
from pathlib import Path
from lutra import make_engine
from lutra.firmware import pack

settings = pack.read_settings(Path("aes"), version="1.0.0", vectors=[Path(sys.argv[1])])
contents = pack.contents(pack.build(settings))
assert all(outcome.good for outcome in pack.run(contents, make_engine("iss")))
names = {part.name for n, part in enumerate(contents.manifest.images) if n in {a.image for a in contents.answers}}
print(contents.manifest.format, len(contents.manifest.images), *sorted(name for name in names if "open" in name))
"""


def test_all_modes_of_aes_fit_a_pack_with_the_images_that_decrypt() -> None:
    done = with_core("-c", BUILD, str(ROOT / "tests/vectors"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "2 16 aes-ccm-open aes-gcm-open\n"


def test_a_core_without_the_extension_takes_the_answers_of_encryption_only(tmp_path: Path) -> None:
    """The pack of the other core, on that of this checkout."""
    file = tmp_path / "aes.pack"
    build = ("pack", "build", "aes", "--algorithm", "aes-128-gcm", "--version", "1.0.0")
    files = ("--vectors", str(ROOT / "tests/vectors"), "-o", str(file))
    code = "import sys; from lutra.cli.main import main; sys.exit(main(sys.argv[1:]))"
    assert with_core("-c", code, *build, *files).returncode == 0
    outcomes = pack.run(pack.contents(pack.decode(file.read_bytes())), make_engine("iss"))
    assert {o.image: o.error.partition("illegal-instruction")[1] for o in outcomes} == {
        "aes-gcm": "",
        "aes-gcm-open": "illegal-instruction",
    }

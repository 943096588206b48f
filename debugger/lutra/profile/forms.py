"""The forms of a profile that are one file each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from lutra.profile import flame, html, konata, perfetto, speedscope
from lutra.profile.lcov import Coverage
from lutra.profile.profile import Profile


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def _lcov(profile: Profile) -> str:
    coverage = Coverage()
    coverage.add(profile.image, profile.counts)
    return coverage.text()


# Name of a form -> function that formats a profile, given what was profiled and how.
FORMS: Mapping[str, Callable[[Profile, str, str], str]] = {
    "html": html.page,
    "svg": lambda profile, name, about: flame.picture(profile),
    "speedscope": lambda profile, name, about: _json(speedscope.document(profile, name)),
    "perfetto": lambda profile, name, about: _json(perfetto.document(profile, name)),
    "konata": lambda profile, name, about: "".join(f"{line}\n" for line in konata.log(profile)),
    "lcov": lambda profile, name, about: _lcov(profile),
}

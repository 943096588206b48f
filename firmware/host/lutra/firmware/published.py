"""The examples printed in the standards: what an installation can be tried with."""

from lutra.firmware.manifest import SOURCES

# In a wheel next to the sources (firmware/CMakeLists.txt), in a checkout those of the tests.
_INSTALLED = SOURCES.parent / "vectors"
VECTORS = _INSTALLED if _INSTALLED.is_dir() else SOURCES.parent / "tests" / "vectors"

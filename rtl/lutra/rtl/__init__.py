"""The Verilated core as an engine, `rtl`, with waves and code coverage."""

from lutra.engine import register
from lutra.rtl.engine import RtlEngine
from lutra.rtl.library import RTL_LIBRARY, write_counts

__all__ = ["RTL_LIBRARY", "RtlEngine", "write_counts"]

register("rtl", RtlEngine)

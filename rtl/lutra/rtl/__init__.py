"""The Verilated core as an engine, `rtl`, with waves and code coverage."""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.iss.engine import register
from lutra.rtl.engine import RtlEngine
from lutra.rtl.library import RTL_LIBRARY, write_counts

__all__ = ["RTL_LIBRARY", "RtlEngine", "write_counts"]

register("rtl", RtlEngine)

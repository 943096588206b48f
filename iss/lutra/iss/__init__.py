"""The simulator, and `engine`, the interface of every machine."""

from importlib.util import find_spec
from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

if find_spec("lutra.iss._iss") is None:
    raise ImportError("the toolchain is not built yet; run `make build`")

"""`lutra dap`: the debugger's session for editors, by the Debug Adapter Protocol (1.68).

Start with `adapter.py`, which has the table of all requests, then `state.py`. `protocol.py` makes messages of bytes.
"""

from lutra.debug.dap.adapter import serve
from lutra.debug.dap.arguments import Arguments, RequestError

__all__ = ["Arguments", "RequestError", "serve"]

"""Binding of the Verilated core and of the lock-step; use `lutra.engine`."""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

"""The simulator, and the engines: one interface for it, the core and both in lock-step (`lutra.engine`)."""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

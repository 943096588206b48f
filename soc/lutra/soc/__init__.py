"""Lutra in a system on chip: generated layouts, demo systems, measurements."""

from pkgutil import extend_path

# In a checkout the compiled modules are built outside the source tree.
__path__ = extend_path(__path__, __name__)

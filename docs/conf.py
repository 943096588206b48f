"""Sphinx configuration; `make docs` runs it on a copy that also holds the generated reference."""

project = "Lutra"
author = "The Lutra authors"
copyright = "The Lutra authors"
release = "0.1.0"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = "Lutra"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

"""Sphinx configuration. `./dev docs` builds the pages into build/docs, with warnings as errors."""

from pathlib import Path

project = "onnx-light"
author = "the onnx-light authors"
version = release = (Path(__file__).parent.parent / "VERSION").read_text(encoding="utf-8").strip()

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# Pages link to sources outside of docs/; those links work on the repository's pages, not in the built ones.
suppress_warnings = ["myst.xref_missing"]

html_theme = "furo"
html_title = f"onnx-light {version}"
exclude_patterns = ["_build"]

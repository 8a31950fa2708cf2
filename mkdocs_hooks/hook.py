"""The hooks of mkdocs: make the reference, and fail on undocumented names and on pages that no index names."""

import logging
from pathlib import Path
from typing import Any

from folder_indexes import missing_from_indexes
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from public_names import load, undocumented
from reference_pages import reference_pages
from source_pages import source_page

log = logging.getLogger("mkdocs.hooks.reference")  # its warnings fail a strict build


def on_config(config: MkDocsConfig, **kwargs: Any) -> MkDocsConfig:
    """Read the source, and put its pages at the end of the navigation."""
    settings = config.extra["reference"]
    root = load(_source(config), settings["package"])
    for path in undocumented(root):
        log.warning(f"{path} is public and has no docstring")
    for fault in missing_from_indexes(Path(config.docs_dir), tuple(settings.get("left_out", ()))):
        log.warning(fault)
    settings["pages"] = reference_pages(root)
    if config.nav:
        config.nav.append({"Reference": list(settings["pages"])})
    return config


def on_files(files: Files, *, config: MkDocsConfig, **kwargs: Any) -> Files:
    """Add the pages of the reference and the source files that they link to."""
    source, settings = _source(config), config.extra["reference"]
    pages = dict(settings["pages"])
    pages |= dict(source_page(file, source) for file in sorted((source / settings["package"]).rglob("*.py")))
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files


def _source(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent / config.extra["reference"]["source"]

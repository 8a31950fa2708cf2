"""The files that commands write of a film: film, measures, page, picture and video."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gambol.cli import report
from gambol.cli.targets import Targets
from gambol.world import Film


def write_files(
    film: Film, summary: dict[str, Any], targets: Targets, show_progress: Callable[[str], None]
) -> list[Path]:
    """Write the files of a film, the quickest first; return their paths.

    summary: content of the JSON file. targets: output paths. show_progress(text): called with the name of each file.
    """
    from gambol.view import RenderWarning, opengl, write_page, write_picture, write_video

    def write_video_with_progress(path: Path) -> Path:
        return write_video(film, path, progress=lambda done, frames: show_progress(f"{path}: frame {done} of {frames}"))

    picture = targets.file(".png")
    if "stepping" not in film.signals and not opengl.can_render():
        warnings.warn(f"{picture.name}: no OpenGL here, so there is no picture", RenderWarning, stacklevel=2)
        picture = None
    writers: list[tuple[Path | None, Callable[[Path], Any]]] = [
        (targets.file(".npz"), film.save),
        (targets.file(".json"), lambda path: report.write_summary(summary, path)),
        (targets.file(".html"), lambda path: write_page(film, path)),
        (picture, lambda path: write_picture(film, path)),
        (targets.video, write_video_with_progress),
    ]
    paths: list[Path] = []
    for path, write in writers:
        if path is not None:
            show_progress(str(path))
            write(path)
            paths.append(path)
    return paths

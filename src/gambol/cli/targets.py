"""Paths of the output files of a command, checked before any work."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambol.cli.output import Output, VideoRequest
from gambol.cli.video import check_video
from gambol.errors import GambolError
from gambol.export import check_target as check_export
from gambol.view.opengl import require_render
from gambol.view.plot import ENDINGS
from gambol.world.film.quantities import check_names, needs_coordinates

MAX_NAME_BYTES, MAX_PATH_BYTES = 255, 4000
"""Limits of a file or folder name and of a whole path [bytes], as in nearly all file systems."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Output paths: the folder, the common name of the files, the video with its options, exports, and plots.

    plot: names of signals to plot, None for no plot. plot_files: the files of the plot. worlds: number of worlds of the
    film. live: True for a live page, False for a page that plays the film only, None for a live page if it is small.
    """

    folder: Path
    name: str
    video: VideoRequest = field(default_factory=VideoRequest)
    exports: tuple[Path, ...] = ()
    plot: tuple[str, ...] | None = None
    plot_files: tuple[Path, ...] = ()
    worlds: int = 1
    live: bool | None = None

    @staticmethod
    def of(output: Output, name: str, worlds: int = 1) -> "Targets":
        """Return the output paths of files with a common name. worlds: number of worlds of the film."""
        if output.plot is None:
            names, files = None, output.plot_files
        else:
            names = tuple(part.strip() for part in output.plot.split(","))
            files = output.plot_files or (output.folder / f"{name}.plot.png",)
        return Targets(output.folder, name, output.video, output.exports, names, files, worlds, output.live)

    @property
    def coordinates(self) -> bool:
        """True if a plot needs the coordinates of joints, which films record on demand."""
        return needs_coordinates(self.plot or ())

    def file(self, suffix: str) -> Path:
        """Return the path of the file with a suffix, such as ".html"."""
        return self.folder / f"{self.name}{suffix}"

    def check(self) -> None:
        """Raise GambolError if a file cannot be written; no folder is created yet."""
        self.check_files((".html", ".png", ".npz", ".json"))

    def check_files(self, suffixes: Sequence[str]) -> None:
        """Raise GambolError if the files with some suffixes, the video or the exports cannot be written."""
        check_video(self.video, self.worlds)
        if self.video.path is not None:
            check_target(self.video.path, "--video", ".mp4", "a video")
            require_render("a video")
        check_exports(self.exports, {}, "--export")
        self._check_plot()
        check_targets(self.folder, [self.file(suffix) for suffix in suffixes])

    def _check_plot(self) -> None:
        """Raise GambolError for unknown names of signals, and for files of plots that cannot be written."""
        if self.plot is None:
            if self.plot_files:
                raise GambolError("--plot-file needs --plot NAME,..., the signals to plot")
            return
        try:
            check_names(self.plot)
        except GambolError as error:
            raise GambolError(f"--plot: {error}") from error
        check_plot_files(self.plot_files)


def check_exports(paths: Sequence[Path], options: Mapping[str, Any], option: str, takes: int = 1) -> None:
    """Raise GambolError for a file that cannot be exported.

    options: options of the export. option: name of the command's option, for the message. takes: number of films.
    """
    for path in paths:
        check_folder(path.parent, option)
        _check_not_folder(path, option)
        check_export(path, options, takes)


def check_plot_files(paths: Sequence[Path]) -> None:
    """Raise GambolError for a file that --plot-file names, if its suffix is unknown or it cannot be written."""
    for path in paths:
        if path.suffix.lower() not in ENDINGS:
            raise GambolError(f'--plot-file: a plot needs a suffix of {", ".join(ENDINGS)}, not that of "{path}"')
        check_folder(path.parent, "--plot-file")
        _check_not_folder(path, "--plot-file")


def check_targets(folder: Path, files: Sequence[Path]) -> None:
    """Raise GambolError if files cannot be written into the folder given by --out."""
    check_folder(folder, "--out")
    for path in files:
        _check_not_folder(path, "--out")


def check_target(path: Path, option: str, suffix: str, kind: str) -> None:
    """Raise GambolError for a path with a wrong suffix, and for a path that cannot be written.

    option: name of the option, for the message. suffix: required, such as ".mp4". kind: kind of the file, such as "a
    video".
    """
    if path.suffix.lower() != suffix:
        raise GambolError(f'{option}: {kind} needs the suffix {suffix}, not that of "{path}"')
    check_folder(path.parent, option)
    _check_not_folder(path, option)


def check_folder(folder: Path, option: str) -> None:
    """Raise GambolError if a folder cannot be written to or, if it does not exist, cannot be created.

    option: name of the option, for the message.
    """
    _check_name(folder, option)
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise GambolError(f'{option}: the folder "{folder}" cannot be written ({reason}); give another') from error


def _check_name(path: Path, option: str) -> None:
    """Raise GambolError for a path that is too long."""
    for name in path.parts:
        if len(os.fsencode(name)) > MAX_NAME_BYTES:
            shortened = f"{name[:20]}...{name[-20:]}"
            raise GambolError(f'{option}: the name "{shortened}" is too long; give at most {MAX_NAME_BYTES} bytes')
    if len(os.fsencode(path.absolute())) > MAX_PATH_BYTES:
        raise GambolError(f"{option}: the path {str(path)[:20]}... is too long; give at most {MAX_PATH_BYTES} bytes")


def _check_not_folder(path: Path, option: str) -> None:
    _check_name(path, option)
    if path.is_dir():
        raise GambolError(
            f'{option}: "{path}" is a folder, but a file is to be written there; move it, or give another path'
        )

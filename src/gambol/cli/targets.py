"""Paths of the output files of a command, checked before any work."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import GambolError

LONGEST_NAME, LONGEST_PATH = 255, 4000
"""Limits of a file or folder name and of a whole path [bytes], as in nearly all file systems."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Output paths: the folder, the common name of the files, and the video, or None."""

    folder: Path
    name: str
    video: Path | None = None

    def file(self, suffix: str) -> Path:
        """Return the path of the file with a suffix, such as ".html"."""
        return self.folder / f"{self.name}{suffix}"

    def check(self) -> None:
        """Raise GambolError if a file cannot be written; no folder is created yet."""
        if self.video is not None:
            check_target(self.video, "--video", ".mp4", "a video")
        check_targets(self.folder, [self.file(suffix) for suffix in (".html", ".png", ".npz", ".json")])


def check_targets(folder: Path, files: Sequence[Path]) -> None:
    """Raise GambolError if files cannot be written into the folder of --out."""
    check_folder(folder, "--out")
    for path in files:
        _check_free(path, "--out")


def check_target(path: Path, option: str, ending: str, what: str) -> None:
    """Raise GambolError for a path with a wrong suffix, and for one that cannot be written."""
    if path.suffix.lower() != ending:
        raise GambolError(f'{option}: {what} is written as {ending}; "{path}" is not')
    check_folder(path.parent, option)
    _check_free(path, option)


def check_folder(folder: Path, option: str) -> None:
    """Raise GambolError for a folder that cannot be written to, or, if there is none yet, cannot be created."""
    _check_name(folder, option)
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise GambolError(f'{option}: the folder "{folder}" cannot be written ({why}); give another') from error


def _check_name(path: Path, option: str) -> None:
    """Raise GambolError for a path that is too long."""
    for part in path.parts:
        if len(os.fsencode(part)) > LONGEST_NAME:
            short = f"{part[:20]}...{part[-20:]}"
            raise GambolError(f'{option}: the name "{short}" is too long; give at most {LONGEST_NAME} bytes')
    if len(os.fsencode(path.absolute())) > LONGEST_PATH:
        raise GambolError(f"{option}: the path {str(path)[:20]}... is too long; give at most {LONGEST_PATH} bytes")


def _check_free(path: Path, option: str) -> None:
    _check_name(path, option)
    if path.is_dir():
        raise GambolError(
            f'{option}: "{path}" is a folder, but a file is to be written there; move it, or give another path'
        )

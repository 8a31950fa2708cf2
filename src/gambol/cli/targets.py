"""Where the files of a command go, checked before any work."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import GambolError

LONGEST_NAME, LONGEST_PATH = 255, 4000
"""Of a file or a folder, and of a path with all its folders [bytes], as nearly all file systems have it."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The folder, the files' common name, and the video that was asked for."""

    folder: Path
    name: str
    video: Path | None = None

    def file(self, suffix: str) -> Path:
        """The file of a kind, such as ".html"."""
        return self.folder / f"{self.name}{suffix}"

    def check(self) -> None:
        """Raise GambolError where a file could not be put; no folder is made yet."""
        if self.video is not None:
            check_target(self.video, "--video", ".mp4", "a video")
        check_targets(self.folder, [self.file(suffix) for suffix in (".html", ".png", ".npz", ".json")])


def check_targets(folder: Path, files: Sequence[Path]) -> None:
    """Raise GambolError where files of the folder of --out could not be put."""
    check_folder(folder, "--out")
    for path in files:
        _check_free(path, "--out")


def check_target(path: Path, option: str, ending: str, what: str) -> None:
    """Raise GambolError for a file with another ending than its kind has, and one that could not be put there."""
    if path.suffix.lower() != ending:
        raise GambolError(f'{option}: {what} is written as {ending}; "{path}" is not')
    check_folder(path.parent, option)
    _check_free(path, option)


def check_folder(folder: Path, option: str) -> None:
    """Raise GambolError for a folder that cannot be written in, or, where there is none yet, cannot be made."""
    _check_name(folder, option)
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise GambolError(f'{option}: the folder "{folder}" cannot be written ({why}); give another') from error


def _check_name(path: Path, option: str) -> None:
    """Raise GambolError for a path that no file can have."""
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
            f'{option}: "{path}" is a folder, where a file is to be written; move it, or give another place'
        )

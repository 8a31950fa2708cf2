"""Where a walk's files go, checked before any work."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import GambolError


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
        """Make the folders, and raise GambolError where a file could not be put."""
        if self.video is not None:
            if self.video.suffix.lower() != ".mp4":
                raise GambolError(f'--video: a video is written as .mp4; "{self.video}" is not')
            _check_folder(self.video.parent, "--video")
            _check_free(self.video, "--video")
        _check_folder(self.folder, "--out")
        for suffix in (".html", ".png", ".npz", ".json"):
            _check_free(self.file(suffix), "--out")


def _check_folder(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise GambolError(f'{option}: the folder "{folder}" cannot be written ({why}); give another') from error


def _check_free(path: Path, option: str) -> None:
    if path.is_dir():
        raise GambolError(
            f'{option}: "{path}" is a folder, where a file is to be written; move it, or give another place'
        )

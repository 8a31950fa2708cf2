"""The page that a command writes of a simulation: its world lives in it if that is small; otherwise its film plays."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.cli.targets import Targets
from gambol.cli.video import camera_of
from gambol.errors import GambolError
from gambol.lanes import Precision
from gambol.view import write_live_page, write_page
from gambol.view.live import step_operations
from gambol.world import Film, State

MAX_BYTES = 2_500_000
"""Size of a page that lives without being asked for: it opens quickly from a site, too."""

MAX_OPERATIONS = 100_000
"""Operations of a control step that lives without being asked for: the programs of 86,016 take 6.5 s and 1.9 MB."""


class FilmPageWarning(UserWarning):
    """A page plays the film only, though nobody asked for that."""


@dataclass(frozen=True)
class Living:
    """What can live in a page: the first state of a simulation, of one world, and its inputs.

    numbers: (rows, 1); None: those of the world.
    """

    state: State
    numbers: NDArray[Any] | None = None

    @property
    def operations(self) -> int:
        """The number of operations of a control step."""
        precision: Precision = "float32" if self.state.rows.dtype == np.float32 else "float64"
        return step_operations(self.state.world, precision)


def first_state(state: State) -> Living | str:
    """Return a copy of a state that can live, or why it cannot."""
    return Living(state.copied()) if state.rows.shape[1] == 1 else "one creature lives in a page; leave out --lanes"


def check_living(living: Living | str, targets: Targets) -> None:
    """Raise GambolError if a page shall live, and what it shows cannot. living: it, or why it cannot."""
    if targets.live and isinstance(living, str):
        raise GambolError(f"--live: {living}")


def write_simulation_page(film: Film, path: Path, living: Living | str, targets: Targets) -> str | None:
    """Write the page of a simulation; return why it only plays the film, None if it lives or shall not.

    living: what can live, or why nothing can.
    """
    reason = _reason(film, living, targets)
    if reason is None and isinstance(living, Living) and targets.live is not False:
        write_live_page(living.state.world, path, state=living.state, numbers=living.numbers, film=film)
        size = path.stat().st_size
        if targets.live or size <= MAX_BYTES:
            return None
        reason = f"it would have {size / 1e6:.1f} MB; --live writes it"
    write_page(film, path, camera=camera_of(targets.video))
    return None if reason is None else f"{path.name} plays the film only: {reason}"


def _reason(film: Film, living: Living | str, targets: Targets) -> str | None:
    """Return why a page plays the film only, though nobody asked for that; None if it may live."""
    if targets.live is not None:
        return None
    if isinstance(living, str):
        return living
    if targets.video.camera is not None:
        return "it has the camera of --camera; --live writes a page that lives"
    if film.matter:
        return "muscles are drawn in films only; --live writes a page that lives"
    if film.link_names != tuple(link.name for link in living.state.world.figure.links):
        return "its program has links that this creature lacks"
    if living.operations > MAX_OPERATIONS:
        return f"a control step has {living.operations:,} operations, and its page is large; --live writes it"
    return None

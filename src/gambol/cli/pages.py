"""The page of a simulation: a live page if it is small, otherwise a page that plays the film."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gambol.cli.targets import Targets
from gambol.cli.video import camera_of
from gambol.errors import GambolError
from gambol.figure.template import has_variable_topology
from gambol.matter.forces import Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion.balls import Ball
from gambol.view import write_live_page, write_page
from gambol.view.cloth import write_cloth_page
from gambol.view.live import LiveSegment, step_operations
from gambol.view.live.gene_settings import NO_GENES, GeneSettings
from gambol.world import Film, State
from gambol.world.film import FilmMuscle
from gambol.world.film_attachments import is_attachment

MAX_BYTES = 2_500_000
"""Maximum size of a live page that is written without the option --live: it opens quickly from a web site, too."""

MAX_OPERATIONS = 100_000
"""Maximum number of operations of a control step in a live page that is written without the option --live: the programs
of 86,016 operations take 6.5 s to compile, and 1.9 MB."""


@dataclass(frozen=True)
class PageLimits:
    """What a live page may have that is written without the option --live: bytes, and operations of a control step."""

    size: int
    operations: int


SEVERAL_CREATURES = PageLimits(6_000_000, 110_000)
"""For worlds of several creatures: a control step of two hounds has 103,591 operations, which compile in 8 s."""

DIRECTED = PageLimits(3_500_000, MAX_OPERATIONS)
"""For creatures that are directed, which is what the page is for: the page of a hound for 8 s has 2.5 MB, and 70 kB
more for each further second."""


class FilmPageWarning(UserWarning):
    """A page plays the film only, although no option requested that."""


@dataclass(frozen=True)
class LiveSimulation:
    """A simulation for a live page: the first state, of one world, and its inputs.

    numbers: inputs (rows, 1); None: the inputs of the world. source: the command that made it, see source_of(), or
    None. genes: sliders of the genes of an evolved creature. note: a caption about what the page simulates, or "".
    repeats: False for the creatures of a search, whose rollouts do not repeat steps over the contact capacity.
    segments: parts of a script's run, the first of which begins with `state`; empty for other runs. limits: of a page
    without the option --live; None for MAX_BYTES and MAX_OPERATIONS.
    """

    state: State
    numbers: NDArray[Any] | None = None
    source: Mapping[str, Any] | None = None
    genes: GeneSettings = NO_GENES
    note: str = ""
    repeats: bool = True
    segments: tuple[LiveSegment, ...] = ()
    limits: PageLimits | None = None

    @property
    def page_limits(self) -> PageLimits:
        """The limits of its page."""
        return self.limits or PageLimits(MAX_BYTES, MAX_OPERATIONS)

    def page(self) -> dict[str, Any]:
        """Return further arguments of write_live_page()."""
        fields = ("source", "genes", "note", "repeats", "segments")
        return {name: getattr(self, name) for name in fields}

    @property
    def operations(self) -> int:
        """The number of operations of a control step; the largest of all segments."""
        worlds = [self.state.world, *(segment.state.world for segment in self.segments)]
        distinct = {repr(world.structure()): world for world in worlds}
        return max(step_operations(world, self.state.precision) for world in distinct.values())

    def shorter(self) -> "LiveSimulation | None":
        """Return the simulation without the segments before the first change of programs; None without such a change.

        Its note says when it begins.
        """
        structures = [segment.state.world.structure() for segment in self.segments]
        changes = [k for k in range(1, len(structures)) if structures[k] != structures[k - 1]]
        if not changes:
            return None
        later = self.segments[changes[0] :]
        note = f"the page simulates from {later[0].begin:.4g} s on; the film has the time before"
        return replace(self, state=later[0].state, numbers=later[0].numbers, segments=later, note=note)


@dataclass(frozen=True)
class ClothSimulation:
    """Cloth, ropes and balls for a page that simulates them, see write_cloth_page(). colors: by name of the mesh."""

    meshes: Mapping[str, SpringMesh]
    surroundings: Surroundings
    balls: tuple[Ball, ...]
    colors: Mapping[str, str]
    note: str

    def page(self) -> dict[str, Any]:
        """Return further arguments of write_cloth_page()."""
        about = {"surroundings": self.surroundings, "balls": self.balls, "color": self.colors, "note": self.note}
        return {"mesh": self.meshes, **about}


def first_state(
    state: State, source: Mapping[str, Any] | None = None, limits: PageLimits | None = None
) -> LiveSimulation | str:
    """Return a copy of a state for a live page, or the reason why no live page can contain it.

    source: its source. limits: see LiveSimulation.
    """
    return (
        LiveSimulation(state.copied(), None, source, limits=limits)
        if state.rows.shape[1] == 1
        else "a live page has one creature; leave out --lanes"
    )


def check_live_page(simulation: LiveSimulation | str, targets: Targets) -> None:
    """Raise GambolError if a live page is requested but not possible. simulation: the simulation, or the reason."""
    if targets.live and isinstance(simulation, str):
        raise GambolError(f"--live: {simulation}")


def write_simulation_page(
    film: Film, path: Path, simulation: LiveSimulation | ClothSimulation | str, targets: Targets
) -> str | None:
    """Write the page of a simulation.

    Return the reason if it only plays the film although no option requested that, else None.

    simulation: the simulation for a live page, or the reason why there is none.
    """
    if isinstance(simulation, ClothSimulation):
        write_cloth_page(path=path, name=film.name, **simulation.page())
        return None
    reason = _reason(film, simulation, targets)
    if reason is None and isinstance(simulation, LiveSimulation) and targets.live is not False:
        world, state, numbers = simulation.state.world, simulation.state, simulation.numbers
        size = 0
        for hills in (True, False):  # they need another program, so that a large page has none
            page: dict[str, Any] = {**simulation.page(), "hills": hills}
            write_live_page(world, path, state=state, numbers=numbers, film=film, **page)
            size = path.stat().st_size
            if targets.live or size <= simulation.page_limits.size:
                return None
        if (later := simulation.shorter()) is not None:
            return write_simulation_page(film, path, later, targets)
        reason = f"it would have {size / 1e6:.1f} MB; --live writes it"
    write_page(film, path, camera=camera_of(targets.video))
    return None if reason is None else f"{path.name} plays the film only: {reason}"


def _reason(film: Film, simulation: LiveSimulation | str, targets: Targets) -> str | None:
    """Return the reason why a page plays the film only although no option requested that; None for a live page."""
    if targets.live is not None:
        return None
    if isinstance(simulation, str):
        return simulation
    if targets.video.camera is not None:
        return "it has the camera of --camera; --live writes a page that simulates"
    reason = film_only_reason(film, simulation)
    return f"{reason}; --live writes a page that simulates" if reason and _has_links_of(simulation, film) else reason


def film_only_reason(film: Film, simulation: LiveSimulation) -> str | None:
    """Return the reason why a page should only play the film of a simulation; None if it can compute the motion."""
    if not all(isinstance(each, FilmMuscle) or is_attachment(each) for each in film.matter):
        return "cloth, ropes and particles are drawn in films only"
    if not _has_links_of(simulation, film):
        return "its program has links that this creature lacks"
    if simulation.operations > simulation.page_limits.operations:
        return f"a control step has {simulation.operations:,} operations, and its page is large"
    return None


def _has_links_of(simulation: LiveSimulation, film: Film) -> bool:
    """Return True if a simulation has the links of a film. The links of a template have other names."""
    figure = simulation.state.world.figure
    return has_variable_topology(figure) or film.link_names == tuple(link.name for link in figure.links)

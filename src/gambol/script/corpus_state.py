"""The part of a simulation state that belongs to one corpus: commands name its bodies, the state has links."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gambol.figure import Figure, PlacedLink
from gambol.gait import GaitController, GaitGroup, GaitMemory
from gambol.world import State, World
from gambol.world.step import StepState


@dataclass(frozen=True)
class CorpusState:
    """A state, and the part of a corpus in it.

    state: state of the world. links: names of the world's links, by body. corpus: name of the corpus. is_driven: True
    if the world's controller moves joints of this corpus. figure: the figure of the corpus alone.
    """

    state: State
    links: Mapping[str, str]
    corpus: str
    is_driven: bool
    figure: Figure

    @property
    def world(self) -> World:
        """The world of the state."""
        return self.state.world

    @property
    def rows(self) -> Any:
        """The rows of the state."""
        return self.state.rows

    @property
    def step_state(self) -> StepState:
        """The state as a pytree."""
        return self.state.step_state

    @property
    def root(self) -> PlacedLink:
        """The link of the root of the corpus."""
        return self.link(self.figure.root.name)

    def link(self, body: str) -> PlacedLink:
        """Return the link of a body."""
        return self.world.figure.link(self.links[body])

    def coordinate_rows(self, body: str) -> tuple[slice, slice]:
        """Return the rows of the coordinates and of the velocities of a body's joint."""
        link, nq = self.link(body), self.world.figure.nq
        return link.q, slice(nq + link.v.start, nq + link.v.stop)

    @property
    def q(self) -> list[float]:
        """The coordinates of the corpus alone, in the order of its own figure."""
        return [float(x) for link in self.figure.links for x in self.rows[self.link(link.name).q, 0]]

    @property
    def gait(self) -> GaitController | None:
        """The controller of this corpus, with the names of links; None without one."""
        controller: Any = self.world.gait
        if not self.is_driven:
            return None
        return controller.gaits[self.corpus] if isinstance(controller, GaitGroup) else controller

    @property
    def gait_memory(self) -> GaitMemory:
        """The memory of the controller of this corpus."""
        memory: Any = self.step_state.memory.control
        return memory.get(self.corpus) if isinstance(self.world.gait, GaitGroup) else memory

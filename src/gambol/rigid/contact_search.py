"""The contacts of a step: candidates while no body has moved too far, and arrangements while the same are contacts."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.lanes import BoundProgram, Schedule
from gambol.rigid.arrangement import Arrangement
from gambol.rigid.body import Pile
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_detection import ContactFinder
from gambol.rigid.gap_memory import Candidates
from gambol.rigid.order import SweepOrder, are_equal
from gambol.rigid.sleep import Sleeper
from gambol.rigid.solve import MIN_CAPACITY, ContactProblem, Solver
from gambol.rigid.tree_problem import TreeProblem, problems
from gambol.rigid.trees import Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]


class ContactSearch:
    """Finds the contacts of steps.

    pile, table, solver: of the pile; finder: of candidates; sleeper: None if no body sleeps; wake: wakes islands that
    were touched, and returns whether there were any. candidates: the present ones, or None.
    """

    def __init__(
        self,
        pile: Pile,
        table: BodyTable,
        solver: Solver,
        finder: ContactFinder,
        sleeper: Sleeper | None,
        wake: Callable[[Indices], bool],
    ) -> None:
        self._pile, self._table, self._solver, self._finder = pile, table, solver, finder
        self._sleeper, self._wake = sleeper, wake
        joints = pile.joints.above(pile.ground.height if isinstance(pile.ground, Plane) else 0.0)
        self._trees = Trees.of(joints, table.bodies, solver.lanes) if joints.count else None
        self._problem_of = problems(solver, joints, self._trees, table, pile.step)
        self.frictions, self.restitutions = pile.surface_tables()
        names = pile.materials
        self._material = np.array([0, *(names.index(body.material) for body in pile.bodies)])
        self.candidates: Candidates | None = None
        self._near = np.zeros(0)
        self._arrangement: Arrangement | None = None
        self._memory: dict[int, Arrangement] = {}
        self._free, self._stages = Schedule([table.free]), list[BoundProgram]()
        self._detect = self._free

    @property
    def problem(self) -> ContactProblem | TreeProblem | None:
        """The contacts of the last step and their solution."""
        return None if self._arrangement is None else self._arrangement.problem

    def forget(self) -> None:
        """Forget candidates and contacts, after bodies were moved or woken, or fell asleep."""
        self._arrangement, self.candidates = None, None

    def reset(self) -> None:
        """Forget all memory too, after numbers that are not finite."""
        self.forget()
        self._memory.clear()

    def arranged(self, *, are_found: bool = False) -> tuple[Arrangement, bool]:
        """Return the contacts of this step, and whether they are newly arranged.

        are_found: whether the gaps of the candidates have been computed.
        """
        if self.candidates is None:
            self._search()
        if not are_found:
            self._detect()
        if self._table["excess"].max() > 0.0:
            self._search()
            self._detect()
        candidates = self.candidates
        assert candidates is not None
        if self._sleeper is not None and self._wake(self._sleeper.touched(candidates)):
            return self.arranged()
        if self._arrangement is not None and are_equal(candidates.near, self._near):
            return self._arrangement, False
        self._near = candidates.near.copy()
        self._arrangement = self._rearranged(candidates)
        return self._arrangement, True

    def _search(self) -> None:
        """Find candidates anew."""
        self._free()
        sleeper = self._sleeper
        candidates = self._finder.candidates(None if sleeper is None else sleeper.asleep)
        self.candidates, self._near = candidates, np.zeros(0)
        if candidates.stages is not self._stages:
            self._stages = candidates.stages
            self._detect = Schedule([self._table.free, *self._stages], self._solver.threads)
        for stage, blocks in zip(candidates.stages, candidates.blocks, strict=True):
            self._detect.resize(stage, blocks)
        if sleeper is not None:
            sleeper.watch(candidates)
            blocks = BLOCK // self._table.lanes
            self._detect.divide(self._table.free, [(a * blocks, b * blocks) for a, b in sleeper.ranges])

    def _rearranged(self, candidates: Candidates) -> Arrangement:
        """Return the contacts of this step."""
        chosen = candidates.contacts()
        sides = candidates.first[chosen], candidates.second[chosen]
        materials = self._material[sides[0]], self._material[sides[1]]
        surface = self.frictions[materials], self.restitutions[materials]
        trees = self._trees
        order, lanes = (SweepOrder.plain(*sides, trees.lanes), trees.lanes) if trees else self._solver.order(*sides)
        a = self._memory.get(lanes)
        if a is None or a.problem.capacity < order.columns or a.gaps is not candidates.gaps:
            capacity = -(-max(order.columns + order.columns // 2, MIN_CAPACITY) // BLOCK) * BLOCK
            a = self._memory[lanes] = Arrangement(
                self._problem_of(lanes, capacity), self._solver, self._table, candidates.gaps, self._pile.step
            )
        a.arrange(order, candidates, chosen, surface)
        if self._sleeper is not None:
            a.compute_blocks(self._sleeper.ranges)
        return a

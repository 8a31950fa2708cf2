"""Steps of a pile with joints in one call, while its contacts are the same.

    impulses of the step before, prepared contacts and joints, solution, motion, sums over contacts and joints,
    position correction where it is needed, new poses, contact detection; and again if no contact has changed

See step.py for the formulas. Sums are in WIDTH lanes, in the given order of contacts and joints, so that they do not
depend on the lanes of other programs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, DoWhile, If, Procedure
from gambol.rigid.anderson import WIDTH
from gambol.rigid.arrangement import Arrangement
from gambol.rigid.body_table import BodyTable
from gambol.rigid.gap_memory import Candidates
from gambol.rigid.gap_programs import NEAR
from gambol.rigid.ledger import ENTRIES
from gambol.rigid.solve import Solver
from gambol.rigid.state import ContactCache
from gambol.rigid.step_sums import KEPT, SUM_ROWS, StepControl
from gambol.rigid.tree_entries import UNROLLED
from gambol.rigid.tree_problem import TreeProblem

Array = NDArray[Any]


@dataclass(frozen=True)
class StepsResult:
    """What steps in one call did.

    steps: their number; work: entries of the ledger [J]; residual [m/s] and sweeps of the last step.
    """

    steps: int
    work: Array
    residual: float
    sweeps: int


class TreeSteps:
    """Steps of an arrangement of contacts of a pile with joints.

    a: the arrangement; solver: the programs; table: the bodies; mass: of the world and the bodies [kg]; gravity (3)
    [m/s2]; h: step [s]; tolerances: of residuals [m/s] and of displacements [m].
    """

    def __init__(
        self,
        a: Arrangement,
        solver: Solver,
        table: BodyTable,
        mass: Array,
        gravity: Array,
        h: float,
        tolerances: tuple[float, float],
    ) -> None:
        problem = a.problem
        assert isinstance(problem, TreeProblem)
        self._a, self._problem, self._solver, self._table = a, problem, solver, table
        self._tolerance, self._h = tolerances[0], h
        self._allocate(mass, gravity, tolerances[1])
        stages = problem.stages_of_contacts()
        self._stages = {**stages, "contacts": [*stages["contacts"], *a.stages_of_contacts]}
        begin, end, correct = self._begin(), self._end(), self._correct()
        step = [*begin, *a.begin_stages, *problem.solve_steps, *self._taken(), *a.finish_stages, *end]
        self._step = Procedure([*step, If(self._number("corrects"), correct), table.advanced], solver.precision)
        problem.divide(self._step)
        self._places = {name: self._step.places(own) for name, own in self._stages.items()}
        self._detected: list[BoundProgram] | None = None
        self._candidates: Candidates | None = None

    def _allocate(self, mass: Array, gravity: Array, move_tolerance: float) -> None:
        problem, dtype, columns = self._problem, self._problem.store.dtype, self._table.columns
        self._sums, self._ledger = np.zeros((SUM_ROWS, WIDTH), dtype), np.zeros((2 * ENTRIES, 1), dtype)
        self._control = np.zeros((len(StepControl._fields), 1), dtype)
        self._number("move_tolerance")[:] = move_tolerance
        self._change = np.zeros((3, problem.capacity), dtype)
        self._mass = np.zeros((1, columns), dtype)
        self._mass[0, 1 : len(mass)] = mass[1:]
        self._constants = np.array([[*gravity, self._h]]).T
        rows = problem.rows
        self._p_places = UNROLLED * (rows.begin + np.arange(float(problem.capacity)))[None]

    def _number(self, name: str) -> Array:
        return self._control[StepControl._fields.index(name)]

    def _bound(self, name: str, lanes: int, *arrays: Array, out: list[Array], tables: list[Array]) -> BoundProgram:
        return self._solver.program(name, lanes).bind(*arrays, out=out, tables=tables)

    def _over_contacts(
        self, name: str, lanes: int, *arrays: Array, out: list[Array], tables: list[Array]
    ) -> BoundProgram:
        """Return a program over the columns of contacts."""
        stage = self._bound(name, lanes, *arrays, out=out, tables=tables)
        group = "contacts" if lanes == self._problem.lanes else "wide contacts" if lanes == WIDTH else "single contacts"
        self._stages.setdefault(group, []).append(stage)
        return stage

    def _begin(self) -> list[BoundProgram]:
        """Return the programs that set the initial impulses of all rows."""
        rows, joints, arrays = self._problem.rows, self._problem.joints, self._problem.arrays
        smooth = self._number("smooth")[None]
        of_contacts = rows.p[rows.begin :, :, None]
        result = [
            self._over_contacts("step begin", 1, arrays["impulses"], self._change, smooth, out=[of_contacts], tables=[])
        ]
        if rows.begin:
            places = np.zeros((2, rows.begin))
            places[0, : rows.count], places[1, : rows.count] = rows.kinds * joints.columns + rows.columns, 1.0
            p, tables = rows.p[: rows.begin, :, None], [joints.impulses.reshape(-1)]
            result.append(self._bound("step begin of joints", 1, places, out=[p], tables=tables))
        return result

    def _taken(self) -> list[BoundProgram]:
        """Return the programs that take the impulses of all rows."""
        problem, rows, joints = self._problem, self._problem.rows, self._problem.joints
        impulses, p, sums = problem.arrays["impulses"], rows.p.reshape(-1), self._sums[:2]
        taken = self._over_contacts(
            *("step impulses", WIDTH, self._p_places, impulses, self._change, np.full((1, 1), float(KEPT)), sums),
            out=[impulses, self._change, sums],
            tables=[p, self._control.reshape(-1)],
        )
        if not rows.begin:
            return [taken]
        places = np.full((len(joints.impulses), joints.columns), UNROLLED - 1.0)  # of a number that is always 0
        places[rows.kinds, rows.columns] = UNROLLED * np.arange(rows.count) + 2
        lanes = problem.lanes
        return [taken, self._bound("step joint impulses", lanes, places, out=[joints.impulses], tables=[p])]

    def _end(self) -> list[BoundProgram]:
        """Return the programs that sum up work and errors, and judge the step."""
        a, joints, sums, table = self._a, self._problem.joints, self._sums, self._table
        columns = joints.order.column
        places = np.zeros((2, -(-len(columns) // WIDTH) * WIDTH))
        places[0, : len(columns)], places[1, : len(columns)] = columns, 1.0
        stride = np.full((1, 1), float(joints.columns))
        of_contacts = self._over_contacts(
            "step sums", WIDTH, a.all_work, a.all_lack, sums[2:5], out=[sums[2:5]], tables=[]
        )
        tables = [joints.work.reshape(-1), joints.lack.reshape(-1)]
        of_joints = self._bound(
            "step sums of joints", WIDTH, places, stride, sums[5:10], out=[sums[5:10]], tables=tables
        )
        moved = table["wrench"], table["displacement"], sums[10:11]
        pushed = self._bound("step push", WIDTH, *moved, out=[sums[10:11]], tables=[])
        state = [sums[:11].reshape(-1, 1), self._control, self._ledger]
        control = self._problem.rows.accelerated.control
        judged = self._bound("step judged", 1, *state, control, out=state, tables=[])
        return [of_contacts, of_joints, pushed, judged]

    def _correct(self) -> list[Any]:
        """Return the steps of a position correction, see correct.py."""
        problem, table, sums, constants = self._problem, self._table, self._sums, self._constants
        h, lanes, p = constants[3:], problem.lanes, problem.rows.p
        free = self._bound("correction free", lanes, table["displacement"], h, out=[problem.free], tables=[])
        law = self._over_contacts(
            "correction law", lanes, self._a.all_places[:1], h, out=[problem.correction_law], tables=[]
        )
        none = self._bound("no impulse", 1, p[:, :, None], out=[p[:, :, None]], tables=[])
        self._stages["rows"].append(none)
        stride = np.full((1, 1), float(lanes))
        moved = self._bound(
            *("corrected", WIDTH, problem.last, table["displacement"], self._mass, stride, constants, sums[11:12]),
            out=[table["displacement"], sums[11:12]],
            tables=[problem.store],
        )
        lifted = self._over_contacts(
            *("correction work", WIDTH, self._p_places, self._a.all_places, self._a.all_sides, constants, sums[12:13]),
            out=[sums[12:13]],
            tables=[p.reshape(-1)],
        )
        state = [sums[11:13].reshape(-1, 1), self._ledger]
        judged = self._bound("correction judged", 1, *state, out=state, tables=[])
        return [free, law, none, *problem.correct_steps, moved, lifted, judged]

    def arrange(self, candidates: Candidates, cache: ContactCache, impulses: Array) -> None:
        """Take other contacts, or another state, after the arrangement has taken them.

        cache: the contact cache; impulses: of joints in their given order.
        """
        a, problem = self._a, self._problem
        for array in (problem.arrays["impulses"], self._change, a.all_work, a.all_lack, a.all_places):
            array[:] = 0.0
        problem.rows.p[:] = 0.0
        counts = problem.block_counts()
        for name, places in self._places.items():
            self._step.resize_places(places, counts[name])
        kept = cache.keys is a.keys or np.array_equal(cache.keys, a.keys)
        problem.impulses[:, a.order.column] = cache.impulses if kept else cache.impulses_of(a.keys)
        if kept:
            self._change[:, a.order.column] = cache.change
        self._number("kept")[:], self._number("smooth")[:] = kept, kept and cache.smooth
        problem.joints.set_impulses(impulses)
        if candidates.stages is not self._detected:
            self._watch(candidates)
        if candidates is not self._candidates:
            self._candidates = candidates
            for stage, blocks in zip(candidates.stages, candidates.blocks, strict=True):
                self._run.resize(stage, blocks)
        self._near[0] = candidates.near

    def _watch(self, candidates: Candidates) -> None:
        """Let contact detection compute other candidates."""
        self._detected, changed = candidates.stages, self._sums[13:14]
        self._near = np.zeros((1, len(candidates.keys)), candidates.gaps.dtype)
        near = candidates.gaps[NEAR : NEAR + 1, : len(candidates.keys)]
        more = self._number("more")
        table = self._table
        checks = [
            self._bound("step excess", WIDTH, table["excess"], changed, out=[changed], tables=[]),
            self._bound("step near", WIDTH, near, self._near, changed, out=[changed], tables=[]),
        ]
        state = [changed.reshape(-1, 1), self._control]
        detected = self._bound("step detected", 1, *state, out=state, tables=[])
        detect = If(more, [table.free, *candidates.stages, *checks, detected])
        self._run = Procedure([DoWhile([self._step.as_stage(), detect], more)], self._solver.precision)

    def make(self, steps: int) -> StepsResult:
        """Make up to this many steps, until contacts change; gaps are then those of the next step."""
        self._ledger[:], self._sums[:] = 0.0, 0.0
        self._number("limit")[:], self._number("done")[:] = steps, 0.0
        self._problem.set_tolerances(self._tolerance, float(self._number("move_tolerance")[0]) / self._h)
        self._run()
        c = StepControl(*self._control[:, 0].tolist())
        return StepsResult(int(c.done), self._ledger[:ENTRIES, 0].astype(float), c.residual, int(c.sweeps))

    def cache(self, features: int) -> ContactCache:
        """Return the contact cache after the last step; features: see Pile."""
        c = StepControl(*self._control[:, 0].tolist())
        a = self._a
        impulses, change = (a.order.from_columns(x) for x in (self._problem.impulses, self._change))
        return ContactCache(a.keys, impulses, change, c.smooth > 0.0, features)

"""Loops over contacts in a program, against lists of floats; and the size of their code."""

from typing import Any

import numpy as np
import pytest
from figures import random_sample, random_tree

from gambol.collide.gap import FAR
from gambol.contact.impulse.step_solver import by_collisions
from gambol.contact.stepping import (
    Constraints,
    Forces,
    Limit,
    SolverOptions,
    constraints,
    sweep_impulses,
    velocity_step,
)
from gambol.contact.stepping.anisotropy import Anisotropy
from gambol.contact.stepping.contact import Candidate, contacts_at
from gambol.dynamics import kinematics
from gambol.lanes import Program, ProgramSpec
from gambol.lanes.program_spec import operation_count, trace_program
from gambol.spatial import Vector

FIGURE = random_tree(3, 6, root="free", kinds=("revolute", "prismatic"))
WORLDS = 5
NOT_ASKED, SOLVED = 1e3, 1e-9
"""Tolerances [m/s]: sweeps alone decide, or the augmented Lagrangian takes over, which ends within its tolerance."""

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "bouncing": {"restitution": 0.6},
    "sticky": {"held": True},
    "anisotropic": {"anisotropy": Anisotropy(Vector(1.0, 0.0, 0.0), 0.5, 2.0)},
    "by collisions": {"solver": by_collisions()},
    "augmented": {"held": True, "tolerance": SOLVED},
}


def numbers(contacts: int) -> dict[str, Any]:
    """States, and contacts at random links, of which a third are far away; arrays with a world in each column."""
    rng, sample = np.random.default_rng(4), random_sample(FIGURE, 1)
    spread = lambda *shape: 0.3 * rng.normal(size=(*shape, WORLDS))  # noqa: E731
    return {
        "q": [np.full(WORLDS, x) for x in sample.q],
        "v": list(spread(FIGURE.nv)),
        "link": list(rng.integers(1, 7, (contacts, WORLDS)).astype(float)),
        "gap": list(np.where(rng.random((contacts, WORLDS)) < 0.33, FAR, -1e-3)),
        "point": [list(x) for x in spread(contacts, 3)],
        "side": list(np.sign(spread(contacts))),
        "held": list(np.round(rng.random((contacts, WORLDS)))),
        "speeds": [list(x) for x in spread(contacts, 3)],
        "warm": [list(abs(x)) for x in spread(contacts, 3)],
    }


def step(
    given: dict[str, Any],
    restitution: float = 0.0,
    held: bool = False,
    anisotropy: Any = None,
    solver: Any = None,
    tolerance: float = NOT_ASKED,
) -> tuple[Any, ...]:
    """Return velocities, gaps, impulses and speeds of contacts after a step."""
    state, zeros = kinematics(FIGURE, given["q"], given["v"]), [0.0] * FIGURE.nv
    slots = [
        Candidate(
            float(k),
            given["link"][k],
            given["gap"][k],
            Vector(*given["point"][k]),
            Vector(0.6, 0.0, 0.8) * given["side"][k],
            0.7,
            restitution,
            None,
            given["held"][k] if held else None,
            anisotropy,
        )
        for k in range(len(given["gap"]))
    ]
    contacts = contacts_at(FIGURE, slots, slots[0])
    limits = [Limit({FIGURE.nv - 1: 1.0}, -1e-3)]
    constraints = Constraints(contacts, limits, previous_speeds=given["speeds"])
    options = SolverOptions(6, tolerance, solver or sweep_impulses)
    solved = velocity_step(state, Forces(zeros, zeros, zeros), constraints, [*given["warm"], [0.0]], 1e-3, options)
    return solved.v, solved.gaps, solved.impulses, solved.contact_speeds, solved.work


def spec(contacts: int, **how: Any) -> ProgramSpec:
    world = {name: column_of(rows, 0) for name, rows in numbers(contacts).items()}
    return ProgramSpec("step", lambda given: step(given, **how), (world,))


def column_of(rows: Any, world: int) -> Any:
    return [column_of(row, world) if isinstance(row, list) else float(row[world]) for row in rows]


def flat(tree: Any) -> list[Any]:
    return [x for row in tree for x in flat(row)] if isinstance(tree, (list, tuple)) else [tree]


@pytest.mark.parametrize("name", OPTIONS)
def test_loops_over_contacts_compute_what_lists_of_floats_do(name: str):
    given = numbers(5)
    rows = np.array([x for part in given.values() for x in flat([list(p) if isinstance(p, list) else p for p in part])])
    found = np.concatenate(Program(spec(5, **OPTIONS[name]))(rows))
    margin = 1e3 * SOLVED if "tolerance" in OPTIONS[name] else 1e-9  # light limbs turn errors of speed into larger ones
    for world in range(WORLDS):
        plain = step({part: column_of(rows, world) for part, rows in given.items()}, **OPTIONS[name])
        np.testing.assert_allclose(found[:, world], flat(plain), rtol=margin, atol=margin)


def test_a_contact_more_adds_hardly_any_code(monkeypatch: pytest.MonkeyPatch):
    def code_of_four() -> int:
        few, many = (operation_count(trace_program(spec(count), "float64")[0]) for count in (4, 8))
        return many - few

    rolled = code_of_four()
    monkeypatch.setattr(constraints, "MIN_ROLLED_CONTACTS", 100)
    assert rolled < 0.2 * code_of_four()  # what is left are lists of numbers of contacts

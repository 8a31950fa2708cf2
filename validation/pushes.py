"""A push that begins and ends anywhere in a step: every integrator gives a body all of its impulse."""

from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.integrate import INTEGRATORS
from gambol.world import Engine, Shove, Timing, World, start
from validation.problem import Problem, Row

BODY = MassProperties(1.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
FRAME, STEP = 0.02, 0.01
STARTS = (0.0, 0.01, 0.0137, 1.0 / 3.0)
"""When the push of 1 s begins [s]: with the run, at a boundary of a step, and inside steps."""


def pushed() -> list[Row]:
    """The speed after a push of 1 N for 1 s."""
    body = Figure("body", (Link("body", None, Joint("free"), (), BODY),))
    rows: list[Row] = []
    for name in INTEGRATORS:
        for begin in STARTS:
            shove = Shove((1.0, 0.0, 0.0), begin, begin + 1.0)
            world = World(body, gravity=0.0, timing=Timing(FRAME, STEP, name, 1e-9), shove=shove)
            engine, state = Engine(world, lanes=1), start(world)
            engine.move(state, 75)
            rows.append(Row(f"v, {name}, from {begin:.4g} s on [m/s]", float(state.v[0, 3]), 1.0, 1e-12, name))
    return rows


PROBLEMS = (
    Problem(
        "A push that ends anywhere in a step",
        "1 kg pushed by 1 N for 1 s, steps of 10 ms.",
        "impulse is force times time",
        pushed,
    ),
)

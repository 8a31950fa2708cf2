"""A push that begins and ends at any time in a step: every integrator applies its whole impulse."""

from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.integrate import INTEGRATORS
from gambol.world import Engine, External, Push, Timing, World, start
from validation.problem import Problem, Row

BODY = MassProperties(1.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
CONTROL_STEP, STEP = 0.02, 0.01
STARTS = (0.0, 0.01, 0.0137, 1.0 / 3.0)
"""Start of the push of 1 s [s]: at the start of the run, at a step boundary, and inside steps."""


def pushed() -> list[Row]:
    """Return rows on the speed after a push of 1 N for 1 s."""
    body = Figure("body", (Link("body", None, Joint("free"), (), BODY),))
    rows: list[Row] = []
    for name in INTEGRATORS:
        for begin in STARTS:
            push = Push((1.0, 0.0, 0.0), begin, begin + 1.0)
            world = World(
                body, gravity=0.0, timing=Timing(CONTROL_STEP, STEP, name, 1e-9), external=External(push=push)
            )
            engine, state = Engine(world, lanes=1), start(world)
            engine.advance(state, 75)
            rows.append(Row(f"v, {name}, from {begin:.4g} s on [m/s]", float(state.v[0, 3]), 1.0, 1e-12, name))
    return rows


PROBLEMS = (
    Problem(
        "A push that ends anywhere in a step",
        "A force of 1 N pushes a body of 1 kg for 1 s, with steps of 10 ms.",
        "impulse is force times time",
        pushed,
    ),
)

"""Rows of chains that fall on the ground: operations, compile time and speed by links, contacts and contact method.

A chain of parallel hinges, whose first end is fixed, starts at rest along x. Balls on some of its links hit the ground.
"""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, time_interleaved
from gambol.contact import ContactMethod, Penalty, Stepping, SurfaceProperties
from gambol.contact.penalty.law import ContactParameters
from gambol.dynamics import kinematics
from gambol.figure import Figure, Joint, Link, MassProperties, Part, Sphere
from gambol.world import Engine, Timing, World, start
from gambol.world.external import InitialState

Array = NDArray[np.float64]

LENGTH, RADIUS, HEIGHT = 0.1, 0.02, 0.12  # of links, of balls, of the fixed end [m]
BODY = MassProperties(1.0, (0.0, 0.0, -0.5 * LENGTH), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 5e-4)))
FRICTION = 0.5
H, PENALTY_H = 1e-3, 1e-4  # steps of both methods [s]: the ground's springs and dampers need short ones
STEPS, TIMED_STEPS = 170, 20  # balls land after 143 ms; without a ground they would be 42 mm lower at the end
PEER_STEP, PEER_TIME = 2e-4, 2e-3  # step of MuJoCo, and time constant of its ground [s]
SPEED = 1.5
"""Speed of a ball that lands, sqrt(2 g (HEIGHT - RADIUS)) = 1.4 m/s, rounded up [m/s]."""

MAX_ERROR = SPEED * PEER_TIME
"""Permitted distance between ours and MuJoCo's centres of balls at the end [m]: on its soft ground they go on for
about PEER_TIME. With shorter ones MuJoCo's balls come to ours: 4.3 and 0.5 mm for 2 and 0.5 ms, 10 links, 0.25 s."""


@dataclass(frozen=True)
class Chain:
    """A row's chain: the number of links, and of balls, the last of which is at the last link."""

    links: int
    balls: int

    @staticmethod
    def of(model: str) -> "Chain":
        """Return the chain of a text such as "100 links, 12 balls"."""
        links, _, balls, _ = model.split()
        return Chain(int(links), int(balls))

    def has_ball(self, link: int) -> bool:
        """Return True for a link with a ball, by its number from 0."""
        before, after = (k * self.balls // self.links for k in (link, link + 1))
        return before < after

    @property
    def figure(self) -> Figure:
        """The figure."""
        made: list[Link] = []
        for k in range(self.links):
            place = (0.0, 0.0, -LENGTH if k else HEIGHT)
            ball = (Part(Sphere(RADIUS), (0.0, 0.0, -LENGTH), inertial=False),) if self.has_ball(k) else ()
            joint = Joint("revolute", (0.0, 1.0, 0.0), position=place)
            made.append(Link(f"link{k}", made[-1].name if made else None, joint, ball, given_mass=BODY))
        return Figure(f"{self.links} links", tuple(made))

    def world(self, method: ContactMethod, step: float) -> World:
        """Return the world of the chain; step [s]."""
        touch = ContactParameters(4e5, 0.0, 1.0, 500.0, 0.05, 0.0, 0.05, FRICTION, 1.0, 0.0, 500.0)
        return World(
            self.figure,
            surface=SurfaceProperties(touch),
            contact=method,
            timing=Timing(step, step, "semi-implicit euler"),
            initial=InitialState((-0.5 * np.pi, *[0.0] * (self.links - 1))),
        )


def ball_centres(chain: Chain, q: Array) -> Array:
    """Return the centres of all balls (balls, 3) [m]; q: joint angles (links)."""
    figure = chain.figure
    poses = kinematics(figure, q.tolist(), [0.0] * figure.nv).poses
    ends = [poses[link.index] for link in figure.links if link.parts]
    return np.array([[*(pose.position - pose.rotation.columns[2] * LENGTH)] for pose in ends], float)


def mujoco_centres(chain: Chain) -> Array:
    """Return the centres of all balls (balls, 3) at the end of the run of MuJoCo [m]. Its files cannot be so deep."""
    spec = mujoco.MjSpec()
    spec.option.timestep = PEER_STEP
    soft = {"solref": (PEER_TIME, 10.0), "solimp": (0.99, 0.999, 1e-4, 0.5, 2.0), "friction": (FRICTION, 0.0, 0.0)}
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0.0, 0.0, 1.0), **soft)
    body = spec.worldbody
    for k in range(chain.links):
        body = body.add_body(
            pos=(0.0, 0.0, -LENGTH if k else HEIGHT), mass=BODY.mass, ipos=BODY.com, explicitinertial=1
        )
        body.inertia = np.diag(np.array(BODY.inertia))
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0.0, 1.0, 0.0))
        if chain.has_ball(k):
            ball = {"pos": (0.0, 0.0, -LENGTH), "size": (RADIUS, 0.0, 0.0), "mass": 0.0, "contype": 0, "conaffinity": 1}
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, **ball, **soft)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[0] = -0.5 * np.pi
    mujoco.mj_step(model, data, round(STEPS * H / PEER_STEP))
    return data.geom_xpos[1:].copy()


def chain_row(method: Callable[[Chain], ContactMethod], step: float, row: Row) -> Result:
    """Compare the balls of a row's chain with MuJoCo's, and time steps."""
    chain = Chain.of(row.model)
    world = chain.world(method(chain), step)
    engine = Engine(world, row.precision, lanes=1 if row.worlds == 1 else None)
    begin = _processor_time()
    program = engine.advance_program
    compile_s = _processor_time() - begin
    state = start(world, row.worlds, precision=row.precision)
    steps = round(STEPS * H / step)
    engine.advance(state, steps)
    error = float(abs(ball_centres(chain, np.asarray(state.q[0], float)) - mujoco_centres(chain)).max())
    assert error < MAX_ERROR, f"a ball is {1e3 * error:.1f} mm from where MuJoCo has it"
    until = [steps]

    def run() -> None:
        until[0] += TIMED_STEPS
        engine.advance(state, until[0])

    (times,) = time_interleaved(run, repeats=8)
    seconds, spread = median_and_spread(times)
    return Result(
        world.figure.nv,
        f"balls within {1e3 * error:.1f} mm of MuJoCo's after {STEPS * H} s",
        step,
        f"up to {world.contact_capacity}",
        ns_per_step=1e9 * seconds / (TIMED_STEPS * row.worlds),
        spread=spread,
        compile_s=compile_s,
        more={"operations": float(program.operations)},
    )


def _processor_time() -> float:
    """Return the processor time of this process and of its compilers [s]."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _stepping(chain: Chain) -> Stepping:
    return Stepping(max_contacts=chain.balls)


def _penalty(chain: Chain) -> Any:
    return Penalty()


LINKS = {
    "links": lambda row: chain_row(_stepping, H, row),
    "penalty links": lambda row: chain_row(_penalty, PENALTY_H, row),
}

"""The world of a locomotion task, and its coordinates in the order of MuJoCo."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import actuators_of
from gambol.contact.table import contact_method
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.creatures.make_world import make_world
from gambol.env.locomotion.body_quantities import centre, centre_and_contacts, centre_contacts_and_bodies
from gambol.env.locomotion.task import LocomotionTask
from gambol.formats import Motor, read_model
from gambol.formats.tendon import Tendon
from gambol.lanes import Program
from gambol.spatial.conversions import rotate
from gambol.world import Engine, Factors, State, Timing, with_inputs

Floats = NDArray[np.float64]

MAX_WIDE_LINKS = 16
"""Number of links above which a program has 8 lanes: a humanoid takes 110 us per action in 8 lanes, 150 us in 16."""


@dataclass(frozen=True)
class LocomotionBody:
    """The compiled programs of a locomotion task, and its motors.

    engine: engine of the task's world. observer: program of centre(), centre_and_contacts() or
    centre_contacts_and_bodies(). motors: motors of the model file, in the order of an action. q (nq): coordinates in
    the model file, which may be beyond the limits of joints. randomise: see LocomotionTask. tendons: fixed tendons of
    the file.
    """

    engine: Engine
    observer: Program
    motors: tuple[Motor, ...]
    q: tuple[float, ...]
    randomise: Factors
    tendons: tuple[Tendon, ...]

    @property
    def has_free_root(self) -> bool:
        """True if the root is free; False if it moves in a plane: along x, along z, and about y."""
        return self.engine.world.figure.roots[0].joint.kind == "free"

    def coordinates(self, state: State) -> tuple[Floats, Floats]:
        """Return qpos (W, nq) and qvel (W, nv) of a state.

        With a free root, they are position, quaternion, then joints; and velocity in world axes, angular velocity in
        axes of the root, then joints.
        """
        q, v = state.q.astype(float), state.v.astype(float)
        if not self.has_free_root:
            return q, v
        qpos = np.concatenate([q[:, 4:7], q[:, :4], q[:, 7:]], axis=1)
        return qpos, np.concatenate([rotate(q[:, :4], v[:, 3:6]), v[:, :3], v[:, 6:]], axis=1)

    def tendon_motion(self, state: State) -> tuple[Floats, Floats]:
        """Return lengths and velocities of the fixed tendons (W, tendons) of a state."""
        figure = self.engine.world.figure
        found = np.zeros((2, len(state.q), len(self.tendons)))
        for k, tendon in enumerate(self.tendons):
            for name, coefficient in tendon.joints:
                link = figure.link(name)
                found[:, :, k] += coefficient * np.array([state.q[:, link.q.start], state.v[:, link.v.start]])
        return found[0], found[1]

    def set_coordinates(self, state: State, indices: list[int], qpos: Floats, qvel: Floats) -> None:
        """Set the positions and velocities of some worlds of a state, in place; qpos (k, nq), qvel (k, nv)."""
        if self.has_free_root:
            quaternion = qpos[:, 3:7] / np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
            inverse = quaternion * (1.0, -1.0, -1.0, -1.0)
            qvel = np.concatenate([qvel[:, 3:6], rotate(inverse, qvel[:, :3]), qvel[:, 6:]], axis=1)
            qpos = np.concatenate([quaternion, qpos[:, :3], qpos[:, 7:]], axis=1)
        state.q[indices], state.v[indices] = qpos, qvel


@lru_cache(maxsize=8)
def locomotion_body(file: str, lanes: int | None, task: LocomotionTask) -> LocomotionBody:
    """Return the programs of a task (cached); file: file of its body. lanes: worlds per instruction, see Program."""
    model = read_model(file)
    actuators = actuators_of(model)
    timing = Timing(task.dt, task.dt / task.contact_steps, "semi-implicit euler")
    controller = Drive(Commanded(len(actuators)), actuators)
    world = make_world(
        model, contact=contact_method("stepping", softness=task.softness), controller=controller, timing=timing
    )
    world = with_inputs(world, task.randomise)
    many = len(world.figure.links) > MAX_WIDE_LINKS
    engine = Engine(world, "float32", lanes or (8 if many else None))
    quantities = centre_and_contacts if task.observes_contact_forces else centre
    quantities = centre_contacts_and_bodies if task.observes_bodies else quantities
    observer, tendons = engine.observer(quantities.__name__, quantities), tuple(t for t in model.tendons if t.joints)
    return LocomotionBody(engine, observer, model.motors, model.q, task.randomise, tendons)

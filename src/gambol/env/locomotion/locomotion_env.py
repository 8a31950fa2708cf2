"""A batch of creatures in a locomotion task of gymnasium, with its observations, rewards, terminations and infos."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.random import Generator

from gambol.env.batch import Array, Transition, check_actions
from gambol.env.commanded_worlds import CommandedWorlds
from gambol.env.locomotion.body_quantities import massive_links
from gambol.env.locomotion.locomotion_body import locomotion_body
from gambol.env.locomotion.task import NOISES, LocomotionTask
from gambol.env.reward_terms import Bools, Floats
from gambol.world import Engine, State


class LocomotionEnv:
    """A batch of W creatures in a locomotion task.

    task: see LocomotionTask. worlds: number of creatures, W. lanes: worlds per instruction, see Program. threads:
    number of threads. device: see CommandedWorlds. Observations, rewards, terminations and infos are gymnasium's;
    motion and contact forces are those of rigid contact.
    """

    max_episode_steps = 1000
    """The default number of actions of an episode, as in gymnasium."""

    def __init__(
        self, task: LocomotionTask, worlds: int, *, lanes: int | None = None, threads: int = 1, device: str = "cpu"
    ) -> None:
        self.task, self.body = task, locomotion_body(str(task.path), lanes, task)
        engine = self.body.engine
        self._worlds = CommandedWorlds(engine, self.body, worlds, threads, device)
        self._first_qpos, self._first_qvel = (x[:1].copy() for x in self.body.coordinates(self.state))
        figure = engine.world.figure
        self._bodies = len(massive_links(figure))
        self._limits = np.array([motor.upper for motor in self.body.motors])
        self._motor_v = [figure.link(motor.joint).v.start for motor in self.body.motors]
        self._gains = np.array([motor.gear[0] * motor.gain for motor in self.body.motors])
        self._actions = np.zeros((worlds, len(self.body.motors)))

    @property
    def worlds(self) -> int:
        """The number of creatures, W."""
        return self._worlds.worlds

    @property
    def engine(self) -> Engine:
        """The compiled programs of their world."""
        return self.body.engine

    @property
    def state(self) -> State:
        """The state of all creatures."""
        return self._worlds.state

    @property
    def numbers(self) -> Array:
        """The inputs of their worlds, see Engine.numbers()."""
        return self._worlds.numbers

    @property
    def control_step(self) -> float:
        """The time between actions [s]."""
        return self.task.dt

    @property
    def action_space(self) -> Space[Array]:
        """The action space of one creature: the controls of its motors."""
        high = self._limits.astype(np.float32)
        return Box(-high, high)

    @property
    def observation_space(self) -> Space[Array]:
        """The observation space of one creature: unbounded, in double precision, as in gymnasium."""
        return Box(-np.inf, np.inf, self.observe().shape[1:], np.float64)

    def reset(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Reset some creatures with gymnasium's noise, in its order of random numbers.

        indices: indices of the creatures, from 0 to W - 1. rngs: a random generator for each.
        """
        scale, figure = self.task.reset_noise_scale, self.engine.world.figure
        noise = NOISES[self.task.velocity_noise]
        drawn = [(rng.uniform(-scale, scale, figure.nq), noise(rng, scale, figure.nv)) for rng in rngs]
        qpos, qvel = (np.array(each) for each in zip(*drawn, strict=True))
        self.set_state(list(indices), self._first_qpos + qpos, self._first_qvel + qvel)
        self._worlds.randomise(indices, rngs)

    def set_state(self, indices: list[int], qpos: Floats, qvel: Floats) -> None:
        """Set the state of some creatures at the start of an episode.

        indices: indices of the creatures. qpos (k, nq), qvel (k, nv): positions and velocities in the order of MuJoCo.
        Contact forces are set to 0.
        """
        self._worlds.reset(indices)
        self._actions[indices] = 0.0
        self.body.set_coordinates(self.state, indices, qpos, qvel)

    def step(self, actions: Array, moving: Bools | None = None) -> Transition:
        """Take an action with each creature; the infos are gymnasium's.

        actions (W, motors): controls, within the action space. moving: True for creatures that act (W,); None for all.
        Raises EvolveError for actions of a wrong shape or not finite.
        """
        actions = self._worlds.on_host(actions)
        check_actions(actions, self._actions.shape)
        before = self._position()
        self.set_last_actions(actions)
        self._worlds.advance(self._actions / self._limits, moving)
        velocity = (self._position() - before) / self.task.dt
        return self.reward(velocity)

    def set_last_actions(self, actions: Array) -> None:
        """Set the last actions (W, motors), on which rewards and observed motor forces depend."""
        self._actions = np.array(actions, float)

    def reward(self, velocity: Floats) -> Transition:
        """Return rewards, terminations and infos in the present state.

        velocity (W, 2): mean speeds along x and y during the last action [m/s].
        """
        task = self.task
        healthy = self.healthy()
        terms: dict[str, Any] = {
            "reward_forward": task.forward_reward_weight * velocity[:, 0],
            "reward_ctrl": -task.ctrl_cost_weight * np.einsum("wk,wk->w", self._actions, self._actions),
            "reward_survive": task.healthy_reward * healthy,
        }
        if task.contact_cost_weight:
            forces = self._contact_forces()
            cost = task.contact_cost_weight * np.einsum("wkl,wkl->w", forces, forces)
            terms["reward_contact"] = -np.clip(cost, *task.contact_cost_range)
        speeds = {"x_velocity": velocity[:, 0]} | ({"y_velocity": velocity[:, 1]} if self.body.has_free_root else {})
        terminated = ~healthy if task.terminate_when_unhealthy else np.zeros(self.worlds, np.bool_)
        total = np.sum(list(terms.values()), axis=0)
        return Transition(total, terminated | self._worlds.frozen, {**self.reset_infos(), **speeds, **terms})

    def healthy(self) -> Bools:
        """Return True for creatures whose state is within the limits of the task (W,)."""
        task, (qpos, qvel) = self.task, self.body.coordinates(self.state)
        z, others = (qpos[:, 2], qpos[:, 3:]) if self.body.has_free_root else (qpos[:, 1], qpos[:, 2:])
        low, high = task.healthy_z_range
        healthy = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1) & (low < z) & (z < high)
        if not self.body.has_free_root:
            low, high = task.healthy_angle_range
            healthy &= (low < qpos[:, 2]) & (qpos[:, 2] < high)
            low, high = task.healthy_state_range
            rest = np.concatenate([others, qvel], axis=1)
            healthy &= ((low < rest) & (rest < high)).all(axis=1)
        return healthy

    def reset_infos(self) -> Mapping[str, Floats]:
        """Return gymnasium's infos after a reset."""
        qpos, _ = self.body.coordinates(self.state)
        if self.body.has_free_root:
            distance = np.hypot(qpos[:, 0], qpos[:, 1])
            place = {"x_position": qpos[:, 0], "y_position": qpos[:, 1], "distance_from_origin": distance}
            motion = self.body.tendon_motion(self.state) if self.body.tendons else ()
            return place | dict(zip(("tendon_length", "tendon_velocity"), motion, strict=False))
        rise = {"z_distance_from_origin": qpos[:, 1] - self._first_qpos[0, 1]} if self.task.healthy_reward else {}
        return {"x_position": qpos[:, 0], **rise}

    def observe(self) -> Array:
        """Return gymnasium's observations (W, numbers).

        They are positions except those along the ground, velocities and, if the task has them, inertias and velocities
        of bodies, motor forces and contact forces.
        """
        qpos, qvel = self.body.coordinates(self.state)
        skipped, limit = 2 if self.body.has_free_root else 1, self.task.velocity_limit
        parts = [qpos[:, skipped:], np.clip(qvel, -limit, limit)]
        if self.task.observes_bodies:
            forces = np.zeros((self.worlds, self.engine.world.figure.nv))
            forces[:, self._motor_v] = self._gains * np.clip(self._actions, -self._limits, self._limits)
            parts += [self._quantities()[:, 3 + 6 * self._bodies :], forces[:, 6:]]
        if self.task.observes_contact_forces:
            parts.append(self._contact_forces().reshape(self.worlds, -1))
        return np.concatenate(parts, axis=1)

    def _position(self) -> Floats:
        """Return the positions of the points whose speeds count, along x and y (W, 2) [m]."""
        if self.task.speed_of == "centre of mass":
            return self._quantities()[:, :2]
        qpos, _ = self.body.coordinates(self.state)
        return qpos[:, :2]

    def _quantities(self) -> Floats:
        """Return the quantities that the observer computes (W, numbers)."""
        return self._worlds.observe(self.body.observer).T.astype(float)

    def _contact_forces(self) -> Floats:
        """Return the contact forces of all bodies (W, bodies, 6), clipped to the range of the task."""
        rows = self._quantities()[:, 3 : 3 + 6 * self._bodies]
        return np.clip(rows.reshape(self.worlds, self._bodies, 6), *self.task.contact_force_range)

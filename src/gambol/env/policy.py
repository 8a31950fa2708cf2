"""Policies from ONNX files: functions of observations that return actions.

Their sizes are checked against an environment.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from gambol.env.batch import Array, TaskBatch
from gambol.errors import EvolveError, GambolError
from gambol.world import Film
from gambol.world.record import Recorder
from gambol.world.run import Progress, marked_interrupted

NUMBER_TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64}
"""The types of inputs and outputs of a policy, by their names in ONNX."""


@dataclass(frozen=True)
class Policy:
    """A policy from a file.

    name: name of the file. session: a session of onnxruntime, with one input and at least one output.
    """

    name: str
    session: Any

    def check(self, batch: TaskBatch) -> None:
        """Raise GambolError if the sizes of observations and actions are not those of a batch."""
        sizes = [prod(space.shape or ()) for space in (batch.observation_space, batch.action_space)]
        ends = ((self.session.get_inputs()[0], "takes", "observations"), (self._output, "gives", "actions"))
        for (end, verb, what), size in zip(ends, sizes, strict=True):
            own = end.shape[-1] if end.shape else 0
            if isinstance(own, int) and own != size:
                raise GambolError(
                    f'{self.name}: the policy {verb} {own} {what} (its "{end.name}" has the shape {end.shape}), and '
                    f'"{batch.engine.world.figure.name}" has {size}'
                )

    @property
    def _output(self) -> Any:
        return self.session.get_outputs()[0]

    def actions(self, observations: Array, count: int) -> Array:
        """Return actions (W, count) for observations (W, n).

        Each creature is one call, so that its action does not depend on the others, to the last bit. Raises GambolError
        for actions of another shape or not finite, with the index of the creature.
        """
        return np.array([self._action(row, k, count) for k, row in enumerate(observations)])

    def _action(self, observation: Array, index: int, count: int) -> Array:
        """Return the action (count,) of a creature; index: index of the creature."""
        entry = self.session.get_inputs()[0]
        row = observation.astype(NUMBER_TYPES[entry.type])
        given = row if len(entry.shape) == 1 else row[None]
        try:
            (result,) = self.session.run([self._output.name], {entry.name: given})
        except Exception as error:  # the errors of onnxruntime have no common class
            raise GambolError(f"{self.name}: the policy failed: {str(error).splitlines()[0]:.200}") from error
        action = np.asarray(result, float).reshape(-1)
        if action.shape != (count,):
            raise GambolError(f"{self.name}: the policy gave {action.size} numbers; there are {count} actions")
        if not np.isfinite(action).all():
            raise GambolError(f"{self.name}: the policy gave {action} for creature {index}; actions must be finite")
        return action


def read_policy(path: str | Path) -> Policy:
    """Return the policy of an ONNX file: its only input is observations, and its first output is actions.

    Raises GambolError without the package onnxruntime, for a file that is not an ONNX model, and for wrong numbers or
    types of inputs and outputs.
    """
    file = Path(path)
    if find_spec("onnxruntime") is None:
        raise GambolError(f'"{file}": policies need the package onnxruntime; pip install gambol[policy]')
    if not file.is_file():
        raise GambolError(f'there is no policy "{file}"')
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # a policy is small; threads cost more
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the errors of onnxruntime have no common class
        raise GambolError(f'"{file}" is not an ONNX model: {str(error).splitlines()[0]:.200}') from error
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1:
        names = ", ".join(each.name for each in inputs) or "none"
        raise GambolError(f"{file.name}: a policy has one input, the observations; this model has {names}")
    for each in (inputs[0], outputs[0]):
        if each.type not in NUMBER_TYPES:
            raise GambolError(f'{file.name}: "{each.name}" is {each.type}; give {" or ".join(NUMBER_TYPES)}')
    return Policy(file.name, session)


def film_of_policy(
    batch: TaskBatch, policy: Policy, seconds: float, seed: int = 0, progress: Progress | None = None
) -> Film:
    """Return the film of a batch under a policy, from a random reset; the film does not end at a fall.

    seconds: duration, rounded to whole actions. seed: creature k is reset with seed + k. progress: called with the
    number of actions so far and in all. Ctrl-C ends the run; the film contains the frames up to then. Raises
    GambolError for a policy of other sizes, and, with the time, for actions that are not finite.
    """
    policy.check(batch)
    steps = max(1, round(seconds / batch.control_step))
    batch.reset(range(batch.worlds), [np.random.default_rng(seed + k) for k in range(batch.worlds)])
    recorder = Recorder(batch.state, steps + 1)
    recorder.prepare(batch.numbers)
    recorder.add(batch.state, 0, 0.0)
    space: Any = batch.action_space
    low, high = space.low, space.high
    try:
        for step in range(1, steps + 1):
            try:
                actions = policy.actions(batch.observe(), len(low))
            except GambolError as error:
                raise EvolveError(f"at {(step - 1) * batch.control_step:.4g} s: {error}") from error
            batch.step(np.clip(actions, low, high).astype(np.float32))
            recorder.add(batch.state, step, 0.0)
            if progress is not None:
                progress(step, steps)
    except KeyboardInterrupt:
        return marked_interrupted(recorder.film(), seconds)
    return recorder.film()

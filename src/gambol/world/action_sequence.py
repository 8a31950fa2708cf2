"""Sequences of actions as inputs of one call of a program: worlds with a CommandSequence, and its numbers."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import Commanded, CommandSequence
from gambol.errors import WorldError
from gambol.lanes import leaves, tree_map
from gambol.world.state import Engine
from gambol.world.world import World

Array = NDArray[Any]

TAKES_NO_ACTIONS = "no actuator of this world takes actions; give it Drive(Commanded(n), actuators) as controller"


def with_command_sequence(world: World, length: int) -> World:
    """Return a world whose actuators follow a sequence of commands, given at once, instead of commands of one step.

    world: a world whose controller is a Drive with the pattern Commanded; its states are states of the new world, too.
    length: number of control steps, see CommandSequence; 1: the world itself. Raises WorldError for another controller,
    and for a length below 1.
    """
    controller: Any = world.controller
    pattern = getattr(controller, "pattern", None)
    if not isinstance(pattern, Commanded):
        raise WorldError(TAKES_NO_ACTIONS)
    if length == 1:
        return world
    sequence = CommandSequence(pattern.actuators, length, pattern.required_senses)
    return replace(world, controller=replace(controller, pattern=sequence))


def set_actions(engine: Engine, numbers: Array, actions: Array, first: int) -> None:
    """Write actions of successive control steps into the numbers of worlds.

    engine: engine of a world of with_command_sequence(). numbers: its numbers (rows, 1 or W), changed in place.
    actions: signals (k, n, 1 or W) of n actuators in [-1, 1]; k: from 1 to the length of the sequence; the last ones
    are kept afterwards. first: number of the control step of the first ones. Raises WorldError for another k or n.
    """
    rows: dict[str, Any] = engine.number_rows["control"]["pattern"]
    commands = np.array(rows["commands"] if "commands" in rows else [rows["command"]])  # rows (length, n)
    length, actuators = commands.shape
    if actions.ndim != 3 or not 1 <= len(actions) <= length or actions.shape[1] != actuators:
        raise WorldError(
            f"actions have shape (k, {actuators}, worlds) for {actuators} actuators and up to {length} control steps, "
            f"not {actions.shape}"
        )
    numbers[commands[: len(actions)]] = actions
    numbers[commands[len(actions) :]] = actions[-1]
    if "first" in rows:
        numbers[rows["first"]] = first


def sequence_numbers(engine: Engine, sequenced: Engine, inputs: Array, worlds: int) -> Array:
    """Return numbers of a world with a sequence (rows, W), equal to those of the world itself except for commands.

    engine: engine of a world. sequenced: engine of its with_command_sequence(). inputs: numbers of the world (rows, 1
    or W). worlds: W.
    """
    control = engine.number_rows["control"]
    unchanged = tree_map(lambda _: -1, sequenced.number_rows["control"]["pattern"])
    tree = engine.number_rows | {"control": control | {"pattern": unchanged}}
    sources = np.array(leaves(tree))
    result = np.repeat(sequenced.numbers(), worlds, axis=1)
    result[sources >= 0] = inputs[sources[sources >= 0]]
    return result

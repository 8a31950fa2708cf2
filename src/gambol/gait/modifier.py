"""Modifiers of a gait: they change targets of motor commands, and start, delay or prolong steps.

A gait controller calls its modifiers one after the other. Each method receives the decision of the controller, or of
the previous modifier, and returns it, or another decision. Methods of the base class return it unchanged. A controller
without modifiers has a program without them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.control.controller import JointSignal, Senses
from gambol.gait.gait_memory import GaitMemory
from gambol.gait.leg import Leg
from gambol.gait.oscillator import GaitTimes
from gambol.lanes import Scalar, total


@dataclass(frozen=True, slots=True)
class ModifierInput:
    """The inputs of a modifier at the beginning of a control step.

    numbers: inputs of the program in the structure of its numbers(). own: memory of the modifier: for remembered(),
    before this control step; for all other methods, in this control step. legs: legs of the gait, in order; joints:
    driven joints, in the order of rest angles; feet: links with sensed contacts, in order. gait: memory of the gait
    before its decisions. senses: observations now. times: times of the gait; for times(), the times up to now. walking:
    True once the gait has begun. dt: length of the control step [s].
    """

    numbers: Mapping[str, Any]
    own: Any
    legs: tuple[Leg, ...]
    joints: tuple[str, ...]
    feet: tuple[str, ...]
    gait: GaitMemory
    senses: Senses
    times: GaitTimes
    walking: Scalar
    dt: Scalar

    def touched(self, links: Sequence[str]) -> Scalar:
        """Return True if the ground pushes one of some links. links: names of links with sensed contacts."""
        return total(self.senses.contacts[self.feet.index(link)] for link in links) > 0.5


class GaitModifier:
    """The base class of modifiers: its methods have no effect. In its methods, leg is the index of a leg."""

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the Senses that it reads."""
        return ()

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """Quantities of joints that it senses in addition to the gait, by new names."""
        return {}

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the links with contacts and loads that it reads."""
        return ()

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds, as inputs of a program."""
        return {}

    def memory(self) -> Any:
        """Return its memory before the first control step: a pytree of scalars."""
        return ()

    def structure(self) -> tuple[Any, ...]:
        """Return plain data; modifiers of equal structure share a compiled program."""
        return (type(self).__name__,)

    def renamed(self, links: Mapping[str, str]) -> "GaitModifier":
        """Return the modifier for links with other names; one that names no links returns itself.

        links: new names of links by their names.
        """
        return self

    def remembered(self, now: ModifierInput) -> Any:
        """Return its memory in the control step that begins."""
        return now.own

    def times(self, now: ModifierInput) -> GaitTimes:
        """Return the times of the gait."""
        return now.times

    def phase(self, now: ModifierInput, leg: int, phase: Scalar) -> Scalar:
        """Return the phase of a leg's oscillator [cycles]."""
        return phase

    def ends(self, now: ModifierInput, leg: int, done: Scalar) -> Scalar:
        """Return True if a leg's step ends now. done: the leg steps, and the time of its step is over."""
        return done

    def requests(self, now: ModifierInput, leg: int, requested: Scalar) -> Scalar:
        """Return True if a leg in stance should step. requested: its oscillator or its step reflex requests it."""
        return requested

    def blocks(self, now: ModifierInput, leg: int, states: Sequence[Scalar], blocked: Scalar) -> Scalar:
        """Return True if a leg in potential step must not step yet.

        states: states of all legs; for legs with a lower index, after their decisions. blocked: 1 if its load or a
        neighbour blocks the step.
        """
        return blocked

    def target(self, now: ModifierInput, leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        """Return the target of a motor command that begins now [rad].

        program: "step" or "stance"; command: index in that program of the leg; goal: the target before this change.
        """
        return goal

    def moved(self, now: ModifierInput, decided: GaitMemory) -> GaitMemory:
        """Return the gait's memory after all decisions and new commands.

        Afterwards rates are limited so that no target is passed.
        """
        return decided

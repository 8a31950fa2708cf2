"""Directed waves: balanced waves whose coefficients follow commands of speed, turn and style, see commanded_waves.py.

Commands are followed with a time constant of half a stride, so that gaits change smoothly. Strides vary by a fraction
s: the phase is the integral of f (1 + s n1) for the frequency f of the waves, and the speed is multiplied by 1 + s n2.
The signals n1 and n2 have the variance 1 and a power spectrum inversely proportional to frequency, so that successive
strides are correlated, as those of animals are [Hausdorff and others 1996].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gambol.control.patterns import Balanced
from gambol.control.patterns.pattern import TWO_PI
from gambol.errors import WorldError, did_you_mean
from gambol.gait.behaviour import OTHERS, Behaviour
from gambol.gait.commanded_waves import NextGait, Responses, commanded_waves, numbers_of, waves_between
from gambol.gait.steering import HeadingHold, PathFollowing, TimedValue, check_timed, knots, value_at
from gambol.lanes import Scalar, clamp, floor, minimum, sin, total

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HEADING_LAG = 1.5
"""Time constant of the heading's correction [strides]: with a shorter one the legs, which lag, do not follow."""

REACTION = 0.5
"""Time constant with which commands are followed [strides]."""

MAX_VARIATION = 0.1
"""The largest variation: strides of people and dogs vary by 0.02 to 0.09."""

OCTAVES = range(1, 9)
"""Periods of the sinusoids of a variation, as powers of 2: 2 to 256 strides, one in each octave."""


@dataclass(frozen=True)
class Directed:
    """Waves that follow commands. Raises WorldError for commands out of their ranges.

    waves: the waves without commands. responses: see Responses. speed: as a multiple of that of the waves; turn: rate
    of turn to the left [rad/s]. styles: amounts by name, from 0 to 1. variation: standard deviation of stride times, as
    a fraction; seed: seed of the variation. holding: heading that follows the rate of turn, or None. following: a path
    to follow, or None. behaviour: how it acts on other creatures, which a sensor "others" perceives, or None.
    next_gait: a gait to which it can change, or None; gait: 0 for the first gait, 1 for the next one. In a change the
    speed, as a multiple of that of the waves, and the rate of turn keep their commands.
    """

    kind: ClassVar[str] = "directed"
    waves: Balanced
    responses: Responses
    speed: TimedValue = 1.0
    turn: TimedValue = 0.0
    styles: Mapping[str, float] = field(default_factory=dict[str, float])
    variation: float = 0.0
    seed: int = 0
    holding: HeadingHold | None = None
    following: PathFollowing | None = None
    behaviour: Behaviour | None = None
    gait: TimedValue = 0.0
    next_gait: NextGait | None = None

    def __post_init__(self) -> None:
        top, waves_speed = self.top_turn, self.responses.speed
        degrees = f", at most {math.degrees(top):.3g} degrees a second"
        for name, value, least, most, scale, unit in (
            ("speed", self.speed, 0.0, self.responses.fastest, waves_speed, "m/s"),
            ("turn", self.turn, -top, top, 1.0, "rad/s"),
        ):
            check_timed(f"the {name}", value)
            for x in knots(value)["values"]:
                if not least - 1e-9 <= x <= most + 1e-9:
                    raise WorldError(
                        f"a {name} of {scale * x:.3g} {unit} is not possible; "
                        f"give {scale * least:.3g} to {scale * most:.3g}{degrees if name == 'turn' else ''}"
                    )
        check_timed("the gait", self.gait)
        for name, amount in self.styles.items():
            if name not in self.responses.styles:
                raise WorldError(f'there is no style "{name}"; {did_you_mean(name, self.responses.styles)}')
            if not 0.0 <= amount <= 1.0:
                raise WorldError(f'an amount {amount:g} of the style "{name}" is not possible; give 0 to 1')
        if not 0.0 <= self.variation <= MAX_VARIATION:
            raise WorldError(f"a variation of {self.variation:g} is not possible; give 0 to {MAX_VARIATION:g}")
        if self.holding and self.following:
            raise WorldError("a creature that follows a path cannot hold its heading, too; leave out one of them")
        if self.behaviour and (self.holding or self.following):
            raise WorldError("a creature that acts on others neither holds its heading nor follows a path")

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses of the waves, the coordinates for a heading or a path, and the sensor of others."""
        own = (*self.waves.required_senses, *(("q",) if self.holding or self.following else ()))
        return (*own, OTHERS) if self.behaviour else own

    @property
    def top_turn(self) -> float:
        """The largest rate of turn in all of its gaits [rad/s]."""
        return max(responses.top_turn for responses in self._responses)

    @property
    def _responses(self) -> tuple[Responses, ...]:
        return (self.responses, *([self.next_gait.responses] if self.next_gait else []))

    @property
    def mean_speed(self) -> float:
        """The mean of the commanded speeds [m/s]."""
        speeds = knots(self.speed)["values"]
        return self.responses.speed * sum(speeds) / len(speeds)

    @property
    def top_speed(self) -> float:
        """The largest speed that can be commanded [m/s]."""
        return max(responses.fastest * responses.speed for responses in self._responses)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the waves and their responses, the commands, and the phases of the variation."""
        rng = np.random.default_rng(self.seed)
        return {
            "waves": (waves := self.waves.numbers()),
            **numbers_of(self.responses),
            "commands": {
                "speed": knots(self.speed),
                "turn": knots(self.turn),
                **({"gait": knots(self.gait)} if self.next_gait else {}),
                "styles": {name: self.styles.get(name, 0.0) for name in self.responses.styles},
            },
            "variation": self.variation,
            "phases": [[float(x) for x in rng.random(len(OCTAVES))] for _ in range(2)],
            **({"holding": self.holding.numbers()} if self.holding else {}),
            **({"following": self.following.numbers()} if self.following else {}),
            **({"behaviour": self.behaviour.inputs(self.top_speed)} if self.behaviour else {}),
            **({"next_gait": self._next_numbers(waves)} if self.next_gait else {}),
        }

    def _next_numbers(self, waves: Mapping[str, Any]) -> dict[str, Any]:
        assert self.next_gait
        own, after = self.responses, self.next_gait.responses
        ratios = {
            "frequency": self.next_gait.waves.frequency / self.waves.frequency,
            "lag": self.waves.frequency / self.next_gait.waves.frequency,
            "turn": after.top_turn / own.top_turn,
            "speed": after.speed / own.speed,
        }
        return {**self.next_gait.numbers(waves), "ratios": ratios}

    def memory(self) -> dict[str, Scalar]:
        """Return the phase of the stride [cycles], followed commands, and the heading or the position on the path."""
        followed: dict[str, Scalar] = {"phase": 0.0, "speed": 1.0, "turn": 0.0}
        followed |= dict.fromkeys(self.responses.styles, 0.0)
        held: dict[str, Scalar] = {"heading": 0.0} if self.holding else {}
        followed |= {"gait": knots(self.gait)["values"][0]} if self.next_gait else {}
        return followed | held | ({"along": 0.0} if self.following else {})

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of the waves, the styles, the counts of timed values, the holding and the following."""
        counts = [len(knots(value)["values"]) for value in (self.speed, self.turn)]
        one = self.following
        following = (one.root, len(one.path.x), *(["stops"] if one.path.stops else [])) if one else ()
        holding = self.holding.root if self.holding else None
        own = self.kind, self.waves.structure(), self.responses.styles, counts, holding, following
        acting = (self.behaviour.structure(),) if self.behaviour else ()
        changing = ("gait", len(knots(self.gait)["values"])) if self.next_gait else ()
        return *own, *acting, *changing

    def signals(
        self, numbers: Mapping[str, Any], memory: Mapping[str, Scalar], senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], dict[str, Scalar]]:
        """Return the signals of the waves with their responses to the commands."""
        commanded, guidance_memory = self._commands(numbers, memory, senses, dt)
        beat = self._in_gait(numbers, memory, {"frequency": numbers["waves"]["frequency"]})["frequency"]
        rate = minimum(dt * beat / REACTION, 1.0)
        now = {name: memory[name] + rate * (x - memory[name]) for name, x in commanded.items()}
        rhythm, length = (_variation(phases, memory["phase"]) for phases in numbers["phases"])
        speed = now["speed"] * (1.0 + numbers["variation"] * length)
        styles = {name: now[name] for name in self.responses.styles}
        waves = commanded_waves(numbers, speed, now["turn"], styles)
        if self.next_gait:
            now["gait"] = self._gait(numbers, memory, senses.time, dt)
            following = numbers["next_gait"]
            after = commanded_waves(following, speed, now["turn"], styles)
            waves = waves_between(waves, after, following["bend"], now["gait"])
        phase = memory["phase"] + dt * waves["frequency"] * (1.0 + numbers["variation"] * rhythm)
        signals, _ = self.waves.signals(waves | {"frequency": 1.0}, (), senses, phase, dt)  # phase is the time
        return signals, {**memory, **now, **guidance_memory, "phase": phase}  # in the order of the memory

    def _in_gait(
        self, numbers: Mapping[str, Any], memory: Mapping[str, Scalar], gains: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the gains of the first gait, with frequency, lag, turn and speed of the gait now."""
        if not self.next_gait:
            return dict(gains)
        ratios = {name: 1.0 + memory["gait"] * (x - 1.0) for name, x in numbers["next_gait"]["ratios"].items()}
        return {name: ratios[name] * x if name in ratios else x for name, x in gains.items()}

    def _gait(self, numbers: Mapping[str, Any], memory: Mapping[str, Scalar], time: Scalar, dt: Scalar) -> Scalar:
        """Return the gait, which moves to the commanded one at a constant rate."""
        forth, back = (dt * numbers["waves"]["frequency"] / strides for strides in numbers["next_gait"]["strides"])
        way = value_at(numbers["commands"]["gait"], time) - memory["gait"]
        return memory["gait"] + clamp(way, -back, forth)

    def _commands(
        self, numbers: Mapping[str, Any], memory: Mapping[str, Scalar], senses: Senses, dt: Scalar
    ) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
        """Return the commands by name, and the heading or the position on the path."""
        commands, top = numbers["commands"], self._in_gait(numbers, memory, {"turn": numbers["top_turn"]})["turn"]
        speed, turn = (value_at(commands[name], senses.time) for name in ("speed", "turn"))
        guidance_memory = dict[str, Scalar]()
        if self.holding:
            own = {**memory, "walking": senses.time > 0.0}
            gains = self._in_gait(numbers, memory, numbers["holding"])
            held = self.holding.commands(gains, own, senses.q, turn, dt)
            turn, guidance_memory = held["turn"], {"heading": held["heading"]}
        if self.following:
            own = {"stroke": 1.0, "along": memory["along"]}
            gains = self._in_gait(numbers, memory, numbers["following"])
            found = self.following.commands(gains | {"speed": speed * gains["speed"]}, own, senses.q)
            speed, turn = speed / found["slowness"], turn + found["turn"]
            guidance_memory = {"along": found["along"]}
        if self.behaviour:
            unit, lag = numbers["behaviour"]["top"] / numbers["fastest"], HEADING_LAG / numbers["waves"]["frequency"]
            given, others = (unit * speed, turn), senses.sensors[OTHERS]
            speed, turn = self.behaviour.command(numbers["behaviour"], others, given, lag)
            speed = speed / unit
        return {"speed": speed, "turn": clamp(turn, -top, top), **commands["styles"]}, guidance_memory


def _variation(phases: Sequence[Scalar], cycles: Scalar) -> Scalar:
    """Return a signal of mean 0 and variance 1 at a number of strides: one sinusoid in each octave."""
    amplitude = math.sqrt(2.0 / len(OCTAVES))
    turns = (cycles / 2.0**k + phase for k, phase in zip(OCTAVES, phases, strict=True))
    return total(amplitude * sin(TWO_PI * (x - floor(x))) for x in turns)

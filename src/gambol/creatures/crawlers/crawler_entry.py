"""The row of a crawler in the table of creatures."""

import math
from collections.abc import Callable

from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.crawlers.body import Body, segment_name
from gambol.creatures.crawlers.crawler_world import Surroundings
from gambol.creatures.entry import CreatureEntry
from gambol.world import Push, World


def crawler_entry(
    name: str,
    summary: str,
    make_world: Callable[..., World],
    body: Body,
    gaits: tuple[str, ...] = (),
    course_speed: Callable[[World], float] | None = None,
    straight: str = "",
) -> CreatureEntry:
    """Return the row of a crawler.

    make_world: function that makes the world. With gaits it takes the options of the row, see CreatureEntry; without
    gaits it takes speed and surroundings. body: form of the crawler. course_speed: see CreatureEntry.
    straight: the reason why it cannot turn.
    """
    return CreatureEntry(
        name,
        summary,
        make_world if gaits else _maker(make_world),
        seconds=12.0,
        limbs={},
        trunk=segment_name(body.middle),
        fall_height=-math.inf,
        height=2.0 * body.widest,
        stride_period=wave_period,
        gaits=gaits,
        course_speed=course_speed,
        lacks=dict.fromkeys(("turn", "path"), straight) if straight else {},
    )


def wave_period(world: World) -> float:
    """Return the period of the waves of a crawler, which is the time of a stride [s]."""
    controller = world.controller
    assert controller is not None
    return float(controller.numbers()["law"]["period"])


def _maker(make_world: Callable[..., World]) -> Callable[..., World]:
    """Return a function of a creature's options that calls a function of speed and surroundings."""

    def make(
        *,
        speed: float | None = None,
        ground: Ground | None = None,
        slope: float = 0.0,
        contact: ContactMethod | str = "stepping",
        push: Push | None = None,
    ) -> World:
        return make_world(speed=speed, surroundings=Surroundings(ground, contact, push, slope))

    return make

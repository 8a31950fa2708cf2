"""Sparks: a lamp hangs on two springs; one breaks, then the other, in sparks that bounce, split and die below."""

from pathlib import Path

import numpy as np

import gambol
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.matter.particles import Emitter, Look, ParticleSystem, Spread, with_particles
from gambol.view.page import write_page

WIDTH, HEIGHT = 0.3, 0.7  # of the lamp, and of its hooks above the ground [m]
GLOW = Look(
    colors=((0.0, (1.0, 0.75, 0.2, 1.0)), (0.5, (1.0, 0.45, 0.05, 1.0)), (1.0, (0.6, 0.1, 0.0, 0.3))), streak=0.015
)
FIRST = Emitter(
    speed=Spread(2.0, 1.0), cone=2.0, lifetime=Spread(0.6, 0.3), radius=Spread(0.002), drag=(1.0, 0.0), restitution=0.4,
    children_at_touch=("splinter", 2), look=GLOW,
)  # fmt: skip
SPLINTER = Emitter(
    speed=Spread(0.6, 0.3), cone=1.0, lifetime=Spread(0.2, 0.1), radius=Spread(0.001), on_touch="die", look=GLOW
)


def main() -> None:
    lamp = Figure("lamp", (Link("lamp", None, Joint("free"), (Part(Box((WIDTH, 0.06, 0.06)), density=300.0),)),))
    ends = [(-0.45 * WIDTH, 0.0, 0.03), (0.45 * WIDTH, 0.0, 0.03)]
    wires = tuple(
        gambol.Attachment("lamp", None, end, (end[0], 0.0, HEIGHT), stiffness=60.0, breaks_at=limit)
        for end, limit in zip(ends, (0.03, 0.06), strict=True)
    )
    world = gambol.make_world(lamp, external=gambol.External(attachments=wires))
    state = gambol.start(world, position=(0.0, 0.0, HEIGHT - 0.04))
    film = gambol.run(world, state, seconds=1.5, rate=240.0)
    lengths = np.stack([wire_lengths(film, wire) for wire in wires], axis=1)
    breaks = [int(np.argmax(row > wire.breaks_at)) for row, wire in zip(lengths.T, wires, strict=True)]
    print(f"wires break at {film.time[breaks[0]]:.3f} s and {film.time[breaks[1]]:.3f} s")
    assert 0 < breaks[0] < breaks[1], "the weaker wire breaks first"

    def sparks(frame: int) -> dict[str, np.ndarray]:
        broken = [wire.other_point for wire, at in zip(wires, breaks, strict=True) if at == frame]
        return {"spark": np.repeat(np.array(broken).reshape(-1, 3), 60, axis=0)}

    system = ParticleSystem({"spark": FIRST, "splinter": SPLINTER}, figure=lamp)
    lit = with_particles(film, system, events=sparks)
    first, splinters = lit.matter[len(film.matter) :]  # after the wires
    print(f"{len(np.unique(first.numbers))} sparks, {len(np.unique(splinters.numbers))} splinters")
    assert len(np.unique(first.numbers)) == 120, "each wire gives 60 sparks"
    assert first.starts[breaks[0]] == 0, "sparks before the first wire broke"
    assert len(np.unique(splinters.numbers)) > 40, "sparks split where they hit the ground"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(lit, out / "sparks.html", speed=0.2)


def wire_lengths(film: gambol.Film, wire: gambol.Attachment) -> np.ndarray:
    """Return the length of a wire in each frame [m]."""
    w, x, y, z = film.quaternion[:, 0, 0].T
    along = np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)], axis=1)
    upward = np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)], axis=1)
    end = film.position[:, 0, 0] + along * wire.point[0] + upward * wire.point[2]
    return np.linalg.norm(end - wire.other_point, axis=1)


if __name__ == "__main__":
    main()

"""Wires: the roach of a script tears two high-voltage wires; sparks fly from their broken ends and where it touches."""

from pathlib import Path

import numpy as np

import gambol
from gambol.collide.broad import Pair
from gambol.collide.pairs import gaps
from gambol.figure import Part
from gambol.matter.particles import Emitter, Look, ParticleSystem, Spread, with_particles
from gambol.spatial import Quaternion, Rotation, Transform, Vector
from gambol.view.page import write_page

SCRIPT = Path(__file__).parent / "scripts" / "wires.corpus"
BURST, TRICKLE = 50, 2  # sparks at each end of a wire when it breaks, and in each frame afterwards
LIVE = 0.15  # time for which a broken end gives sparks [s]
GLOW = Look(
    colors=((0.0, (1.0, 0.80, 0.25, 1.0)), (0.5, (1.0, 0.45, 0.05, 1.0)), (1.0, (0.6, 0.1, 0.0, 0.2))), streak=0.006
)
SPARK = Emitter(
    speed=Spread(0.3, 0.2), cone=2.2, lifetime=Spread(0.06, 0.03), radius=Spread(2e-4, 1e-4), drag=(5.0, 0.0),
    restitution=0.4, look=GLOW,
)  # fmt: skip


def main() -> None:
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(with_sparks(out), out / "wires.html", speed=0.1)


def with_sparks(out: Path) -> gambol.Film:
    """Return the film of the script with sparks. out: folder for what the script writes."""
    script = gambol.read_script(SCRIPT)
    world = script.dry_run().build_world()
    film = script.run(out)
    wires = world.external.attachments
    ends = [(end(film, w.link, w.point), end(film, w.other, w.other_point)) for w in wires]
    lengths = [np.linalg.norm(left - right, axis=1) for left, right in ends]
    breaks = [int(np.argmax(length > w.breaks_at)) for length, w in zip(lengths, wires, strict=True)]
    assert 0 < breaks[0] < breaks[1], "the wires break one after the other"
    touches = [touching(film, world.figure, pair) for pair in world.pairs]

    def sparks(frame: int) -> dict[str, np.ndarray]:
        broken, contacts = list[np.ndarray](), list[np.ndarray]()
        for pair, at in zip(ends, breaks, strict=True):
            if at <= frame and film.time[frame] - film.time[at] < LIVE:
                broken += [path[frame] for path in pair for _ in range(BURST if frame == at else TRICKLE)]
        for touched, point in touches:
            if touched[frame]:
                contacts.append(point[frame])
        return {"end": np.reshape(broken, (-1, 3)), "contact": np.reshape(contacts, (-1, 3))}

    lit = with_particles(film, ParticleSystem({"end": SPARK, "contact": SPARK}, figure=world.figure), events=sparks)
    kinds = lit.matter[len(film.matter) :]  # after the wires
    born = [len(np.unique(kind.numbers)) for kind in kinds]
    print(f"{born[0]} sparks from broken ends, {born[1]} from contacts of the roach with wires")
    assert kinds[0].starts[breaks[0]] == 0, "a wire gave sparks before it broke"
    assert born[0] > 4 * BURST, "each of four broken ends gives sparks"
    assert born[1] > 100, "the roach touches live wires without sparks"
    return lit


def poses(film: gambol.Film, link: str) -> Transform:
    """Return the pose of a link in all frames at once."""
    k = film.link_names.index(link)
    return Transform(Quaternion(*film.quaternion[:, 0, k].T).rotation(), Vector(*film.position[:, 0, k].T))


def end(film: gambol.Film, link: str, point: tuple[float, float, float]) -> np.ndarray:
    """Return the positions of a point of a link in each frame (F, 3) [m]."""
    place = poses(film, link) @ Vector(*point)
    return np.stack([place.x, place.y, place.z], axis=1)


def touching(film: gambol.Film, figure: gambol.Figure, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return whether two parts touch in each frame (F,), and where they are closest (F, 3) [m]."""
    first, second = pair.parts(figure)
    link, other = (figure.links[k - 1].name for k in (pair.link, pair.other))
    found = gaps(first.shape, placed(film, link, first), second.shape, placed(film, other, second))
    sizes = np.stack([np.broadcast_to(gap.size, film.time.shape) for gap in found])
    points = np.stack([np.stack([gap.point_a.x, gap.point_a.y, gap.point_a.z], axis=-1) for gap in found])
    closest = np.argmin(sizes, axis=0), np.arange(len(film.time))
    return sizes[closest] < 0.0, points[closest]


def placed(film: gambol.Film, link: str, part: Part) -> Transform:
    """Return the pose of a part of a link in all frames at once."""
    return poses(film, link) @ Transform(Rotation(part.rotation), Vector(*part.position))


if __name__ == "__main__":
    main()

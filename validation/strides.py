"""A stride of each animal of the zoo: `python -m validation.strides [NAME ...]` draws docs/pictures/stride-NAME.png.

Each picture has frames of one stride from the side, the stances of each limb in it, and beside these the stances of the
animal that it is like, from the literature. A stride begins with the landing of the hindmost left limb.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gambol
from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.creatures.natural.steady_gait import steady_gait
from gambol.formats import atomic_write
from gambol.gait.natural import SteadyGait
from gambol.gait.stances import beginnings
from gambol.view.camera import FollowCamera
from gambol.view.scene import look
from gambol.view.stage import Stage
from gambol.world import Film, run, start

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SECONDS, RATE = 8.0, 120.0
FRAMES, COLUMNS, WIDTH, HEIGHT = 8, 4, 480, 270
SIDE = FollowCamera(azimuth=-90.0, elevation=10.0, nearest=0.0)
PICTURE_WIDTH = 10.0  # [inch]
BAR = 0.72
"""Height of a bar, as a fraction of a row."""

UNKNOWN = 0.5
"""The duty factor that is drawn where none is known."""


@dataclass(frozen=True)
class KnownGait:
    """The gait of an animal in the literature.

    animal: text. limbs: landing after that of the hindmost left limb [cycles] and duty factor, by limb.
    """

    animal: str
    limbs: Mapping[str, tuple[float, float]]


def both_sides(lefts: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Return landing and duty factor of limbs of both sides; right limbs land half a stride after left ones."""
    left = {f"{limb} left": value for limb, value in lefts.items()}
    return left | {f"{limb} right": ((phase + 0.5) % 1.0, duty) for limb, (phase, duty) in lefts.items()}


def four_legs(lag: float, hind: float, fore: float, names: tuple[str, str] = ("hind", "fore")) -> dict[str, Any]:
    """Return limbs of a walk. lag: landing of a fore foot after the hind foot of its side; hind, fore: duty factors."""
    return both_sides({names[1]: (lag, fore), names[0]: (0.0, hind)})


def alternating(limbs: Sequence[str], lag: float = 0.5, duty: float = UNKNOWN) -> dict[str, Any]:
    """Return limbs that land one after the other. limbs: of one side, the foremost first; lag: of the next in front."""
    count = len(limbs)
    return both_sides({limb: (lag * (count - 1 - k) % 1.0, duty) for k, limb in enumerate(limbs)})


KNOWN = {
    "hound": KnownGait("dog, lateral walk: 10 strides of one dog", four_legs(0.22, 0.58, 0.48)),
    "greyhound": KnownGait("dog, trot: 8 strides of one dog", four_legs(0.5, 0.36, 0.44)),
    "cat": KnownGait("mammal of 4.5 kg: duty factor 0.62 M^0.02, lateral sequence", four_legs(0.25, 0.64, 0.64)),
    "horse": KnownGait("horse, walk: Clayton 1994, Hildebrand 1965", four_legs(0.22, 0.625, 0.625)),
    "lizard": KnownGait("newt and lizard: diagonal couplets, duty factor 0.63 to 0.77", four_legs(0.4, 0.7, 0.7)),
    "monkey": KnownGait(
        "monkeys: diagonal sequence; duty factor of mammals of 8 kg",
        four_legs(0.6, 0.65, 0.65, ("leg", "arm")),
    ),
    "bird": KnownGait("bird of 5.5 kg: duty factor 0.67 M^0.03", both_sides({"leg": (0.0, 0.705)})),
    "beetle": KnownGait(
        "insects: alternating tripod; duty factor of a fly, 0.62 to 0.69",
        both_sides({"front leg": (0.0, 0.62), "middle leg": (0.5, 0.64), "hind leg": (0.0, 0.69)}),
    ),
    "spider": KnownGait(
        "spiders: alternating tetrapod; duty factor not known",
        alternating([f"leg {number}" for number in ("one", "two", "three", "four")]),
    ),
    "dinosaur": KnownGait("bird law at 60 kg: duty factor 0.67 M^0.03", both_sides({"leg": (0.0, 0.757)})),
    "oculus": KnownGait("mammal of 12 kg: duty factor 0.62 M^0.02, lateral sequence", four_legs(0.25, 0.65, 0.65)),
    "centipede": KnownGait(
        "Scolopendra: two waves along the body; duty factor not known",
        alternating([f"leg {number}" for number in range(1, 8)], lag=2.0 / 7.0),
    ),
    "crab": KnownGait(
        "rock crab: alternating; duty factor not known",
        alternating(["front leg", "middle leg", "hind leg"]),
    ),
}
"""The gait beside which each animal is drawn; numbers and sources are those of gambol.gait.animals."""


@dataclass(frozen=True)
class Stride:
    """One stride of a walk.

    start, end [s]. limbs: names. phase (F,): of each frame [cycles]. stance (F, limbs): True while a limb stands.
    """

    start: float
    end: float
    limbs: tuple[str, ...]
    phase: NDArray[np.float64]
    stance: NDArray[np.bool_]

    def landing(self, limb: str) -> float:
        """Return the phase of the landing of a limb [cycles]; NaN if it does not land in this stride."""
        stands = self.stance[:, self.limbs.index(limb)]
        landings = beginnings(np.concatenate([stands[-1:], stands]))
        return float(self.phase[landings[0] - 1]) if len(landings) else float("nan")

    def duty(self, limb: str) -> float:
        """Return the fraction of the stride in which a limb stands."""
        return float(self.stance[:, self.limbs.index(limb)].mean())


def middle_stride(gait: SteadyGait, first: str) -> Stride:
    """Return a stride near the middle of a walk. first: limb with whose landing it begins.

    It lasts as long as the mean stride, since a limb may touch the ground more than once in it.
    """
    limbs = tuple(foot.rpartition(" ")[0] for foot in gait.feet)
    landings = beginnings(gait.stance[:, limbs.index(first)])
    begin = int(landings[np.argmin(np.abs(landings - len(gait.time) // 2))])
    start, period = float(gait.time[begin]), 1.0 / gait.frequency
    inside = slice(begin, int(np.searchsorted(gait.time, start + period - 1e-9)))
    return Stride(start, start + period, limbs, (gait.time[inside] - start) / period, gait.stance[inside])


def draw_frames(figure: Any, film: Film, stride: Stride) -> None:
    """Draw frames of a stride in rows, with their phases."""
    panels = figure.subplots(FRAMES // COLUMNS, COLUMNS).flat
    with Stage(film, WIDTH, HEIGHT, 0, SIDE) as stage:
        for k, axes in enumerate(panels):
            time = stride.start + (stride.end - stride.start) * k / FRAMES
            frame = int(np.argmin(np.abs(film.time - time)))
            stage.pose(frame)
            stage.aim(frame)
            axes.imshow(stage.screenshot())
            axes.text(8, 24, f"{k / FRAMES:.3g}", fontsize=8, color=look.INK)
            axes.set_axis_off()


def draw_bars(axes: Any, rows: Mapping[str, Sequence[tuple[float, float]]], title: str) -> None:
    """Draw stances. rows: by limb, from the top, start and length of each stance [cycles]."""
    for row, spans in enumerate(rows.values()):
        style: dict[str, Any] = {"edgecolor": look.INK, "linewidth": 0.5}
        axes.broken_barh([(0.0, 1.0)], (row - BAR / 2, BAR), facecolor=look.STEP_BAR, **style)
        axes.broken_barh(list(spans), (row - BAR / 2, BAR), facecolor=look.STANCE_BAR, linewidth=0.0)
    axes.set(xlim=(0.0, 1.0), ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), list(rows), fontsize=7)
    axes.tick_params(axis="both", length=0, labelsize=7)
    axes.set_title(title, fontsize=8, loc="left", color=look.INK)
    for spine in axes.spines.values():
        spine.set_visible(False)


def spans_of(stride: Stride, limb: str) -> list[tuple[float, float]]:
    """Return start and length of each stance of a limb in a stride [cycles]."""
    stands = np.concatenate([[False], stride.stance[:, stride.limbs.index(limb)], [False]])
    edges = np.flatnonzero(stands[1:] != stands[:-1]).reshape(-1, 2)
    ends = np.append(stride.phase, 1.0)
    return [(float(ends[a]), float(ends[b] - ends[a])) for a, b in edges]


def known_spans(landing: float, duty: float) -> list[tuple[float, float]]:
    """Return start and length of each stance in a stride; one that goes on into the next stride is cut in two."""
    over = max(0.0, landing + duty - 1.0)
    return [(landing, duty - over), *([(0.0, over)] if over else [])]


def film_of(name: str) -> Film:
    """Return the film of an animal's walk."""
    world = gambol.make_world(name)
    return run(world, start(world), SECONDS, rate=RATE)


def write_stride(name: str, film: Film, path: Path) -> str:
    """Write the picture of an animal's stride; return a line with landings and duty factors beside the known ones."""
    known = KNOWN[name]
    first = f"{next(iter((ANIMALS | TROTTERS)[name].legs))} left"
    stride = middle_stride(steady_gait(film), first)
    limbs = [limb for limb in known.limbs if limb in stride.limbs]
    heights = [PICTURE_WIDTH / COLUMNS * HEIGHT / WIDTH * FRAMES / COLUMNS, 0.6 + 0.17 * len(limbs)]
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(PICTURE_WIDTH, sum(heights)), facecolor="white", layout="constrained"
    )
    upper, lower = figure.subfigures(2, 1, height_ratios=heights)
    draw_frames(upper, film, stride)
    left, right = lower.subplots(1, 2)
    period = stride.end - stride.start
    duty = float(np.mean([stride.duty(limb) for limb in limbs]))
    title = f"{name}: a stride of {period:.2f} s, mean duty factor {duty:.2f}"
    draw_bars(left, {limb: spans_of(stride, limb) for limb in limbs}, title)
    draw_bars(right, {limb: known_spans(*known.limbs[limb]) for limb in limbs}, known.animal)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, format="png", dpi=110)
    each = [
        f"{limb} {stride.landing(limb):.2f}/{landing:.2f} {stride.duty(limb):.2f}/{duty:.2f}"
        for limb in limbs
        for landing, duty in (known.limbs[limb],)
    ]
    return f"{name} (landing, duty factor; here/known): {', '.join(each)}"


def main(names: list[str]) -> int:
    """Draw the named animals, or all."""
    for name in names or KNOWN:
        sys.stdout.write(write_stride(name, film_of(name), PICTURES / f"stride-{name}.png") + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Colours, proportions and lights of the page, the stills and the video."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

from gambol.figure import Finish
from gambol.figure.color import rgb_values
from gambol.world.film import Film

TRUNK = "#8a4a1c"  # the warm brown of Periplaneta's back
LEG = "#b07236"  # legs a shade lighter, so that they stand out before the trunk
WHITE = "#ffffff"  # below a texture
STEPPING = "#f2b134"  # a stepping leg is amber: distinct from LEG in grey as well as in colour
FORCE = "#c8452f"  # arrows of contact forces: red, since nothing else is
GROUND = "#ebe6dc"
GRID = "#c9c1b1"
VALLEY, PEAK = "#bccabd", "#fbe8c6"  # of uneven ground, from its lowest point to its highest
CONTOUR = "#8d8371"
MIN_CONTOURS = 6  # smallest number of contour intervals from the lowest point to the highest
SHADOW, SHADOW_ON_HILLS = "#a79d8c", "#868375"  # hills are darker than a floor
SKY = "#f6f4ef"
ZENITH = "#cfdbe6"  # of a page's sky, far above its horizon
INK = "#2f2a24"
STANCE_BAR, STEP_BAR = "#1d1a17", "#ffffff"  # stance black, step white, as in [McKenna 1990, figures 12 and 13]
BEVEL = 0.12  # of a box's shortest edge; a chamfer catches the light as the thesis' bevelled cubes did
BONE_RADIUS, MAX_DOT_RADIUS = 0.02, 0.08  # radii of a stick and of the heaviest dot, as fractions of the longest bone
ROUGHNESS, SHEEN = 0.6, 0.35  # of an insect's cuticle, which is slightly glossy
SHINE, MAX_SHINE, AMBIENT = 20.0, 128.0, 0.15  # Phong's exponent and its bound; fraction of light from all sides
SUN = (0.25, -0.75, 1.2)  # towards the light, as (ahead, left, up) of the figure: on its right, where the camera is
REAL_TIME_LENGTH = 0.3  # [m] a figure this long is shown in real time
ENVIRONMENT, SUNLIGHT = 0.3, 1.9  # strengths of a page's lights: of a room all around, and of the sun
PAGE_GROUND = "#ddd7ca"  # darker than GROUND, since a page's light is stronger
PAGE_ROUGHNESS = 0.4  # less than ROUGHNESS: in a page the surface reflects a room
DARK = {  # the values that differ in dark mode of a page; figures keep their colours
    "sky": "#1c1f24", "zenith": "#10131a", "ground": "#3d3f43", "grid": "#5a5d63", "ink": "#e8e2d8",
    "valley": "#27302c", "peak": "#4a4236", "contourInk": "#6d6a62", "step": "#5d5a55", "stance": "#0c0b0a",
    "environment": 0.33, "sunlight": 1.8,
}  # fmt: skip
WORD = r"[0-9a-z]+"  # pattern of a word in a name
PLAYBACK_RATES = (1 / 100, 1 / 40, 1 / 20, 1 / 10, 1 / 5, 1 / 2, 1.0)


@dataclass(frozen=True)
class LinkLook:
    """The look of a link.

    color: colour of the first of its shapes that has a colour, or else the colour of trunk or leg. leg: index of its
    leg in limb_names, None for the trunk.
    """

    color: str
    leg: int | None


def phong(finish: Finish) -> dict[str, float]:
    """Return the coefficients of Phong's reflection model, as PyVista takes them.

    The exponent falls with the fourth power of the roughness [Walter 2007], from SHINE at ROUGHNESS. A metal reflects
    half of the diffuse light as a highlight instead.
    """
    roughness = ROUGHNESS if finish.roughness is None else finish.roughness
    shine = SHINE * (ROUGHNESS / max(roughness, 0.1)) ** 4
    sheen = SHEEN * (1.0 - roughness) / (1.0 - ROUGHNESS)
    return {
        "ambient": AMBIENT,
        "diffuse": (1.0 - AMBIENT) * (1.0 - 0.5 * finish.metallic),
        "specular": min(sheen + 0.5 * finish.metallic, 1.0),
        "specular_power": min(max(shine, 1.0), MAX_SHINE),
    }


def ambient_rgb(color: str, emission: str) -> list[float]:
    """Return the colour (sRGB) of a surface that emits light where no lamp shines."""
    channels = zip(rgb_values(color), rgb_values(emission), strict=True)
    return [min(AMBIENT * own + light, 1.0) for own, light in channels]


def link_looks(film: Film) -> tuple[LinkLook, ...]:
    """Return the look of each link."""
    legs = [leg_of(name, film.limb_names) for name in film.link_names]
    given = {shape.link: shape.color for shape in reversed(film.drawn) if shape.color}
    return tuple(LinkLook(given.get(k, TRUNK if leg is None else LEG), leg) for k, leg in enumerate(legs))


def highlighted_links(film: Film, looks: Sequence[LinkLook], frame: int) -> set[int]:
    """Return the links of world 0 with the colour of a step: those of stepping legs, and those with active joints."""
    links = set[int]()
    if (active := film.signals.get("active")) is not None:
        links |= set(np.flatnonzero(active[frame, 0] > 0.5).tolist())
    if (signal := film.signals.get("stepping")) is not None:
        stepping = set(np.flatnonzero(signal[frame, 0] > 0.5).tolist())
        links |= {k for k, look in enumerate(looks) if look.leg in stepping}
    return links


def shape_colors(film: Film) -> tuple[str, ...]:
    """Return the colour of each drawn shape: its colour, white below a texture, or the colour of its link."""
    default = [TRUNK if look.leg is None else LEG for look in link_looks(film)]
    return tuple(shape.color or (WHITE if shape.texture else default[shape.link]) for shape in film.drawn)


def leg_of(link: str, legs: tuple[str, ...]) -> int | None:
    """Return the index of the leg with words or initials that are in the name of a link; None for other links.

    "tibia_fl", "leg_fl3" and "tibia front left" belong to leg "front left"; the first two also belong to leg "fl".
    Case, and digits at the end of the link's words, are ignored.
    """
    words = _word_set(link)
    words |= {word.rstrip("0123456789") for word in words}
    for i, leg in enumerate(legs):
        leg_words = _word_set(leg)
        initials = "".join(word[0] for word in re.findall(WORD, leg.lower()))
        if leg_words and (leg_words <= words or (len(initials) > 1 and initials in words)):
            return i
    return None


def _word_set(name: str) -> set[str]:
    return set(re.findall(WORD, name.lower()))


def playback_rate(size: float) -> float:
    """Return the playback rate for a figure of this size [m]: 1 is real time, 1/10 ten times slower.

    Animals of equal shape move their limbs at rates in inverse proportion to their length [Hill 1950]. So at a playback
    rate proportional to length, a small animal is as easy to watch as a cat in real time.
    """
    return min(PLAYBACK_RATES, key=lambda rate: abs(log10(rate) - log10(max(size, 1e-9) / REAL_TIME_LENGTH)))


def rate_text(rate: float) -> str:
    """Return a playback rate as text: "real time", "1/10 real time" or "2 x real time"."""
    if rate == 1.0:
        return "real time"
    return f"1/{1 / rate:.3g} real time" if rate < 1.0 else f"{rate:.3g} x real time"


def round_length(length: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten that is not above a length [m]."""
    decade = 10.0 ** floor(log10(length) + 1e-9)
    return max(m * decade for m in (1.0, 2.0, 5.0) if m * decade <= length * (1 + 1e-9))


def length_text(length: float) -> str:
    """Return a length [m] as text in a customary unit: "5 mm", "1 cm", "2 m"."""
    for unit, size in (("m", 1.0), ("cm", 0.01), ("mm", 0.001)):
        if length >= size * (1 - 1e-9):
            return f"{length / size:.3g} {unit}" if length < 100 * size else f"{length / size:.0f} {unit}"
    return f"{length / 1e-6:.3g} um"


def contour_levels(low: float, high: float) -> list[float]:
    """Return the heights of contour lines between two heights: odd multiples of half of contour_step [m]."""
    step = contour_step(low, high)
    return [step * (k + 0.5) for k in range(floor(low / step), ceil(high / step)) if low < step * (k + 0.5) < high]


def contour_step(low: float, high: float) -> float:
    """Return the spacing of contour lines between two heights [m]."""
    return round_length((high - low) / MIN_CONTOURS)

"""A page that plays a motion in 3D: one .html file that contains film, player and three.js, and needs no network.

The film is stored as integer differences between frames, split into byte planes and compressed: smooth motion takes
about one byte per number. The player in `player/` decodes it.
"""

import base64
import gzip
import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view import stage
from gambol.view.camera import Camera, placed
from gambol.view.camera.page import page_tracks
from gambol.view.scene import look
from gambol.view.scene.differences import encode_differences
from gambol.view.scene.framing import LANE_MARGIN, Framing, frame_film, near_path
from gambol.view.scene.legs import legs_by_side, stepping_of
from gambol.view.scene.matter import page_matter
from gambol.view.scene.meshes import shape_mesh
from gambol.view.scene.tube import look_of_muscles
from gambol.view.scene.visuals import page_visuals, visual_numbers
from gambol.view.template import fill_template
from gambol.world.film import Film

RATE = 240.0  # frames per second of simulated time: 24 in a stride of the roach; the player interpolates
MAX_NUMBERS = 5_000_000  # in a page, 1 to 1.5 bytes each: with the scripts 6 to 9 MB; for more the rate is lowered
MIN_RATE = 60.0  # frames per second: the rate of a long film is not lowered further
MAX_WORLDS = 16
ELEVATION = 14.0  # [deg] of the camera above the ground, for one world: low, so that the horizon is visible
FIELD_OF_VIEW = 30.0  # [deg] wider than in pictures, since the view in a page can be rotated
ARROW_LENGTH = 0.6  # figure sizes: of the largest force in a film
LENGTH_STEP = 2.0**-15  # of the figure's size: resolution of stored lengths, 1 micrometre for the roach


def write_page(
    film: Film,
    path: str | Path,
    *,
    worlds: Sequence[int] | None = None,
    rate: float = RATE,
    speed: float | None = None,
    camera: Camera | None = None,
) -> Path:
    """Write a film as one .html file that plays it in any browser with WebGL 2. Returns the path.

    film: the film; path: path of the file; worlds: indices of the worlds to show (None: the first 16), side by side if
    they start at the same position; rate: largest number of frames per second of simulated time; speed: 1 for real
    time, 0.1 for ten times slower (None: from the figure's size); camera: camera of the page until the viewer drags
    (None: the film's signal "camera", if it has one). Raises GambolError for a film with nothing to draw, an unknown
    world, or a folder that cannot be written to.
    """
    text = page_text(film, encode_film(film, worlds, rate, speed, camera))
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def page_text(film: Film, encoded: str) -> str:
    """Return the text of a page. encoded: the film, encoded by encode_film()."""
    return fill_template("player", {"title": html.escape(printable(film.name)), "film": encoded})


def encode_film(
    film: Film,
    worlds: Sequence[int] | None = None,
    rate: float = RATE,
    speed: float | None = None,
    camera: Camera | None = None,
) -> str:
    """Return a film as text for the player; for arguments and errors see write_page()."""
    if speed is not None and not speed > 0.0:
        raise GambolError(f"the speed of a page is {speed}; it must be positive (1 is real time)")
    indices = list(range(min(film.worlds, MAX_WORLDS))) if worlds is None else list(worlds)
    selected = film.of_worlds(indices)
    framing = frame_film(selected)
    sampled = selected.at_rate(_limited_rate(rate, selected))
    description, arrays = _player_data(sampled, frame_film(sampled), speed or look.playback_rate(framing.size))
    description["worldNames"] = [str(w) for w in indices]
    description |= page_tracks(sampled, camera, description["unit"], arrays)
    return encode_arrays(description, arrays)


def _limited_rate(rate: float, film: Film) -> float:
    """Return the rate [frames/s]: at most that of the film, and lower, down to MIN_RATE, if the page gets too large."""
    if not rate > 0.0:
        raise GambolError(f"a page cannot have {rate} frames/s; give a positive rate")
    if film.duration == 0.0:
        return rate
    numbers_per_frame = 7 * film.worlds * len(film.link_names)
    max_page_rate = max(MAX_NUMBERS / (numbers_per_frame * film.duration), MIN_RATE)
    film_rate = (len(film.time) - 1) / film.duration
    return min(rate, max_page_rate, film_rate)


def _player_data(film: Film, framing: Framing, playback: float) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the data of the player: a description and its arrays. Quaternions are stored in steps of 1/32767."""
    F, W, L = film.position.shape[:3]
    unit = LENGTH_STEP * framing.size
    poses = np.concatenate([film.position / unit, 32767.0 * _sign_continuous(film.quaternion)], axis=-1)
    arrays = {
        "motion": encode_differences(poses.reshape(F, W * L * 7)),
        "path": encode_differences(framing.path.reshape(F, W * 3) / unit),
    }
    description: dict[str, Any] = {
        "name": film.name, "start": float(film.time[0]), "rate": _rate_of(film), "frames": F, "worlds": W, "links": L,
        "unit": unit, "size": framing.size, "heading": framing.heading[:2].tolist(),
        "offsets": framing.offsets.tolist(), "playback": playback, "rates": sorted({*look.PLAYBACK_RATES, playback}),
    }  # fmt: skip
    description |= _figure_data(film, arrays) | page_visuals(film.drawn, framing.size, arrays)
    description |= (
        _cut_data(film, arrays)
        | _active_data(film, arrays)
        | _leg_data(film, arrays)
        | _ground_data(film, framing, unit, arrays)
    )
    description |= _force_data(film, framing.size, unit, arrays) | page_matter(film, unit, arrays)
    subject = "figure" if film.drawn else "scene"
    description |= _style_data(framing, description["ground"]["contour"] if description["ground"] else 0.0, subject)
    return description, arrays


def _rate_of(film: Film) -> float:
    return (len(film.time) - 1) / film.duration if film.duration else 1.0


def _figure_data(film: Film, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return shapes, and colours and legs of links; add the meshes to arrays.

    Shapes of equal kind and size share a mesh.
    """
    meshes: dict[tuple[Any, ...], int] = {}
    shapes: list[dict[str, Any]] = []
    for shape, data in zip(film.drawn, visual_numbers(film.drawn), strict=True):
        if shape.mesh is None:
            index = meshes.setdefault((shape.kind, *shape.size), len(meshes))
            if f"mesh{index}" not in arrays:
                mesh = shape_mesh(shape)
                arrays[f"mesh{index}"] = np.concatenate([mesh.corners, mesh.normals]).astype("<f4").tobytes()
            data["mesh"] = index
        color = shape.color or (look.WHITE if shape.texture else None)
        data |= {"color": color} if color else {}
        shapes.append({"link": shape.link, "position": shape.position, "quaternion": shape.quaternion} | data)
    looks = look.link_looks(film)
    colors = [look.TRUNK if link_look.leg is None else look.LEG for link_look in looks]
    legs = [link_look.leg for link_look in looks]
    return {"shapes": shapes, "meshes": list(range(len(meshes))), "linkColor": colors, "linkLeg": legs}


def _cut_data(film: Film, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return whether links of the first world are cut off at some time; add which in each frame to arrays."""
    cut = film.signals.get("cut_off")
    if cut is None or not cut[:, 0].any():
        return {"cuts": False}
    arrays["cut"] = (cut[:, 0] > 0.5).astype(np.uint8).tobytes()
    return {"cuts": True}


def _active_data(film: Film, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return whether only some joints are active at some time; add the links with active joints (F, W, L) to arrays."""
    active = film.signals.get("active")
    if active is None or (active > 0.5).all():
        return {"actives": False}
    arrays["active"] = (active > 0.5).astype(np.uint8).tobytes()
    return {"actives": True}


def _leg_data(film: Film, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the names and the order of the legs; add their stepping signals to arrays."""
    try:
        steps = np.stack([stepping_of(film, w) for w in range(film.worlds)])
    except GambolError:  # a film without legs
        return {"legs": [], "legOrder": []}
    arrays["stepping"] = (steps.transpose(0, 2, 1) > 0.5).astype(np.uint8).tobytes()
    return {"legs": film.limb_names, "legOrder": legs_by_side(film)}


def _force_data(film: Film, size: float, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the number of force arrows of a world, and a caption; add their feet and lengths to arrays.

    Arrows show the signals "contact_points" [m] and "contact_forces" [N], (F, W, contacts, 3), if a film has both. The
    largest force is an arrow of ARROW_LENGTH figure sizes.
    """
    points, forces = film.signals.get("contact_points"), film.signals.get("contact_forces")
    if points is None or forces is None or not forces.size:
        return {"arrows": 0}
    F, W, count = forces.shape[:3]
    largest = float(np.linalg.norm(forces, axis=-1).max())
    scale = ARROW_LENGTH * size / largest if largest else 0.0
    arrays["arrowStarts"] = encode_differences(points.reshape(F, W * count * 3) / unit)
    arrays["arrows"] = encode_differences(forces.reshape(F, W * count * 3) * (scale / unit))
    return {"arrows": count, "arrowCaption": f"force of the ground; the longest is {largest:.3g} N"}


def _ground_data(film: Film, framing: Framing, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the height of an infinite floor [m] and, for any other ground, its grid.

    Add the heights of the grid to arrays.

    unit: unit of the heights in arrays [m].
    """
    ground = near_path(film.ground, framing, LANE_MARGIN if framing.offsets.any() else 2.0 * stage.FLOOR_HALF_WIDTH)
    if ground.heights is None:
        lowest, below = float(film.position[..., 2].min()), FLOOR_BELOW * framing.size
        return {"floor": lowest - below if lowest < -below else 0.0, "ground": None}
    rows, columns = ground.heights.shape
    low, high = float(ground.heights.min()), float(ground.heights.max())
    if low == high and rows == columns == 2:  # a level plane at any height
        return {"floor": low, "ground": None}
    arrays["heights"] = encode_differences(ground.heights / unit)
    grid = {"x0": ground.x0, "y0": ground.y0, "spacing": ground.spacing}
    relief = {"low": low, "high": high, "contour": look.contour_step(low, high) if high > low else 0.0}
    return {"floor": 0.0, "ground": {"rows": rows, "columns": columns, **grid, **relief}}


def _style_data(framing: Framing, contour: float, subject: str) -> dict[str, Any]:
    """Return colours, camera and captions of the player.

    contour: spacing of the contour lines [m]; 0: no lines. subject: subject of the page, for the caption.
    """
    grid = look.round_length(framing.length / 2.0)
    colors = {
        "sky": look.SKY, "zenith": look.ZENITH, "ground": look.PAGE_GROUND, "grid": look.GRID, "ink": look.INK,
        "valley": look.VALLEY, "peak": look.PEAK, "contourInk": look.CONTOUR, "leg": look.LEG,
        "force": look.FORCE, "stepping": look.STEPPING, "stance": look.STANCE_BAR, "step": look.STEP_BAR,
        "roughness": look.PAGE_ROUGHNESS, "muscles": look_of_muscles(), "dark": look.DARK,
    }  # fmt: skip
    view = {
        "field": FIELD_OF_VIEW, "azimuth": placed.AZIMUTH, "distance": placed.DISTANCE,
        "elevation": placed.ELEVATION if framing.offsets.any() else ELEVATION,
        "sun": look.SUN, "environment": look.ENVIRONMENT, "sunlight": look.SUNLIGHT,
    }  # fmt: skip
    facts = f"a square is {look.length_text(grid)} wide; the {subject} is {look.length_text(framing.length)} long"
    facts += f"; contour lines are {look.length_text(contour)} apart" if contour else ""
    return {"look": colors | view, "grid": grid, "facts": facts}


FLOOR_BELOW = 0.1
"""Where a figure hangs below the height 0, without ground, the floor is drawn below it by this part of its size."""


def _sign_continuous(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quaternions (F, ..., 4) with signs chosen so that no quaternion jumps from q to -q between frames."""
    flipped = np.sum(q[1:] * q[:-1], axis=-1, keepdims=True) < 0.0
    sign = np.where(np.cumsum(flipped, axis=0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * sign])


def encode_arrays(description: Mapping[str, Any], arrays: Mapping[str, bytes]) -> str:
    """Return the film as text: the description's length, the description (JSON) and the arrays, as gzip in base64."""
    array_spans: dict[str, tuple[int, int]] = {}
    offset = 0
    for name, data in arrays.items():
        array_spans[name] = (offset, len(data))
        offset += len(data)
    header = json.dumps({**description, "arrays": array_spans}).encode()
    content = b"".join([len(header).to_bytes(4, "little"), header, *arrays.values()])
    return base64.b64encode(gzip.compress(content, 6, mtime=0)).decode()

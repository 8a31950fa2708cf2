"""Random hills: smooth noise as a grid of heights, with a level start area in the middle."""

import numpy as np
from numpy.typing import NDArray

from gambol.collide.height_grid import HeightGrid
from gambol.errors import WorldError

CELLS_PER_WAVELENGTH = 8  # neighbouring triangles then differ by a few degrees, and look smooth
MAX_CELLS = 2000  # along an edge: 32 MB of heights


def random_hills(
    height: float, *, wavelength: float, half_width: float, level: float = 0.0, seed: int = 0
) -> HeightGrid:
    """Return random hills from 0 up to a height [m].

    height: height of the highest hill [m]. wavelength: the shortest wavelength [m]; all longer ones have the same
    amplitude. half_width: the grid extends from -half_width to +half_width along x and y [m]. level: radius of the
    level area at height 0 around the origin [m]; the hills have their full height one wavelength further out. seed:
    seed of the random numbers. Raises WorldError for invalid lengths and for a grid of more than 2000 x 2000 cells.
    """
    _check(height, wavelength, half_width, level)
    spacing = wavelength / CELLS_PER_WAVELENGTH
    half_count = int(np.ceil(half_width / spacing))
    noise = _smooth_noise(2 * half_count + 1, CELLS_PER_WAVELENGTH, np.random.default_rng(seed))
    x = spacing * np.arange(-half_count, half_count + 1)
    ramp = np.clip((np.hypot(x[:, None], x) - level) / wavelength, 0.0, 1.0)
    hills = (noise - noise.min()) * ramp * ramp * (3.0 - 2.0 * ramp)
    return HeightGrid(height * hills / hills.max(), spacing, -half_count * spacing, -half_count * spacing)


def _smooth_noise(n: int, min_wavelength: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return white noise (n, n) without waves shorter than min_wavelength [cells]."""
    k = np.hypot(np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n))
    waves = np.fft.rfft2(rng.standard_normal((n, n)))
    return np.fft.irfft2(np.where(k * min_wavelength <= 1.0, waves, 0.0), (n, n))


def _check(height: float, wavelength: float, half_width: float, level: float) -> None:
    for name, value in (("height", height), ("wavelength", wavelength), ("half width", half_width)):
        if not 0.0 < value < np.inf:
            raise WorldError(f"hills cannot have a {name} of {value} m; give more than 0")
    if not 0.0 <= level <= half_width - 2.0 * wavelength:
        raise WorldError(
            f"hills of half width {half_width} m cannot be level up to {level} m: leave two wavelengths for the hills"
        )
    if 2.0 * half_width * CELLS_PER_WAVELENGTH > MAX_CELLS * wavelength:
        raise WorldError(
            f"hills of wavelength {wavelength} m and half width {half_width} m need more than {MAX_CELLS} cells along "
            f"an edge; give a half width of {MAX_CELLS * wavelength / (2 * CELLS_PER_WAVELENGTH):g} m or less"
        )

"""Random hills: smooth noise as a grid of heights, with a level start area in the middle."""

import numpy as np
from numpy.typing import NDArray

from gambol.collide.height_grid import HeightGrid
from gambol.errors import WorldError

CELLS = 8  # per wavelength: neighbouring facets then differ by a few degrees, and look smooth
MAX_CELLS = 2000  # along an edge: 32 MB of heights


def random_hills(height: float, *, wavelength: float, reach: float, level: float = 0.0, seed: int = 0) -> HeightGrid:
    """Return random hills from 0 up to a height [m], the height of the highest hill.

    height: of the highest hill [m]. wavelength: the shortest one [m]; all longer ones have the same amplitude. reach:
    the grid extends from -reach to +reach along x and y [m]. level: radius of a level place at height 0 around the
    origin [m]; the hills reach full height one wavelength further out. seed: of the random numbers. Raises WorldError
    for invalid lengths and for a grid of more than 2000 x 2000 cells.
    """
    _check(height, wavelength, reach, level)
    spacing = wavelength / CELLS
    half = int(np.ceil(reach / spacing))
    noise = _smooth_noise(2 * half + 1, CELLS, np.random.default_rng(seed))
    x = spacing * np.arange(-half, half + 1)
    ramp = np.clip((np.hypot(x[:, None], x) - level) / wavelength, 0.0, 1.0)
    hills = (noise - noise.min()) * ramp * ramp * (3.0 - 2.0 * ramp)
    return HeightGrid(height * hills / hills.max(), spacing, -half * spacing, -half * spacing)


def _smooth_noise(n: int, shortest: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return white noise (n, n) without the waves shorter than a number of cells."""
    k = np.hypot(np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n))
    waves = np.fft.rfft2(rng.standard_normal((n, n)))
    return np.fft.irfft2(np.where(k * shortest <= 1.0, waves, 0.0), (n, n))


def _check(height: float, wavelength: float, reach: float, level: float) -> None:
    for name, value in (("height", height), ("wavelength", wavelength), ("reach", reach)):
        if not 0.0 < value < np.inf:
            raise WorldError(f"hills cannot have a {name} of {value} m; give more than 0")
    if not 0.0 <= level <= reach - 2.0 * wavelength:
        raise WorldError(
            f"hills of reach {reach} m cannot be level up to {level} m: leave two wavelengths for the hills"
        )
    if 2.0 * reach * CELLS > MAX_CELLS * wavelength:
        raise WorldError(
            f"hills of wavelength {wavelength} m and reach {reach} m need more than {MAX_CELLS} cells along an edge; "
            f"give a reach of {MAX_CELLS * wavelength / (2 * CELLS):g} m or less"
        )

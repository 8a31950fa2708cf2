"""The largest share of a rebound that adds no energy, for all laws of several contacts."""

from gambol.lanes import Scalar, maximum, minimum, sqrt, where


def allowed_share(start: Scalar, slope: Scalar, curve: Scalar) -> Scalar:
    """Return the largest share s, from 0 to 1, of a rebound for which start + slope s + curve s^2 <= 0.

    start: energy gained without any of it, 0 or less (taken as 0 above); curve: 0 or more [J]. The root is computed
    without cancellation whatever the sign of the slope.
    """
    start = minimum(start, 0.0)
    root = sqrt(maximum(slope * slope - 4.0 * curve * start, 0.0))
    falling, steep = slope < 0.0, slope + root
    ahead = (root - slope) / where(curve > 0.0, 2.0 * curve, 1.0)
    behind = where(steep > 0.0, -2.0 * start / where(steep > 0.0, steep, 1.0), 0.0)
    fits = start + slope + curve <= 0.0
    return where(fits, 1.0, minimum(where(falling, ahead, behind), 1.0))

"""The largest share of a rebound that adds no energy, used by all laws of several contacts."""

from gambol.lanes import Scalar, maximum, minimum, sqrt, where


def allowed_share(start: Scalar, slope: Scalar, curve: Scalar) -> Scalar:
    """Return the largest share s of a rebound, from 0 to 1, for which start + slope s + curve s^2 <= 0.

    start: energy change without the rebound; a positive one counts as 0; slope, curve: coefficients of s and s^2, curve
    0 or more [J]. The root is computed without cancellation for either sign of the slope.
    """
    start = minimum(start, 0.0)
    root = sqrt(maximum(slope * slope - 4.0 * curve * start, 0.0))
    decreasing, denominator = slope < 0.0, slope + root
    root_if_decreasing = (root - slope) / where(curve > 0.0, 2.0 * curve, 1.0)
    root_if_increasing = where(denominator > 0.0, -2.0 * start / where(denominator > 0.0, denominator, 1.0), 0.0)
    all_allowed = start + slope + curve <= 0.0
    return where(all_allowed, 1.0, minimum(where(decreasing, root_if_decreasing, root_if_increasing), 1.0))

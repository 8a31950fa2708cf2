"""Principal axes: they reproduce the matrix in both precisions, also where eigenvalues are nearly equal."""

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Symmetric
from gambol.spatial.principal import principal_axes
from gambol.spatial.rotation import IDENTITY

EPSILON = {"float64": 2.0**-53, "float32": 2.0**-24}
ROTATIONS = 15  # each rounds entries of size 1 a few times


def matrices(count: int) -> np.ndarray:
    """Symmetric matrices (count, 3, 3): of any values, of two or three alike, of sizes far apart, and 0."""
    rng = np.random.default_rng(0)
    values = rng.random((count, 3))
    values[::4, 1] = values[::4, 0] * (1.0 + 10.0 ** rng.uniform(-16.0, -3.0, len(values[::4])))
    values[1::4] *= 10.0 ** rng.uniform(-8.0, 0.0, values[1::4].shape)
    values[2::4] = values[2::4, :1] * (1.0 + 1e-12 * rng.normal(size=values[2::4].shape))
    values[7] = 0.0
    turns = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    matrix = turns @ (values[..., None] * np.swapaxes(turns, 1, 2)) * 10.0 ** rng.uniform(-9.0, 2.0, (count, 1, 1))
    return 0.5 * (matrix + np.swapaxes(matrix, 1, 2))


@pytest.mark.parametrize("precision", EPSILON)
def test_axes_are_square_and_make_the_matrix(precision):
    """R R^T = 1 and R diag(values) R^T = A, compiled, to the rounding of ROTATIONS rotations."""
    inputs = matrices(400).astype(precision).astype(float)
    upper = np.ascontiguousarray(inputs[:, *np.triu_indices(3)].T, precision)

    def both(upper):
        axes, values = principal_axes(Symmetric(*upper))
        return axes.rows, list(values)

    axes, values = (x.T.astype(float) for x in Program(ProgramSpec("both", both, ([0.0] * 6,)), precision)(upper))
    axes = axes.reshape(-1, 3, 3)
    recomposed = axes @ (values[..., None] * np.swapaxes(axes, 1, 2))
    size = np.maximum(np.abs(inputs).max(axis=(1, 2), keepdims=True), 1e-300)
    bound = 4.0 * ROTATIONS * EPSILON[precision]
    np.testing.assert_allclose(axes @ np.swapaxes(axes, 1, 2), np.broadcast_to(np.eye(3), inputs.shape), atol=bound)
    np.testing.assert_allclose(recomposed / size, inputs / size, atol=bound)


def test_values_are_those_of_lapack():
    for matrix in matrices(40):
        _, values = principal_axes(Symmetric.of(matrix.tolist()))
        expected = np.linalg.eigvalsh(matrix)
        np.testing.assert_allclose(sorted(values), expected, rtol=0.0, atol=1e-14 * max(abs(expected).max(), 1e-300))


def test_a_diagonal_matrix_has_the_coordinate_axes():
    axes, values = principal_axes(Symmetric(3.0, 0.0, 0.0, 1.0, 0.0, 2.0))
    assert axes is IDENTITY
    assert tuple(values) == (3.0, 1.0, 2.0)

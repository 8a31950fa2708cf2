"""The factor of a sparse symmetric matrix with pinned unknowns, by scipy's SuperLU."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparseFactor:
    """The factor of M + L of the free unknowns, where L is the weighted graph Laplacian of pairs of unknowns.

    factor: factor of scipy. free, pinned: indices of the unknowns. coupling: coupling of free with pinned unknowns.
    """

    factor: Any
    free: Indices
    pinned: Indices
    coupling: Any

    @staticmethod
    def of(diagonal: Array, pairs: Indices, weights: Array, is_free: NDArray[np.bool_]) -> "SparseFactor":
        """Return the factor.

        diagonal: M (n,). pairs (m, 2), weights (m,): pairs and weights of L. is_free: True for free unknowns (n,).
        """
        from scipy import sparse as scipy_sparse  # pyright: ignore[reportMissingTypeStubs]
        from scipy.sparse.linalg import splu  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

        sparse: Any = scipy_sparse
        n, (a, b) = len(diagonal), pairs.T
        rows, columns = np.concatenate([a, b, a, b]), np.concatenate([a, b, b, a])
        entries = np.concatenate([weights, weights, -weights, -weights])
        laplacian = sparse.coo_array((entries, (rows, columns)), shape=(n, n))
        A = (laplacian.tocsc() + sparse.diags_array(diagonal)).tocsr()
        free, pinned = np.flatnonzero(is_free), np.flatnonzero(~is_free)
        free_rows = A[free].tocsc()
        # a symmetric ordering and diagonal pivots: the matrix is positive definite, and the factor stays sparse
        factor = cast("Any", splu)(
            free_rows[:, free].tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        return SparseFactor(factor, free, pinned, free_rows[:, pinned].tocsr())

    def solve(self, right_side: Array, fixed: Array) -> Array:
        """Return the solution (3, n).

        right_side: right-hand sides of free unknowns (3, n); fixed: values of pinned unknowns (3, n).
        """
        x = fixed.copy()
        b = right_side[:, self.free].T
        if len(self.pinned):
            b = b - self.coupling @ fixed[:, self.pinned].T
        x[:, self.free] = self.factor.solve(np.ascontiguousarray(b)).T
        return x

"""The Newton step of the augmented Lagrangian (augmented.py), by a dense elimination in loops.

    (1 + sum z^T k dP z) d = b          k = 1 / (s D)

The matrix is dense, since a contact in a slot may be at any link.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from gambol.contact.stepping.block_list import BlockReader, loop_blocks
from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.projection import project, total_inverse_mass, unprojected
from gambol.lanes import Array, Index, Scalar, array, empty, fori, when


def newton_direction(
    blocks: Sequence[Block], targets: Sequence[Scalar], state: Sequence[Impulses], softness: Scalar, b: Sequence[Scalar]
) -> list[Scalar]:
    """Return the solution d (nv) of the linearised equations.

    targets: targets of the blocks' first rows. state: speeds, impulses and slip terms of all blocks. softness: s. b:
    right-hand side (nv).
    """
    n = len(b)
    matrix = empty(n * n)
    fori(0, n, lambda i, _: fori(0, i, lambda j, _: matrix.write(i * n + j, [0.0])))
    fori(0, n, lambda i, _: matrix.write(i * (n + 1), [1.0]))

    def add(read: BlockReader, _: Any) -> tuple[Any, None]:
        when(read()[0].active, partial(_add_block, matrix, n, softness, read), otherwise=())
        return (), None

    loop_blocks(blocks, add, (), [targets, *state])
    return _solved(matrix, b)


def _add_block(matrix: Array, n: int, softness: Scalar, read: BlockReader) -> tuple[()]:
    """Add a block's term to the lower triangle of a matrix (n, n); return an empty state.

    read: returns the block, its target, speeds, impulses and slip terms.
    """
    block, target, w, p, slip = read()
    k = 1.0 / (softness * total_inverse_mass(block))
    terms: list[tuple[Array, Array]] = []
    for coefficients, slope in project(block, unprojected(block, w, p, target, slip, softness)).jacobian:
        pairs = [*zip(coefficients, block.rows, strict=True)]
        z = [sum((c * row.z.get(i, 0.0) for c, row in pairs), 0.0) for i in range(n)]
        terms.append((array([k * slope * x for x in z]), array(z)))

    def entry(i: Index, j: Index, _: Any) -> None:
        x = matrix[i * n + j]
        for scaled, z in terms:
            x = x + scaled[i] * z[j]
        matrix[i * n + j] = x

    fori(0, n, lambda i, _: fori(0, i + 1, partial(entry, i)))
    return ()


def _solved(matrix: Array, b: Sequence[Scalar]) -> list[Scalar]:
    """Return x of A x = b by elimination from the last row to the first, A = L^T D L. matrix: A, which is replaced."""
    n, y = len(b), array(b)
    L, inverses = empty(n * n), empty(n)

    def eliminate(k: Any, i: Any, _: Any) -> None:
        factor = matrix[k * n + i] * inverses[k]
        L[k * n + i] = factor
        y[i] = y[i] - factor * y[k]

        def subtract(j: Any, _: Any) -> None:
            matrix[i * n + j] = matrix[i * n + j] - factor * matrix[k * n + j]

        fori(0, i + 1, subtract)

    def eliminate_row(step: Any, _: Any) -> None:
        k = step * -1 + (n - 1)
        inverses[k] = 1.0 / matrix[k * n + k]
        fori(0, k, partial(eliminate, k))
        y[k] = y[k] * inverses[k]

    def substitute(k: Any, _: Any) -> None:
        y[k] = fori(0, k, lambda i, x: x - L[k * n + i] * y[i], y[k])

    fori(0, n, eliminate_row)
    fori(0, n, substitute)
    return y.slice(0, n)

"""The contact law of a block as a projection onto its admissible impulses, and the Newton step of its solution.

    p = P(p - k (w - target))        k = 1 / (s D) > 0; the target of w_n of a contact is lowered by mu |w_t|

The lower target keeps sliding contacts from separating. P projects a contact's impulse onto its cone |p_t| <= mu p_n,
and a bounded impulse into its bounds. [De Saxce and Feng 1998] Where friction depends on the direction, the cone is
that of anisotropy.py, and the targets are changed so that w - target is w'.

    (1 + sum z^T k dP z) d = b        by a dense elimination in loops

is the Newton step of the augmented Lagrangian (augmented.py). Its matrix is dense, since a contact in a slot may be at
any link. Figures with many more degrees of freedom than contacts solve a system in the rows of contacts instead.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gambol.contact.stepping.block_list import BlockReader, loop_blocks
from gambol.contact.stepping.blocks import TINY, Block, BoundedBlock, ContactBlock, Impulses, Run
from gambol.contact.stepping.elliptic_cone import ScaledDirection, nearest_on_elliptic_cone
from gambol.lanes import Array, Index, Scalar, array, clamp, empty, fori, is_short, maximum, sqrt, when, where

MAX_ROWS = 3
"""The largest number of rows of a block."""

MIN_ROW_SYSTEM = 64
"""Number of degrees of freedom from which Newton's step is solved in the rows of the blocks, if these are fewer."""


@dataclass(frozen=True, slots=True)
class Projection:
    """The projected impulses, and the Jacobian of the projection as a sum of dyads d d^T times their derivatives."""

    impulses: list[Scalar]
    jacobian: list[ScaledDirection]


def project(block: Block, p: Sequence[Scalar]) -> Projection:
    """Return the admissible impulses of a block that are nearest to p [N s or N m s], with the Jacobian."""
    if isinstance(block, BoundedBlock):
        inside = (p[0] > block.lower) & (p[0] < block.upper)
        return Projection([clamp(p[0], block.lower, block.upper)], [([1.0], where(inside, 1.0, 0.0))])
    if block.anisotropy is not None:
        return Projection(*nearest_on_elliptic_cone(p, block.friction, block.anisotropy, block.held))
    return _project_on_cone(block, p)


def _project_on_cone(block: ContactBlock, p: Sequence[Scalar]) -> Projection:
    """Return the nearest point of the friction cone: p itself inside, 0 in the polar cone, else on the surface."""
    (n, x, y), mu = p, block.friction
    size = sqrt(x * x + y * y + TINY)
    inside, polar_distance = size <= mu * n, n + mu * size
    if block.held is not None:
        inside = inside | (block.held > 0.5)
    cos_squared = 1.0 / (1.0 + mu * mu)
    normal, in_polar_cone = maximum(polar_distance, 0.0) * cos_squared, polar_distance <= 0.0
    ex, ey, cosine = x / size, y / size, sqrt(cos_squared)
    on_surface = (normal, mu * normal * ex, mu * normal * ey)
    impulses = [where(inside, old, new) for old, new in zip(p, on_surface, strict=True)]
    along = [
        where(inside, a, b) for a, b in zip((1.0, 0.0, 0.0), (cosine, mu * cosine * ex, mu * cosine * ey), strict=True)
    ]
    across = [0.0, where(inside, 1.0, -ey), where(inside, 0.0, ex)]
    rim_slope = where(in_polar_cone, 0.0, mu * normal / size)
    return Projection(
        impulses,
        [
            (along, where(inside, 1.0, where(in_polar_cone, 0.0, 1.0))),
            (across, where(inside, 1.0, rim_slope)),
            ([0.0, 0.0, 1.0], where(inside, 1.0, 0.0)),
        ],
    )


def total_inverse_mass(block: Block) -> Scalar:
    """Return the sum of the inverse effective masses of a block's rows [1/kg or 1/(kg m2)]."""
    return sum((row.inverse_mass for row in block.rows), 0.0)


def slip_terms(block: Block, w: Sequence[Scalar]) -> list[Scalar]:
    """Return the amounts by which friction lowers the target speeds of a block's rows at speeds w [m/s].

    For the normal row of a contact it is mu |w_t|; for tangents it is 0 unless friction depends on the direction of
    slip.
    """
    if isinstance(block, BoundedBlock):
        return [0.0]
    _, x, y = block.slip_speeds(w)
    if block.anisotropy is None:
        terms = [block.friction * sqrt(x * x + y * y)]
    else:
        terms = block.anisotropy.slip_terms(block.friction, (x, y))
    return terms if block.held is None else [where(block.held > 0.5, 0.0, term) for term in terms]


def no_slip_terms(block: Block, *items: Any) -> list[Scalar]:
    """Return slip terms of 0."""
    anisotropic = isinstance(block, ContactBlock) and block.anisotropy is not None
    return [0.0] * (3 if anisotropic else 1)


def unprojected(
    block: Block, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar, slip: Sequence[Scalar], softness: Scalar
) -> list[Scalar]:
    """Return p - k (w - target + slip), with k = 1 / (softness D); slip: see slip_terms()."""
    k = 1.0 / (softness * total_inverse_mass(block))
    bias = block.tangent_bias if isinstance(block, ContactBlock) else ()
    targets = [target - slip[0], *(x - s for x, s in zip(bias, slip[1:] or (0.0, 0.0), strict=False))]
    return [x - k * (y - z) for x, y, z in zip(p, w, targets, strict=True)]


def newton_direction(
    blocks: Sequence[Block], targets: Sequence[Scalar], state: Sequence[Impulses], softness: Scalar, b: Sequence[Scalar]
) -> list[Scalar]:
    """Return the solution d (nv) of the linearised equations.

    targets: targets of the blocks' first rows. state: speeds, impulses and slip terms of all blocks. softness: s. b:
    right-hand side (nv).
    """
    n, rows = len(b), MAX_ROWS * len(blocks)
    if n >= MIN_ROW_SYSTEM and n > rows:
        return _solved_by_rows(blocks, [targets, *state], softness, b)
    matrix = _identity(n)

    def add(read: BlockReader, _: Any) -> tuple[Any, None]:
        when(read()[0].active, partial(_add_block, matrix, n, softness, read), otherwise=())
        return (), None

    loop_blocks(blocks, add, (), [targets, *state])
    return _solved(matrix, b).slice(0, n)


def _identity(n: int) -> Array:
    """Return the lower triangle of the identity (n, n), as an array in which all else is undefined."""
    matrix = empty(n * n)
    fori(0, n, lambda i, _: fori(0, i, lambda j, _: matrix.write(i * n + j, [0.0])))
    fori(0, n, lambda i, _: matrix.write(i * (n + 1), [1.0]))
    return matrix


def _dyads(softness: Scalar, read: BlockReader) -> Iterator[tuple[Scalar, Sequence[Scalar]]]:
    """Yield a block's term z^T k dP z as a sum of weights times z z^T, each z as a combination of the block's rows.

    read: see _add_block().
    """
    block, target, w, p, slip = read()
    k = 1.0 / (softness * total_inverse_mass(block))
    for coefficients, slope in project(block, unprojected(block, w, p, target, slip, softness)).jacobian:
        yield k * slope, coefficients


def _combined(coefficients: Sequence[Scalar], entries: Sequence[Scalar]) -> Scalar:
    """Return a combination of entries of rows."""
    return sum((c * x for c, x in zip(coefficients, entries, strict=True)), 0.0)


def _combination(block: Block, coefficients: Sequence[Scalar], n: int) -> list[Scalar]:
    """Return a combination of a block's rows (n)."""
    return [_combined(coefficients, [row.z.get(i, 0.0) for row in block.rows]) for i in range(n)]


def _row_entries(read: BlockReader, n: int) -> Callable[[Index], list[Scalar]] | None:
    """Return a function that reads the entries of a contact's rows from memory, in short programs.

    It takes the index of a degree of freedom. None if rows have no entries for some of the n degrees of freedom.
    """
    run, firsts = read.lists[0], list[int]()
    if not (is_short() and isinstance(run, Run)):
        return None
    for row in run.contacts.places.rows:
        firsts.append(row.z.get(0, -1))
        if firsts[-1] < 0 or row.z != {k: firsts[-1] + k for k in range(n)}:
            return None
    first = Index.of(read.item) * run.contacts.width
    return lambda k: [run.contacts.numbers[first + place + k] for place in firsts]


def _add_block(matrix: Array, n: int, softness: Scalar, read: BlockReader) -> tuple[()]:
    """Add a block's term to the lower triangle of a matrix (n, n); return an empty state.

    read: returns the block, its target, speeds, impulses and slip terms.
    """
    dyads, entries = list(_dyads(softness, read)), _row_entries(read, n)
    if entries is None:
        block = read()[0]
        columns = [(weight, _combination(block, coefficients, n)) for weight, coefficients in dyads]
        terms = [(array([weight * x for x in z]), array(z)) for weight, z in columns]
    else:
        terms = [(empty(n), empty(n)) for _ in dyads]
        fori(0, n, partial(_store_combinations, dyads, entries, terms))

    def entry(i: Index, j: Index, _: Any) -> None:
        x = matrix[i * n + j]
        for scaled, z in terms:
            x = x + scaled[i] * z[j]
        matrix[i * n + j] = x

    fori(0, n, lambda i, _: fori(0, i + 1, partial(entry, i)))
    return ()


def _store_combinations(
    dyads: Sequence[tuple[Scalar, Sequence[Scalar]]],
    entries: Callable[[Index], list[Scalar]],
    terms: Sequence[tuple[Array, Array]],
    k: Index,
    _: Any,
) -> None:
    """Store entry k of all combinations of rows, times their weight, and alone."""
    rows = entries(k)
    for (weight, coefficients), (scaled, z) in zip(dyads, terms, strict=True):
        x = _combined(coefficients, rows)
        scaled[k], z[k] = weight * x, x


def _solved_by_rows(
    blocks: Sequence[Block], lists: Sequence[Sequence[Any]], softness: Scalar, b: Sequence[Scalar]
) -> list[Scalar]:
    """Return (1 + Y^T Y)^-1 b = b - Y^T (1 + Y Y^T)^-1 Y b: a system of as many equations as Y has rows.

    The rows of Y are the square roots of weights times z, see _dyads(). lists: the items of blocks.
    """
    n, count = len(b), MAX_ROWS * len(blocks)
    Y, given, d = empty(count * n), array(b), array(b)
    fori(0, count * n, lambda i, _: Y.write(i, [0.0]))

    def store(read: BlockReader) -> tuple[()]:
        for row, (weight, coefficients) in enumerate(_dyads(softness, read)):
            z = _combination(read()[0], coefficients, n)
            Y.write((Index.of(read.number) * MAX_ROWS + row) * n, [sqrt(weight) * x for x in z])
        return ()

    def add(read: BlockReader, _: Any) -> tuple[Any, None]:
        when(read()[0].active, partial(store, read), otherwise=())
        return (), None

    loop_blocks(blocks, add, (), lists)
    matrix = _identity(count)

    def entry(i: Any, j: Any, _: Any) -> None:
        product = fori(0, n, lambda k, x: x + Y[i * n + k] * Y[j * n + k], 0.0)
        matrix[i * count + j] = matrix[i * count + j] + product

    fori(0, count, lambda i, _: fori(0, i + 1, partial(entry, i)))
    right = empty(count)
    fori(0, count, lambda i, _: right.write(i, [fori(0, n, lambda k, x: x + Y[i * n + k] * given[k], 0.0)]))
    c = _solved(matrix, right.slice(0, count))
    fori(0, n, lambda k, _: d.write(k, [fori(0, count, lambda i, x: x - Y[i * n + k] * c[i], given[k])]))
    return d.slice(0, n)


def _solved(matrix: Array, b: Sequence[Scalar]) -> Array:
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
    return y

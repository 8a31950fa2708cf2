"""The order of operations and packs: which must come before which, and chains from piece to piece.

A chain is a sum over pieces: the operations of a piece begin with the last result of the piece before, so its packs
depend on each other in a cycle. In a loop over pieces this is a number that is carried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gambol.lanes.bodies import CONTROL, changes_arrays
from gambol.lanes.ops import MASKS
from gambol.lanes.rolling.packs import Pack, Packs, arrays_of
from gambol.lanes.trace import Body


def needed_values(body: Body) -> list[list[int]]:
    """Return the operations that must come before each one.

    Masks are computed wherever they are needed, so an operation on a mask depends on the operands of the mask.
    Changes of arrays and other accesses to arrays keep their order.
    """
    needed: list[list[int]] = []
    last_change: list[int] = []
    reads: list[int] = []
    arrays = arrays_of(body)
    for i, op in enumerate(body.ops):
        before = [b for a in op.args for b in (needed[a] if body.ops[a].name in MASKS else [a])]
        if changes_arrays(op):
            before += last_change + reads
            last_change, reads = [i], []
        elif op.name == "load" or (op.name in CONTROL and not arrays.isdisjoint(op.args)):
            before += last_change
            reads.append(i)
        needed.append(list(dict.fromkeys(before)))
    return needed


@dataclass(frozen=True, slots=True)
class Chain:
    """Packs in a cycle.

    packs: their numbers in the order of a piece. pieces: the pieces in the order of the loop. operand: index of the
    operand of the first pack that is the last result of the piece before.
    """

    packs: tuple[int, ...]
    pieces: tuple[int, ...]
    operand: int


class Graph:
    """Operations and packs as nodes: pack n is node n, operation i without a pack is node `packs + i`."""

    def __init__(self, packs: Packs, needed: list[list[int]]) -> None:
        self.packs, self.needed, self.first = packs, needed, len(packs.packs)
        self.node = [packs.pack_of.get(i, self.first + i) for i in range(len(needed))]
        self.before: list[set[int]] = [set() for _ in range(self.first + len(needed))]
        for i, values in enumerate(needed):
            self.before[self.node[i]].update(self.node[a] for a in values)
        self.components = _components(self.before)

    def chains(self) -> list[Chain] | None:
        """Return all chains; None if there were other cycles. Packs of these are dissolved; make a new graph."""
        chains: list[Chain] = []
        has_only_chains = True
        for component in self.components:
            if len(component) == 1 and component[0] not in self.before[component[0]]:
                continue
            chain = self._chain(component)
            if chain is None:
                self._break(component)
                has_only_chains = False
            else:
                chains.append(chain)
        return chains if has_only_chains else None

    def _chain(self, component: Sequence[int]) -> Chain | None:
        """Return a cycle of nodes as a chain, if it is one."""
        members = set(component)
        if max(component) >= self.first:
            return None
        following: dict[int, int] = {}
        ends: list[tuple[int, int, int]] = []
        for n in component:
            pack = self._pack(n)
            inner = [
                (k, column) for k, column in enumerate(pack.columns) if any(self.node[a] in members for a in column)
            ]
            if len(inner) != 1 or any(self.node[a] in members for i in pack.members.values() for a in self._hidden(i)):
                return None
            k, column = inner[0]
            sources = {self.node[a] for a in column if self.node[a] in members}
            if len(sources) != 1:
                return None
            source = sources.pop()
            if column == tuple(self._pack(source).members.get(piece, -1) for piece in pack.members):
                following[source] = n
            else:
                ends.append((n, k, source))
        if len(ends) != 1 or len(following) != len(component) - 1:
            return None
        first, k, last = ends[0]
        order = [first]
        while order[-1] in following:
            order.append(following[order[-1]])
        pieces = self._order_of_pieces(self._pack(first), k, self._pack(last))
        return Chain(tuple(order), pieces, k) if pieces and order[-1] == last and len(order) == len(component) else None

    def _order_of_pieces(self, first: Pack, k: int, last: Pack) -> tuple[int, ...] | None:
        """Return the pieces in the order of a chain; None if it is neither up nor down."""
        if first.pieces != last.pieces:
            return None
        for pieces in (first.pieces, first.pieces[::-1]):
            column = dict(zip(first.pieces, first.columns[k], strict=True))
            if all(column[b] == last.members[a] for a, b in pairwise(pieces)):
                return pieces
        return None

    def _hidden(self, i: int) -> list[int]:
        """Return what an operation needs besides its operands: the operands of its masks."""
        args = self.packs.ops[i].args
        return [a for a in self.needed[i] if a not in args]

    def _pack(self, n: int) -> Pack:
        pack = self.packs.packs[n]
        assert pack is not None
        return pack

    def _break(self, component: Sequence[int]) -> None:
        """Dissolve packs of a cycle: those with operands from other pieces or from single operations of the cycle."""
        members = set(component)
        numbers = [n for n in component if n < self.first]
        wrong = [n for n in numbers if not self._is_straight(n, members)]
        for n in wrong or numbers[:1]:
            self.packs.dissolve(n)

    def _is_straight(self, n: int, members: set[int]) -> bool:
        """Return True if what a pack needs from a cycle are results of packs for the same pieces."""
        for piece, i in self._pack(n).members.items():
            for a in self.needed[i]:
                source = self.node[a]
                if source in members and (source >= self.first or self._pack(source).members.get(piece) != a):
                    return False
        return True


def _components(before: list[set[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, in an order in which edges lead back. [Tarjan 1972]"""
    index: dict[int, int] = {}
    low = [0] * len(before)
    stack: list[int] = []
    on_stack = [False] * len(before)
    path: list[tuple[int, Iterator[int]]] = []
    result: list[list[int]] = []

    def enter(node: int) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack[node] = True
        path.append((node, iter(before[node])))

    for root in range(len(before)):
        if root not in index:
            enter(root)
        while path:
            node, edges = path[-1]
            for following in edges:
                if following not in index:
                    enter(following)
                    break
                if on_stack[following]:
                    low[node] = min(low[node], index[following])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack[component[-1]] = False
                    result.append(component)
    return result

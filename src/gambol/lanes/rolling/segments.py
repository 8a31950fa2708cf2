"""Segments of a body: operations on their own, and loops over pieces, in an order in which all values are known."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes.rolling.order import Chain, Graph
from gambol.lanes.rolling.packs import Pack


@dataclass(frozen=True, slots=True)
class Segment:
    """A loop, or operations on their own.

    pieces: the pieces of a loop in its order; empty for operations on their own. nodes: packs of the loop, or
    operations, in order. chains: the chains of a loop.
    """

    pieces: tuple[int, ...]
    nodes: tuple[int, ...]
    chains: tuple[Chain, ...] = ()

    @property
    def saved(self) -> int:
        """The number of operations that a loop saves."""
        return len(self.nodes) * (len(self.pieces) - 1)


def segments(graph: Graph, chains: Sequence[Chain]) -> list[Segment]:
    """Return the segments of a body."""
    return _Schedule(graph, chains).segments()


class _Schedule:
    """The nodes that remain to be scheduled, in an order that respects dependencies."""

    def __init__(self, graph: Graph, chains: Sequence[Chain]) -> None:
        self.graph = graph
        self.chain_of = {n: chain for chain in chains for n in chain.packs}
        self.remaining = [list(c) for c in graph.components if self._is_used(c)]
        self.done: set[int] = set()
        self.same: dict[int, set[int]] = {}
        self.across: dict[int, set[int]] = {}
        self.directions: dict[int, list[tuple[int, ...]]] = {}
        for n, pack in graph.packs.live():
            self.directions[n] = self._directions(n)
            self.same[n], self.across[n] = self._sources(n, pack)

    def _is_used(self, component: Sequence[int]) -> bool:
        n = component[0]
        first = self.graph.first
        return self.graph.packs.packs[n] is not None if n < first else n - first not in self.graph.packs.pack_of

    def _sources(self, n: int, pack: Pack) -> tuple[set[int], set[int]]:
        """Return the packs whose results a pack needs for the same pieces, and all other nodes that it needs."""
        graph = self.graph
        chain = self.chain_of.get(n)
        inside = set(chain.packs) if chain else set[int]()
        same, across = set[int](), set[int]()
        for piece, i in pack.members.items():
            for a in graph.needed[i]:
                source = graph.node[a]
                if source in inside:
                    continue
                found = graph.packs.packs[source] if source < graph.first else None
                is_same = found is not None and found.members.get(piece) == a and found.pieces == pack.pieces
                (same if is_same else across).add(source)
        return same - across, across

    def segments(self) -> list[Segment]:
        """Return all segments."""
        result: list[Segment] = []
        while self.remaining:
            alone = self._ready_operations()
            if alone:
                result.append(Segment((), tuple(n - self.graph.first for n in alone)))
                self._finish(alone)
                continue
            kinds = dict.fromkeys(
                pieces for c in self.remaining if c[0] < self.graph.first for pieces in self.directions[c[0]]
            )
            best = max((self._ready_packs(pieces) for pieces in kinds), key=lambda s: len(s.nodes) * len(s.pieces))
            result.append(best)
            self._finish(best.nodes)
        return result

    def _directions(self, n: int) -> list[tuple[int, ...]]:
        pack = self.graph.packs.packs[n]
        assert pack is not None
        return [self.chain_of[n].pieces] if n in self.chain_of else [pack.pieces, pack.pieces[::-1]]

    def _finish(self, nodes: Sequence[int]) -> None:
        self.done.update(nodes)
        self.remaining = [c for c in self.remaining if c[0] not in self.done]

    def _ready_operations(self) -> list[int]:
        """Return all operations on their own that need only what is done."""
        ready: list[int] = []
        known = set(self.done)
        for component in self.remaining:
            n = component[0]
            if n >= self.graph.first and self.graph.before[n] <= known:
                ready.append(n)
                known.add(n)
        return ready

    def _ready_packs(self, pieces: tuple[int, ...]) -> Segment:
        """Return a loop over these pieces with all packs that can be in it."""
        nodes: list[int] = []
        chains: list[Chain] = []
        known = set(self.done)
        for component in self.remaining:
            n = component[0]
            if n >= self.graph.first or pieces not in self.directions[n]:
                continue
            chain = self.chain_of.get(n)
            packs = chain.packs if chain else (n,)
            if all(self.across[m] <= self.done and self.same[m] <= known for m in packs):
                nodes += packs
                known.update(packs)
                chains += [chain] if chain else []
        return Segment(pieces, tuple(nodes), tuple(chains))

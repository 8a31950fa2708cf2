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
        first = graph.first
        nodes = [component[0] for component in graph.components]  # of a chain one pack, with which the others come
        self.operations = [n for n in nodes if n >= first and n - first not in graph.packs.pack_of]
        self.packs = [n for n in nodes if n < first and graph.packs.packs[n] is not None]
        self.done: set[int] = set()
        self.same: dict[int, set[int]] = {}
        self.across: dict[int, set[int]] = {}
        self.direction: dict[int, tuple[int, ...]] = {}
        for n, pack in graph.packs.live():
            self.direction[n] = self._direction(n, pack)
            self.same[n], self.across[n] = self._sources(n, pack)

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
        while self.operations or self.packs:
            alone = self._ready_operations()
            if alone:
                result.append(Segment((), tuple(n - self.graph.first for n in alone)))
                self._finish(alone)
                continue
            kinds = dict.fromkeys(self.direction[n] for n in self.packs)
            best = max((self._ready_packs(pieces) for pieces in kinds), key=lambda part: part.saved)
            result.append(best)
            self._finish(best.nodes)
        return result

    def _direction(self, n: int, pack: Pack) -> tuple[int, ...]:
        """Return the pieces of a pack in the order of its chain, or upwards: without a chain, any order is possible."""
        return self.chain_of[n].pieces if n in self.chain_of else pack.pieces

    def _finish(self, nodes: Sequence[int]) -> None:
        self.done.update(nodes)
        self.operations = [n for n in self.operations if n not in self.done]
        self.packs = [n for n in self.packs if n not in self.done]

    def _ready_operations(self) -> list[int]:
        """Return all operations on their own that need only what is done."""
        ready: list[int] = []
        known = set(self.done)
        for n in self.operations:
            if self.graph.before[n] <= known:
                ready.append(n)
                known.add(n)
        return ready

    def _ready_packs(self, pieces: tuple[int, ...]) -> Segment:
        """Return a loop over these pieces with all packs that can be in it."""
        nodes: list[int] = []
        chains: list[Chain] = []
        known = set(self.done)
        upwards = tuple(sorted(pieces))
        for n in self.packs:
            chain = self.chain_of.get(n)
            if self.direction[n] != (pieces if chain else upwards):
                continue
            packs = chain.packs if chain else (n,)
            if all(self.across[m] <= self.done and self.same[m] <= known for m in packs):
                nodes += packs
                known.update(packs)
                chains += [chain] if chain else []
        return Segment(pieces, tuple(nodes), tuple(chains))

"""Programs that are one loop with rare branches, and their parts."""

from dataclasses import dataclass
from typing import cast

from gambol.lanes.bodies import bodies_of
from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.trace import Body

GROUP_BYTES, MAX_GROUP = 2**19, 64
"""Memory of the states of a group [bytes], and its largest number of blocks: they stay in the second-level cache."""

MIN_GROUP = 16
"""Number of blocks from which rare branches are postponed. In smaller groups the blocks of waiting lanes are seldom
full: eight blocks of ants took a quarter more time than without waiting, 16 the same, and 128 a tenth less."""


@dataclass(frozen=True)
class LoopProgram:
    """The parts of a program that is one loop.

    prepare: computes from the inputs all values that a block keeps while the loop runs: its state, then the captures of
    the step, then those of the condition. condition, step: bodies of the loop. values, states: number of all values,
    and of those of the state. rarity: the highest rarity of its branches.
    """

    prepare: Body
    condition: Body
    step: Body
    values: int
    states: int
    rarity: int

    def group(self, types: LaneTypes) -> int:
        """Return the largest number of blocks of a group. types: types of the lanes."""
        return min(MAX_GROUP, GROUP_BYTES // (types.bytes * types.lanes * self.values))

    @property
    def condition_captures(self) -> int:
        """The index of the first capture of the condition among the values."""
        return self.values - len(self.condition.captured)


def as_loop(body: Body, types: LaneTypes) -> LoopProgram | None:
    """Return the parts of a program whose outputs are those of one loop with a rare branch.

    Returns None for another program, for one lane in a block, and for states that are too large for a group.
    """
    parts = [body.ops[index] for index in body.outputs]
    loop_index = parts[0].args[0] if parts and parts[0].name == "part" else -1
    expected = [("part", (loop_index,), k) for k in range(len(parts))]
    if loop_index < 0 or [(op.name, op.args, op.extra) for op in parts] != expected:
        return None
    if body.ops[loop_index].name != "loop":
        return None
    condition, step = cast("tuple[Body, Body]", body.ops[loop_index].extra)
    rarity = _highest_rarity(step, set())
    if len(parts) != len(step.outputs) or not rarity:
        return None
    states, args = len(parts), body.ops[loop_index].args
    end = states + len(condition.captured)
    outputs = (*args[:states], *args[end:], *args[states:end])
    prepare = Body("prepare", body.ops[:loop_index], body.inputs, outputs, [])
    program = LoopProgram(prepare, condition, step, len(outputs), states, rarity)
    return program if types.lanes > 1 and program.group(types) >= MIN_GROUP else None


def _highest_rarity(body: Body, seen: set[int]) -> int:
    """Return the highest rarity of the branches of a body and of the bodies that it runs. seen: ids already visited."""
    if id(body) in seen:
        return 0
    seen.add(id(body))
    inner = [x for op in body.ops for x in bodies_of(op)]
    return max((max(x.rarity, _highest_rarity(x, seen)) for x in inner), default=0)

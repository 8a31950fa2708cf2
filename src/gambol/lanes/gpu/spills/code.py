"""The text of a PTX function as instructions and basic blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

FUNCTION = re.compile(
    r"(?P<head>\.(?:func|entry) +(?:\(.*?\) *)?(?P<name>[\w$]+)\(.*?\)[^{]*\{)(?P<body>.*?)\n\}\n", re.DOTALL
)

REGISTER = re.compile(r"%(?:rd|rs|r|fd|f|p)\d+")
OPERANDS = re.compile(r"(?:(?P<predicate>@!?%p\d+)\s+)?(?P<name>[\w.]+)\s*(?P<rest>.*)")
RESULT = re.compile(r"\{[^}]*\}|[^,]*")  # a register, or several in braces
CALLED = re.compile(r"(?:\(.*?\),?)?\s*([\w$]+)")
TAKES_ALL = ("st.", "bra", "ret", "call")
"""Instructions of which all operands are read; others set the first one."""


def words_of(register: str) -> int:
    """Return the size of a register [4 bytes]; 0 for those of truth values and of 16 bits, which are few."""
    return {"%rd": 2, "%fd": 2, "%r": 1, "%f": 1}.get(register.rstrip("0123456789"), 0)


@dataclass(slots=True)
class Instruction:
    """A line. name: the instruction, empty for other lines; sets, reads: registers; target: label it may jump to.

    An instruction with a predicate also reads what it sets. called: the function that it calls.
    """

    text: str
    name: str = ""
    sets: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    target: str = ""
    called: str = ""
    conditional: bool = False

    @staticmethod
    def of(line: str) -> "Instruction":
        """Return the instruction of a line."""
        text = line.partition("//")[0].strip().rstrip(";")
        found = OPERANDS.match(text) if text and text[0] not in ".{}" else None
        if not found:
            return Instruction(line)
        name, rest, conditional = found["name"], found["rest"], bool(found["predicate"])
        result = None if name.startswith(TAKES_ALL) else RESULT.match(rest)
        first = result[0] if result else ""
        sets, reads = (tuple(r for r in REGISTER.findall(part) if words_of(r)) for part in (first, rest[len(first) :]))
        if conditional:
            reads = (*reads, *sets)
        called = CALLED.match(rest) if name.startswith("call") else None
        target = rest.strip() if name.startswith("bra") else ""
        return Instruction(line, name, sets, reads, target, called[1] if called else "", conditional)


@dataclass(eq=False)
class Block:
    """A basic block. label: empty if no jump leads to it; lines: its instructions and other lines.

    followers, leaders: numbers of the blocks after and before it.
    """

    label: str = ""
    lines: list[Instruction] = field(default_factory=list[Instruction])
    followers: list[int] = field(default_factory=list[int])
    leaders: list[int] = field(default_factory=list[int])

    @property
    def steps(self) -> list[Instruction]:
        """Its instructions, without other lines."""
        return [line for line in self.lines if line.name]


@dataclass(eq=False)
class Code:
    """The body of a function. declarations: its lines before the first instruction; blocks: as in the text."""

    declarations: list[str]
    blocks: list[Block]

    @staticmethod
    def of(body: str) -> "Code":
        """Return the body of a function from its text."""
        lines = body.strip("\n").split("\n")
        first = next((k for k, line in enumerate(lines) if line.strip() and line.strip()[0] != "."), len(lines))
        blocks = [block for block in _blocks(lines[first:]) if block.label or block.lines]
        numbers = {block.label: k for k, block in enumerate(blocks)}
        for k, block in enumerate(blocks):
            last = block.steps[-1] if block.steps else Instruction("")
            block.followers = [numbers[last.target]] if last.target else []
            ends = last.name.startswith(("ret", "exit", "trap", "bra")) and not last.conditional
            if not ends and k + 1 < len(blocks) and k + 1 not in block.followers:
                block.followers.append(k + 1)
            for follower in block.followers:
                blocks[follower].leaders.append(k)
        return Code(lines[:first], blocks)

    def order(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the blocks in an order in which each is after its leaders, and the jumps back, of which this is false.

        A block that nothing leads to is left out.
        """
        order, jumps = list[int](), list[tuple[int, int]]()
        open_blocks, seen = {0}, {0}
        stack = [(0, iter(self.blocks[0].followers))]
        while stack:
            block, followers = stack[-1]
            for follower in followers:
                if follower in open_blocks:
                    jumps.append((block, follower))
                elif follower not in seen:
                    open_blocks.add(follower)
                    seen.add(follower)
                    stack.append((follower, iter(self.blocks[follower].followers)))
                    break
            else:
                order.append(block)
                open_blocks.discard(block)
                stack.pop()
        return order[::-1], jumps

    def loops(self, jumps: Sequence[tuple[int, int]]) -> dict[int, set[int]]:
        """Return the blocks of each loop by its first block. jumps: those back, see order()."""
        loops: dict[int, set[int]] = {}
        for last, first in jumps:
            inside, left = loops.setdefault(first, {first}), [last]
            while left:
                block = left.pop()
                if block not in inside:
                    inside.add(block)
                    left += self.blocks[block].leaders
        return loops


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the basic blocks of lines, without their neighbours."""
    block = Block()
    for line in lines:
        if line.strip().endswith(":"):
            yield block
            block = Block(line.strip()[:-1])
            continue
        block.lines.append(Instruction.of(line))
        if block.lines[-1].name.startswith(("bra", "ret", "exit", "trap")):
            yield block
            block = Block()
    yield block

"""Restitution within a step: the time when a contact closes, and its rebound speed, without a gain of energy.

In a step of length h the free speed goes from w_0 to w_h, so a = (w_h - w_0) / h. A contact has the gap g in the middle
of the step, and g_0 = g - h w_0 / 2 at its start. It closes at the time t with g_0 + w_0 t + a t^2 / 2 = 0. If it hits
at w(t) = w_0 + a t < 0, it rebounds with -e w(t), and h - t remains of the step: its target speed at the end is -e w(t)
+ a (h - t). If it would hit again within a step, 2 e |w(t)| < |a| h, it rests instead of bouncing, so an infinite
series of bounces ends. A contact that does not bounce may close its gap until the middle of the next step: w >= -g / h.

A contact that hits and does not rebound lands, at the time t = h / 2 + g / -w_0, up to the middle of the next step. The
contact that lands first in a tree stops at its time, w >= 0. Contacts that land later may close the rest of their gap
in the remaining time. If the first contact only closed its gap, its impact would be divided between this step and the
next. With friction, the effect of two partial impacts depends on the time of the impact within the step, however short
the step is.

The step of each tree of a forest is split at its own first bounce, so that a bounce in one tree does not disturb
another tree that stands. A figure is one tree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.constraints import Constraints
from gambol.contact.stepping.contact import Contact, SlotSigns
from gambol.contact.stepping.solve import allowed_fraction, energy_gain
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, leaves, logical_not, maximum, minimum, sqrt, unflatten, when, where
from gambol.spatial.rotation import is_constant

MIN_LANDING_FACTOR = 1.0
"""Minimum ratio of a landing contact's speed to its change by forces in a step; slower contacts only close their
gap."""

HORIZON = 1.5
"""Time from the start of a step to the middle of the next, where its gaps are evaluated, in steps."""

BOUNCE_HORIZON = 2.0
"""Time from the start of a step within which the bounce of an approaching contact is predicted, in steps."""

MIN_REMAINDER = 1e-6
"""Minimum remaining time after a landing, in steps, so that nothing is divided by 0."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of a contact in a step.

    resting_speed: least speed if it does not bounce; rebound_speed: least speed at the end of the step, the same if it
    does not bounce [m/s]. bounces: 1 or 0. time: time of the bounce, from the start of the step [s], HORIZON h if none.
    lands: 1 where it hits and does not rebound, else 0; time is then the time of the landing. speed_before: speed
    before the step [m/s]. change: change of the free speed in the step, 0 or more [m/s].
    """

    resting_speed: Scalar
    rebound_speed: Scalar
    bounces: Scalar
    time: Scalar
    lands: Scalar = 0.0
    speed_before: Scalar = 0.0
    change: Scalar = 0.0


def find_arrival(
    gap: Scalar,
    before: Scalar,
    after: Scalar,
    h: Scalar,
    restitution: Scalar,
    evaluated: Scalar | None = None,
    slowest: Scalar = 0.0,
) -> Arrival:
    """Return the arrival of a contact in a step of h [s].

    gap: gap when it is evaluated, for a motion at the speed before [m]; before, after: free speeds at the start and the
    end of the step [m/s]; restitution: e. evaluated: the time of evaluation, from the start of the step [s]; None: its
    middle. slowest: least speed of a landing [m/s].
    """
    g, change = maximum(gap, 0.0), abs(after - before)
    closing = closing_time(evaluated, h)
    evaluated, horizon = (0.5 * h, h) if evaluated is None else (evaluated, HORIZON * h - evaluated)
    resting_speed, hits = -g / closing, (before * horizon < -g) & (before < -MIN_LANDING_FACTOR * change)
    if not is_constant(slowest, 0.0):
        hits = hits & (before < -slowest)
    if is_constant(restitution, 0.0):
        landing = where(hits, evaluated + g / where(hits, -before, 1.0), HORIZON * h)
        return Arrival(resting_speed, resting_speed, 0.0, landing, where(hits, 1.0, 0.0), before, change)
    a, g = (after - before) / h, maximum(gap - evaluated * before, 0.0)
    discriminant = before * before - 2.0 * a * g
    root = sqrt(maximum(discriminant, 0.0))
    denominator = root - before  # t = 2 g / (-w_0 + root): the smaller root, without cancellation
    closes = (discriminant >= 0.0) & (denominator > 0.0) & (2.0 * g <= denominator * (BOUNCE_HORIZON * h))
    t = where(closes, 2.0 * g / where(closes, denominator, 1.0), BOUNCE_HORIZON * h)
    impact_speed = before + a * t
    rebound_speed = -restitution * impact_speed
    rebounds = closes & (impact_speed < 0.0) & (2.0 * rebound_speed > abs(a) * h)
    bounces, lands = rebounds & (t <= h), hits & logical_not(rebounds)
    landing = where(lands, evaluated + maximum(gap, 0.0) / where(lands, -before, 1.0), HORIZON * h)
    # where a bounce is foreseen, the gap may close by the end of this step
    resting_speed = where(rebounds, 2.0, 1.0) * resting_speed
    return Arrival(
        resting_speed,
        where(bounces, rebound_speed + a * (h - t), resting_speed),
        where(bounces, 1.0, 0.0),
        where(bounces, t, landing),
        where(lands, 1.0, 0.0),
        before,
        change,
    )


def closing_time(evaluated: Scalar | None, h: Scalar) -> Scalar:
    """Return the time in which a gap may close [s]: from its evaluation to that in the middle of the next step.

    evaluated: time of the evaluation from the start of a step of h [s]; None: its middle. The result is at least half a
    step, so that gaps of rounding errors do not allow speeds.
    """
    return h if evaluated is None else maximum(HORIZON * h - evaluated, 0.5 * h)


def ordered_landings(arrivals: Sequence[Arrival], firsts: Sequence[Scalar], h: Scalar) -> list[Arrival]:
    """Return the arrivals; the first landing in each tree stops at its time, and later landings may close their gaps.

    arrivals: arrivals of contacts and limits; firsts: for each, the time of the first event in its tree, from the start
    of the step [s]; h: length of the step [s].
    """
    result: list[Arrival] = []
    for contact, first in zip(arrivals, firsts, strict=True):
        if is_constant(contact.lands, 0.0):
            result.append(contact)
            continue
        remaining = maximum(HORIZON * h - first, MIN_REMAINDER * h)
        resting_speed = where(
            contact.lands > 0.5, contact.speed_before * ((contact.time - first) / remaining), contact.resting_speed
        )
        result.append(
            replace(
                contact,
                resting_speed=resting_speed,
                rebound_speed=where(contact.bounces > 0.5, contact.rebound_speed, resting_speed),
            )
        )
    return result


def limit_rebounds(
    blocks: Sequence[Block],
    arrivals: Sequence[Arrival],
    u_free: list[Scalar],
    elastic: ImpulseSolution,
    solve: Subprogram,
) -> ImpulseSolution:
    """Return the elastic solution, or one with reduced rebounds if the elastic solution adds energy.

    blocks: blocks of the problem; arrivals: arrivals of contacts and limits, the first blocks; u_free: velocities u
    (nv) without impulses; elastic: solution with full rebounds; solve: solves the blocks' problem from targets and
    initial impulses.
    """
    if all(is_constant(contact.bounces, 0.0) for contact in arrivals):
        return elastic
    zeros = [0.0] * (len(blocks) - len(arrivals))

    def blended(full: ImpulseSolution) -> ImpulseSolution:
        return _blended(u_free, full, solve([*(contact.resting_speed for contact in arrivals), *zeros], full.impulses))

    return when(sum(energy_gain(u_free, elastic.u)) > 0.0, Subprogram(blended), elastic, otherwise=elastic)


def _blended(u_free: list[Scalar], elastic: ImpulseSolution, inelastic: ImpulseSolution) -> ImpulseSolution:
    """Return the solution between the inelastic and the elastic solution that adds no energy."""
    s = allowed_fraction(sum(energy_gain(u_free, inelastic.u)), *energy_gain(inelastic.u, elastic.u))
    pairs = zip(leaves(inelastic), leaves(elastic), strict=True)
    return unflatten(elastic, iter([x + s * (y - x) for x, y in pairs]))


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree: indices of its links, the root first, and of their degrees of freedom."""

    links: tuple[int, ...]
    freedoms: tuple[int, ...]

    def touched_by(self, contact: Contact) -> Scalar:
        """Return 1 where a contact acts on a link of the tree, else 0."""
        if isinstance(contact.signs, SlotSigns):
            return contact.signs.acts_below(self.links[0])
        signs = [contact.signs[i] for i in self.links if i in contact.signs]
        if any(is_constant(abs(sign), 1.0) for sign in signs):
            return 1.0
        touches: Scalar = 0.0
        for sign in signs:
            touches = maximum(abs(sign), touches)
        return touches

    def has_any(self, freedoms: Iterable[int]) -> Scalar:
        """Return 1 where some of these degrees of freedom belong to the tree, else 0."""
        return 1.0 if set(freedoms) & set(self.freedoms) else 0.0

    def mask(self, constraints: Constraints) -> list[Scalar]:
        """Return 1 for each contact and limit that acts on the tree, else 0."""
        contacts = (self.touched_by(contact) for contact in constraints.contacts)
        return [*contacts, *(self.has_any(limit.J) for limit in constraints.limits)]


def trees(figure: Figure) -> tuple[Tree, ...]:
    """Return the trees of a figure: one for each moving link whose ancestors do not move."""
    return _trees(tuple((link.parent_index, link.v.start, link.v.stop) for link in figure.links))


@lru_cache(maxsize=256)
def _trees(links: tuple[tuple[int, int, int], ...]) -> tuple[Tree, ...]:
    """Return trees from each link's parent number and freedoms.

    These are structure only, so that no traced values are cached.
    """
    root_of = {0: 0}  # root of each link's tree, 0 if the link cannot move
    for number, (parent, start, end) in enumerate(links, start=1):
        root_of[number] = root_of[parent] or (number if end > start else 0)
    result: list[Tree] = []
    for root in dict.fromkeys(filter(None, root_of.values())):
        members = tuple(number for number, tree_root in root_of.items() if tree_root == root)
        result.append(Tree(members, tuple(k for number in members for k in range(*links[number - 1][1:]))))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class TreeSplit:
    """The split of a tree's step by its contacts.

    bounced: 1 where a contact bounced; has_event: 1 where a contact bounced or landed; time: time of the first event,
    from the start of the step [s].
    """

    bounced: Scalar
    has_event: Scalar
    time: Scalar


def first_event(mask: Sequence[Scalar], arrivals: Sequence[Arrival], h: Scalar) -> Scalar:
    """Return the time of a tree's first landing or bounce, from the start of a step of h [s]; HORIZON h if none.

    mask: 1 for each contact and limit that acts on the tree, else 0; arrivals: arrivals of the same contacts and
    limits.
    """
    first = HORIZON * h
    for acts, arrival in zip(mask, arrivals, strict=True):
        if not is_constant(acts, 0.0):
            first = where(acts > 0.5, minimum(arrival.time, first), first)
    return first


def first_events(
    masks: Sequence[Sequence[Scalar]], first_times: Sequence[Scalar], latest: Sequence[Scalar]
) -> list[Scalar]:
    """Return the time of the first event in the trees of each contact and limit, at most its latest time [s].

    masks: masks of the trees, as for first_event(); first_times: times of their first events [s].
    """
    result = list(latest)
    for mask, first_time in zip(masks, first_times, strict=True):
        pairs = zip(mask, result, strict=True)
        result = [x if is_constant(acts, 0.0) else where(acts > 0.5, minimum(first_time, x), x) for acts, x in pairs]
    return result


def tree_split(mask: Sequence[Scalar], arrivals: Sequence[Arrival], first: Scalar) -> TreeSplit:
    """Return the split of a tree's step.

    mask, arrivals: as for first_event(); first: the time of the tree's first event [s].
    """
    bounced: Scalar = 0.0
    split: Scalar = 0.0
    for acts, arrival in zip(mask, arrivals, strict=True):
        if is_constant(acts, 0.0):
            continue
        event = arrival.lands
        if not is_constant(arrival.bounces, 0.0):
            bounced = where(acts > 0.5, maximum(arrival.bounces, bounced), bounced)
            event = maximum(arrival.bounces, event)
        split = where(acts > 0.5, maximum(event, split), split)
    return TreeSplit(bounced, split, first)


def any_event(splits: Iterable[TreeSplit]) -> Scalar:
    """Return 1 where a contact bounced or landed in any tree, else 0."""
    result: Scalar = 0.0
    for split in splits:
        if not is_constant(split.has_event, 0.0):
            result = maximum(split.has_event, result)
    return result

"""Collisions of a particle in a step: with the ground, and with moving shapes of links.

A particle is a ball on the straight motion of its step. At the first touch, u is its velocity relative to the obstacle:

    u_n' = -e u_n  (0 below a speed of rest)       |u_t' - u_t| = min(mu |u_n' - u_n|, |u_t|)       [Coulomb]

The rest of the step continues from this state. After the last of MAX_BOUNCES contacts, the particle stays at the
obstacle.
"""

from dataclasses import dataclass

from gambol.collide import Ground, HeightGrid, NoGround, Plane
from gambol.collide.continuous import NO_HIT, BallMotion, Hit, grid_hit, plane_hit, time_of_impact
from gambol.collide.gap import select
from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.matter.particles.motion import Particle
from gambol.matter.particles.obstacles import ObstacleInputs, Obstacles
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MAX_BOUNCES = 2
"""Maximum number of touches in a step: the second touch is for corners, such as between the ground and a foot."""

TINY = 1e-30
"""Added to a squared speed, so that its root is differentiable and no divisor is 0 [m2/s2]."""

NOTHING, GROUND = -1.0, 0.0
"""Values of Touch.obstacle: no obstacle, and the ground; shapes follow from 1 on."""


@dataclass(frozen=True, slots=True)
class SurfaceLaw:
    """The contact law of a particle: restitution e, friction mu, and the speed below which it rests [m/s]."""

    restitution: Scalar
    friction: Scalar
    rest_speed: Scalar


@dataclass(frozen=True, slots=True)
class Touch:
    """A touch of a particle in a step.

    obstacle: NOTHING, GROUND, or 1 + index of a shape. point [m]. normal: out of the obstacle. speed: impact speed of
    the particle [m/s]. impulse: impulse on the obstacle [N s]. loss: loss by restitution and friction [J]. work: work
    of the moving obstacle on the particle [J].
    """

    obstacle: Scalar
    point: Vector
    normal: Vector
    speed: Scalar
    impulse: Vector
    loss: Scalar
    work: Scalar


NO_TOUCH = Touch(NOTHING, ZERO, Vector(0.0, 0.0, 1.0), 0.0, ZERO, 0.0, 0.0)
"""The touch of a particle without contact."""


def resolved(
    particle: Particle,
    end: tuple[Vector, Vector],
    h: Scalar,
    law: SurfaceLaw,
    obstacles: Obstacles,
    inputs: ObstacleInputs,
) -> tuple[Vector, Vector, list[Touch]]:
    """Return position and velocity of a particle after a step with touches, and its touches.

    particle: particle at the start of the step. end: its position and velocity at the end without obstacles. h: the
    step [s]. The result contains MAX_BOUNCES touches, in order, or a single combined touch if the ground is the only
    obstacle.
    """
    segment = Segment(particle.position, end[0], particle.velocity, end[1], h)
    touches, last = list[Touch](), NO_TOUCH
    for k in range(MAX_BOUNCES):
        ball = BallMotion(segment.start, segment.end - segment.start, particle.radius)
        hit, obstacle, surface_velocity = _first(ball, (h - segment.duration, segment.duration), obstacles, inputs)
        after, speed, impulse, loss = _after_touch(segment, hit, surface_velocity, law)
        m, point = particle.mass, after.start - hit.normal * particle.radius
        touch = Touch(obstacle, point, hit.normal, speed, impulse * m, m * loss, -(m * impulse.dot(surface_velocity)))
        if k == MAX_BOUNCES - 1:
            waiting = after.start + surface_velocity * after.duration
            after = Segment(after.start, waiting, after.v_start, after.v_end, after.duration)
        segment, last = select(hit.time <= 1.0, (after, _combined(last, touch)), (segment, last))
        touches.append(select(hit.time <= 1.0, touch, NO_TOUCH))
    x = _above_ground(segment.end, particle.radius, last, obstacles.ground, inputs)
    return x, segment.v_end, touches if obstacles.shapes else [last]


def _combined(earlier: Touch, touch: Touch) -> Touch:
    """Return a touch plus the impulse, the loss and the work of an earlier touch."""
    sums = earlier.impulse + touch.impulse, earlier.loss + touch.loss, earlier.work + touch.work
    return Touch(touch.obstacle, touch.point, touch.normal, touch.speed, *sums)


def _above_ground(x: Vector, radius: Scalar, touch: Touch, ground: Ground, inputs: ObstacleInputs) -> Vector:
    """Return a position, raised to the ground if a shape has pushed the particle below it."""
    if not isinstance(ground, (Plane, HeightGrid)):
        return x
    surface = ground.surface(inputs.ground, inputs.table, x.x, x.y)
    depth = maximum(surface.depth(x.z) + radius, 0.0)
    return x + surface.normal * where(touch.obstacle > GROUND, depth, 0.0)


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the motion of a step: from start to end [m], v_start to v_end [m/s], its duration [s]."""

    start: Vector
    end: Vector
    v_start: Vector
    v_end: Vector
    duration: Scalar


def _after_touch(
    segment: Segment, hit: Hit, surface_velocity: Vector, law: SurfaceLaw
) -> tuple[Segment, Scalar, Vector, Scalar]:
    """Return the motion after a touch, the speed of approach, and the impulse on the obstacle and the loss, per mass.

    Velocities change linearly over the segment. A particle that rests after the touch stays on the surface until the
    end, with friction.
    """
    t = where(hit.time <= 1.0, hit.time, 1.0)
    change = segment.v_end - segment.v_start
    at, before = segment.start + (segment.end - segment.start) * t, segment.v_start + change * t
    bounced, speed = _bounced(before - surface_velocity, hit.normal, law)
    free = bounced + change * (1.0 - t)
    resting, _ = _bounced(free, hit.normal, SurfaceLaw(0.0, law.friction, law.rest_speed))
    rests = (free.dot(hit.normal) < 0.0) & (where(speed > law.rest_speed, law.restitution, 0.0) <= 0.0)
    after = select(rests, resting, free)
    remaining = segment.duration * (1.0 - t)
    impulse = (before - surface_velocity - bounced) + (free - after)
    approach = before - surface_velocity
    loss = 0.5 * (approach.dot(approach) - bounced.dot(bounced)) + 0.5 * (free - after).dot(bounced + after)
    end = at + (bounced + after) * (0.5 * remaining) + surface_velocity * remaining
    return Segment(at, end, bounced + surface_velocity, after + surface_velocity, remaining), speed, impulse, loss


def _first(
    ball: BallMotion, times: tuple[Scalar, Scalar], obstacles: Obstacles, inputs: ObstacleInputs
) -> tuple[Hit, Scalar, Vector]:
    """Return the first hit of a ball, the obstacle, and the velocity of the obstacle there [m/s].

    times: time since the start of the step, and duration of the motion [s]. A ball that overlaps an obstacle and moves
    out has no hit.
    """
    best = (_if_inward(_ground_hit(ball, obstacles.ground, inputs), ball), GROUND, ZERO)
    for k, placed in enumerate(obstacles.shapes):
        motion = inputs.motions[placed.link]
        surface_velocity = motion.velocity_at(ball.start)
        relative = BallMotion(
            ball.start - surface_velocity * times[0], ball.motion - surface_velocity * times[1], ball.radius
        )
        hit = _if_inward(time_of_impact(placed.shape, motion.pose() @ placed.pose, relative), relative)
        point = ball.at(where(hit.time <= 1.0, hit.time, 0.0)) - hit.normal * ball.radius
        best = select(hit.time < best[0].time, (hit, 1.0 + k, motion.velocity_at(point)), best)
    return best


def _if_inward(hit: Hit, ball: BallMotion) -> Hit:
    """Return a hit, or no hit if the ball overlaps the obstacle at the start and moves out."""
    return hit.masked((hit.time > 0.0) | (ball.motion.dot(hit.normal) < 0.0))


def _ground_hit(ball: BallMotion, ground: Ground, inputs: ObstacleInputs) -> Hit:
    """Return the hit of a ball on the ground; on smooth ground, the hit on the plane of the surface below the end."""
    if isinstance(ground, NoGround):
        return NO_HIT
    if isinstance(ground, HeightGrid):
        return grid_hit(ball, ground, inputs.ground, inputs.table)
    below = ball.at(1.0)
    surface = ground.surface(inputs.ground, inputs.table, below.x, below.y)
    return plane_hit(ball, surface.normal, surface.normal.dot(Vector(below.x, below.y, surface.height)))


def _bounced(u: Vector, n: Vector, law: SurfaceLaw) -> tuple[Vector, Scalar]:
    """Return the velocity relative to the obstacle after a touch, and the inward normal speed before it [m/s]."""
    inward = maximum(-u.dot(n), 0.0)
    e = where(inward > law.rest_speed, law.restitution, 0.0)
    tangential = u - n * u.dot(n)
    speed = sqrt(tangential.dot(tangential) + TINY)
    kept_fraction = 1.0 - minimum(law.friction * (1.0 + e) * inward / speed, 1.0)
    outward = maximum(u.dot(n), e * inward)
    return tangential * kept_fraction + n * outward, inward

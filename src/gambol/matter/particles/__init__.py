"""Particle systems: sparks, dust, splashes, fountains."""

from gambol.matter.particles.emitter import CurveSource, Emitter, MeshSource, PointSource, Source, Spread
from gambol.matter.particles.fields import Attraction, CurvePull, Field, Gravity, Vortex, Wind
from gambol.matter.particles.look import Look
from gambol.matter.particles.obstacles import motion_between
from gambol.matter.particles.record import ParticleRecorder
from gambol.matter.particles.run import run_particles, with_particles
from gambol.matter.particles.state import ParticleLedger, ParticleState
from gambol.matter.particles.step import ParticleStep, ParticleStepper
from gambol.matter.particles.system import ParticleSystem

__all__ = [
    "Attraction",
    "CurvePull",
    "CurveSource",
    "Emitter",
    "Field",
    "Gravity",
    "Look",
    "MeshSource",
    "ParticleLedger",
    "ParticleRecorder",
    "ParticleState",
    "ParticleStep",
    "ParticleStepper",
    "ParticleSystem",
    "PointSource",
    "Source",
    "Spread",
    "Vortex",
    "Wind",
    "motion_between",
    "run_particles",
    "with_particles",
]

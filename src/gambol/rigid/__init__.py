"""Piles of many free bodies in one world: they lie, roll, slide and bounce, in lanes over bodies and contacts."""

from gambol.rigid.body import GROUND, Body, LinkBody, Pile, SurfaceMaterial
from gambol.rigid.body_frame import BodyFrame, body_frame
from gambol.rigid.ledger import EnergyLedger
from gambol.rigid.linked import LinkedBodies, linked_bodies
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.sleep import Sleeping
from gambol.rigid.state import ContactCache, PileState, SleepState, initial_state
from gambol.rigid.step import PileStepper

__all__ = [
    "GROUND",
    "Body",
    "BodyFrame",
    "ContactCache",
    "EnergyLedger",
    "LinkBody",
    "LinkedBodies",
    "Pile",
    "PileJoints",
    "PileState",
    "PileStepper",
    "SleepState",
    "Sleeping",
    "SurfaceMaterial",
    "body_frame",
    "initial_state",
    "linked_bodies",
]

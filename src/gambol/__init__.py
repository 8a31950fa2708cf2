"""gambol simulates and animates legged creatures. Public names are loaded at first use."""

import sys

TYPE_CHECKING = False  # importing typing takes 6 ms, in which Ctrl-C would print a traceback
if TYPE_CHECKING:
    from typing import Any

    from gambol import env as env  # submodules that are loaded lazily, too
    from gambol import evolve as evolve
    from gambol.actuation import Actuator, Servo, SpringTendon, TorqueMotor, VelocityServo, actuators_of
    from gambol.actuation.muscle import Muscle, PneumaticMuscle, PointPath, PulleyPath
    from gambol.collide import HeightGrid, NoGround, Plane
    from gambol.collide.hills import random_hills
    from gambol.contact import (
        Attachment,
        CompliantGround,
        Constraint,
        ContactParameters,
        Impulse,
        Medium,
        Penalty,
        RigidGround,
        SpringDamper,
        Stepping,
        SurfaceProperties,
    )
    from gambol.control import Drive, FeedbackController, Senses
    from gambol.control.patterns import Commanded, FunctionPattern
    from gambol.creatures import Creature, roach
    from gambol.creatures.accuracy import AccuracyFit, fit_accuracy
    from gambol.creatures.calibration import calibrate
    from gambol.creatures.entry import CreatureEntry
    from gambol.creatures.gait_metrics import Walk, measure
    from gambol.creatures.ground_forces import GroundForces, measure_ground_forces
    from gambol.creatures.make_scene import make_scene
    from gambol.creatures.make_world import make_world
    from gambol.creatures.measures import CreatureMeasures, measure_creature
    from gambol.creatures.placing import Place
    from gambol.creatures.table import creature_entry
    from gambol.creatures.terrain import hills_for, standing_height
    from gambol.creatures.together import together
    from gambol.dynamics import Dynamics
    from gambol.dynamics.adaptive import ActiveJoints, AdaptiveDynamics
    from gambol.dynamics.loops import assembled
    from gambol.dynamics.states import (
        LinkStates,
        Momentum,
        centre_of_mass,
        forward_dynamics,
        inverse_dynamics,
        kinematics,
        kinetic_energy,
        mass_matrix,
        momentum,
        potential_energy,
    )
    from gambol.env import make_env
    from gambol.errors import FigureError, GambolError, TraceError, WorldError
    from gambol.export import WalkCycle, walk_cycle, write_bvh, write_csv, write_gltf, write_usd
    from gambol.figure import (
        Box,
        Capsule,
        Closure,
        Coupling,
        Cylinder,
        Ellipsoid,
        Figure,
        Frustum,
        HeightField,
        Hull,
        Joint,
        JointSpring,
        Link,
        MassProperties,
        Part,
        Pipe,
        Sphere,
        make_forest,
        random_figure,
        random_state,
        rotation_about,
    )
    from gambol.formats import (
        Model,
        combine_models,
        read_figure,
        read_hull,
        read_mjcf,
        read_model,
        read_urdf,
        read_usd,
        write_figure,
        write_mjcf,
        write_urdf,
    )
    from gambol.gait.behaviour import Behaviour
    from gambol.plan.pose import (
        AxisGoal,
        BalanceGoal,
        GazeGoal,
        JointGoal,
        OrientationGoal,
        PointGoal,
        PoseSolution,
        inverse_kinematics,
    )
    from gambol.script import read_script
    from gambol.sensing import LightSensor, Rangefinder
    from gambol.spatial.conversions import (
        axis_angle_from_quaternion,
        euler_from_quaternion,
        matrix_from_quaternion,
        multiply_quaternions,
        quaternion_from_axis_angle,
        quaternion_from_euler,
        quaternion_from_matrix,
        quaternion_from_rotation_vector,
        rotate,
        rotation_vector_from_quaternion,
    )
    from gambol.view import (
        LiveView,
        show,
        write_live_page,
        write_page,
        write_pattern,
        write_picture,
        write_plot,
        write_video,
    )
    from gambol.view.camera import CameraKey, FixedCamera, FollowCamera, KeyedCamera, OrbitCamera, read_camera_keys
    from gambol.world import (
        Contacts,
        DeviceState,
        Engine,
        External,
        Film,
        InitialState,
        Push,
        State,
        Timing,
        World,
        ZeroCrossing,
        contacts,
        load_state,
        reset,
        run,
        save_state,
        sensors,
        start,
        step,
        steps,
        to_device,
    )
    from gambol.world.adaptive import adaptive_dynamics, adaptive_film

__all__ = [
    "AccuracyFit", "ActiveJoints", "Actuator", "AdaptiveDynamics", "Attachment", "AxisGoal", "BalanceGoal", "Behaviour",
    "Box", "CameraKey", "Capsule", "Closure", "Commanded", "CompliantGround", "Constraint", "ContactParameters",
    "Contacts", "Coupling", "Creature", "CreatureEntry", "CreatureMeasures", "Cylinder", "DeviceState", "Drive",
    "Dynamics", "Ellipsoid", "Engine", "External", "FeedbackController", "Figure", "FigureError", "Film", "FixedCamera",
    "FollowCamera", "Frustum", "FunctionPattern", "GambolError", "GazeGoal", "GroundForces", "HeightField",
    "HeightGrid", "Hull", "Impulse", "InitialState", "Joint", "JointGoal", "JointSpring", "KeyedCamera", "LightSensor",
    "Link", "LinkStates", "LiveView", "MassProperties", "Medium", "Model", "Momentum", "Muscle", "NoGround",
    "OrbitCamera", "OrientationGoal", "Part", "Penalty", "Pipe", "Place", "Plane", "PneumaticMuscle", "PointGoal",
    "PointPath", "PoseSolution", "PulleyPath", "Push", "Rangefinder", "RigidGround", "Senses", "Servo", "Sphere",
    "SpringDamper", "SpringTendon", "State", "Stepping", "SurfaceProperties", "Timing", "TorqueMotor", "TraceError",
    "VelocityServo", "Walk", "WalkCycle", "World", "WorldError", "ZeroCrossing", "actuators_of", "adaptive_dynamics",
    "adaptive_film", "assembled", "axis_angle_from_quaternion", "calibrate", "centre_of_mass", "combine_models",
    "contacts", "creature_entry", "euler_from_quaternion", "fit_accuracy", "forward_dynamics", "hills_for",
    "inverse_dynamics", "inverse_kinematics", "kinematics", "kinetic_energy", "load_state", "make_env", "make_forest",
    "make_scene", "make_world", "mass_matrix", "matrix_from_quaternion", "measure", "measure_creature",
    "measure_ground_forces", "momentum", "multiply_quaternions", "potential_energy", "quaternion_from_axis_angle",
    "quaternion_from_euler", "quaternion_from_matrix", "quaternion_from_rotation_vector", "random_figure",
    "random_hills", "random_state", "read_camera_keys", "read_figure", "read_hull", "read_mjcf", "read_model",
    "read_script", "read_urdf", "read_usd", "reset", "roach", "rotate", "rotation_about",
    "rotation_vector_from_quaternion", "run", "save_state", "sensors", "show", "standing_height", "start", "step",
    "steps", "to_device", "together", "walk_cycle", "write_bvh", "write_csv", "write_figure", "write_gltf",
    "write_live_page", "write_mjcf", "write_page", "write_pattern", "write_picture", "write_plot", "write_urdf",
    "write_usd", "write_video",
]  # fmt: skip

MODULES = {
    "gambol.actuation": ("Actuator", "Servo", "SpringTendon", "TorqueMotor", "VelocityServo", "actuators_of"),
    "gambol.actuation.muscle": ("Muscle", "PneumaticMuscle", "PointPath", "PulleyPath"),
    "gambol.collide": ("HeightGrid", "NoGround", "Plane"),
    "gambol.collide.hills": ("random_hills",),
    "gambol.contact": (
        "Attachment", "CompliantGround", "Constraint", "ContactParameters", "Impulse", "Medium", "Penalty",
        "RigidGround", "SpringDamper", "Stepping", "SurfaceProperties",
    ),
    "gambol.control": ("Drive", "FeedbackController", "Senses"),
    "gambol.control.patterns": ("Commanded", "FunctionPattern"),
    "gambol.creatures": ("Creature", "roach"),
    "gambol.creatures.accuracy": ("AccuracyFit", "fit_accuracy"),
    "gambol.creatures.calibration": ("calibrate",),
    "gambol.creatures.entry": ("CreatureEntry",),
    "gambol.creatures.gait_metrics": ("Walk", "measure"),
    "gambol.creatures.ground_forces": ("GroundForces", "measure_ground_forces"),
    "gambol.creatures.make_scene": ("make_scene",),
    "gambol.creatures.make_world": ("make_world",),
    "gambol.creatures.measures": ("CreatureMeasures", "measure_creature"),
    "gambol.creatures.placing": ("Place",),
    "gambol.creatures.table": ("creature_entry",),
    "gambol.creatures.terrain": ("hills_for", "standing_height"),
    "gambol.creatures.together": ("together",),
    "gambol.dynamics": ("Dynamics",),
    "gambol.dynamics.adaptive": ("ActiveJoints", "AdaptiveDynamics"),
    "gambol.dynamics.loops": ("assembled",),
    "gambol.dynamics.states": (
        "LinkStates", "Momentum", "centre_of_mass", "forward_dynamics", "inverse_dynamics", "kinematics",
        "kinetic_energy", "mass_matrix", "momentum", "potential_energy",
    ),
    "gambol.env": ("make_env",),
    "gambol.gait.behaviour": ("Behaviour",),
    "gambol.export": ("WalkCycle", "walk_cycle", "write_bvh", "write_csv", "write_gltf", "write_usd"),
    "gambol.errors": ("FigureError", "GambolError", "TraceError", "WorldError"),
    "gambol.figure": (
        "Box", "Capsule", "Closure", "Coupling", "Cylinder", "Ellipsoid", "Figure", "Frustum", "HeightField",
        "Hull", "Joint", "JointSpring", "Link", "MassProperties", "Part", "Pipe", "Sphere", "make_forest",
        "random_figure", "random_state", "rotation_about",
    ),
    "gambol.formats": (
        "Model", "combine_models", "read_figure", "read_hull", "read_mjcf", "read_model", "read_urdf", "read_usd",
        "write_figure", "write_mjcf", "write_urdf",
    ),
    "gambol.plan.pose": (
        "AxisGoal", "BalanceGoal", "GazeGoal", "JointGoal", "OrientationGoal", "PointGoal", "PoseSolution",
        "inverse_kinematics",
    ),
    "gambol.script": ("read_script",),
    "gambol.spatial.conversions": (
        "axis_angle_from_quaternion", "euler_from_quaternion", "matrix_from_quaternion", "multiply_quaternions",
        "quaternion_from_axis_angle", "quaternion_from_euler", "quaternion_from_matrix",
        "quaternion_from_rotation_vector", "rotate", "rotation_vector_from_quaternion",
    ),
    "gambol.view": (
        "LiveView", "show", "write_live_page", "write_page", "write_pattern", "write_picture", "write_plot",
        "write_video",
    ),
    "gambol.view.camera": (
        "CameraKey", "FixedCamera", "FollowCamera", "KeyedCamera", "OrbitCamera", "read_camera_keys",
    ),
    "gambol.sensing": ("LightSensor", "Rangefinder"),
    "gambol.world.adaptive": ("adaptive_dynamics", "adaptive_film"),
    "gambol.world": (
        "Contacts", "DeviceState", "Engine", "External", "Film", "InitialState", "Push", "State", "Timing", "World",
        "ZeroCrossing", "contacts", "load_state", "reset", "run", "save_state", "sensors", "start", "step", "steps",
        "to_device",
    ),
}  # fmt: skip
SUBPACKAGES = ("env", "evolve")
_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in SUBPACKAGES:
        return import_module(f"gambol.{name}")
    if name not in _MODULE_OF:
        message = import_module("gambol.renamed").explanation(f"gambol.{name}")
        raise AttributeError(
            message or f"module 'gambol' has no attribute {name!r}", name=name, obj=import_module("gambol")
        )
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _OldNames:
    """A module finder, last in sys.meta_path. Its error gives the new name of a renamed module or public name."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> None:
        """Raise ImportError with the new name if the name was renamed. `from package import name` also calls this."""
        if fullname.startswith("gambol."):
            from importlib import import_module

            if message := import_module("gambol.renamed").explanation(fullname):
                raise ImportError(message, name=fullname)


sys.meta_path.append(_OldNames)

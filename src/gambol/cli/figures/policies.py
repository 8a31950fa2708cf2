"""The option --policy of `gambol run`: a policy acts in the environment of a figure."""

from dataclasses import asdict, replace
from typing import Any

from gambol.cli.figures import results
from gambol.cli.figures.run_request import DEFAULT_SECONDS, PreparedRun, RunRequest, request_summary
from gambol.errors import GambolError
from gambol.formats.file_format import FORMATS, SCRIPT, file_format
from gambol.world import Film
from gambol.world.run import Progress

SHARED = ("file", "seconds", "seed", "lanes", "policy", "reading")
"""Options that apply to a run with a policy, too."""


def prepare_policy(request: RunRequest, policy_file: str) -> PreparedRun:
    """Return the run of a figure under a policy, in an environment of gambol.make_env().

    policy_file: path of an ONNX file. Raises GambolError for options other than SHARED, without the packages gymnasium
    and onnxruntime, for a file that is not a figure, and for a policy with wrong numbers of inputs or outputs.
    """
    plain = asdict(RunRequest(request.file))
    for name, value in asdict(request).items():
        if name not in SHARED and value != plain[name]:
            raise GambolError(f"--policy acts in the environment of the figure; leave out --{name.replace('_', '-')}")
    if replace(request.reading, base=None) != RunRequest(request.file).reading:
        raise GambolError(
            "--policy reads the file as gambol.make_env does; leave out --leave-out, --mend, --no-visuals"
        )
    if file_format(request.file) == SCRIPT:
        raise GambolError(f'--policy: "{request.file.name}" is a script, which controls its creatures itself')
    try:
        from gambol.env.batched_env import BatchedEnv
        from gambol.env.policy import film_of_policy, read_policy
        from gambol.env.sources import body_of
    except ModuleNotFoundError as error:
        raise GambolError(f"--policy: the package {error.name} is missing; pip install gambol[policy]") from error
    policy = read_policy(policy_file)
    has_base = "base" in FORMATS[file_format(request.file)].options
    body = body_of(request.file, None, {"base": request.reading.base or "free"} if has_base else {})
    batch = BatchedEnv(body, request.lanes)
    policy.check(batch)
    seconds = request.seconds or DEFAULT_SECONDS

    def simulate(progress: Progress) -> Film:
        return film_of_policy(batch, policy, seconds, request.seed, progress)

    def summary(film: Film) -> dict[str, Any]:
        return request_summary(request) | results.film_summary(film)

    return PreparedRun(request.file.stem, seconds, simulate, summary, "a page cannot evaluate the policy")

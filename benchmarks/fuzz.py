"""Does anything that a client may send break the REST API? Schemathesis reads the OpenAPI document and tries.

    python -m benchmarks.fuzz [--examples 20] [--seconds 600] [--seed 1] [--url URL --key KEY]

Without --url it starts a platform of its own in a throw-away folder. What must hold: no call answers with a 5xx, and
every answer has a code and a shape that the document names. Ends with code 1 where that is not so.
"""

import argparse
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from benchmarks import platform

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    options.add_argument("--examples", type=int, default=20, help="of each call")
    options.add_argument("--seconds", type=int, default=600, help="at most")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--url", help="a site that runs already")
    options.add_argument("--key", default="", help="an agent's key there")
    chosen = options.parse_args()
    with ExitStack() as held:
        url, key = chosen.url, chosen.key
        if not url:
            folder = held.enter_context(tempfile.TemporaryDirectory(prefix="neuronz-fuzz-"))
            site = platform.start(Path(folder))
            held.callback(platform.stop, site)
            url, key = site.url, site.key
        sys.exit(fuzz(url, key, examples=chosen.examples, seed=chosen.seed, seconds=chosen.seconds))


def fuzz(url: str, key: str, *, examples: int, seed: int, seconds: int) -> int:
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{url}/api/schema/?format=json", "--url", url,
        "--header", f"Authorization: Bearer {key}", "--checks", CHECKS, "--max-examples", str(examples),
        "--seed", str(seed), "--phases", "examples,coverage,fuzzing", "--request-timeout", "60",
        "--continue-on-failure", "--no-shrink", "--max-time", str(seconds),
    ]  # fmt: skip
    return subprocess.run(command, check=False).returncode  # noqa: S603  # our own command


if __name__ == "__main__":
    main()

"""Sluice beside what people would otherwise use on a CPU, on one thread: ratios with their spread."""

import argparse
import json
import os
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

import rivals
from contender import Sluice
from pairing import pair
from problem import make_problem
from sluice import Library

SHAPES = [(rule, T, 8) for rule in ("kda", "gdn") for T in (512, 2048)] + [
    (rule, 1, heads) for rule in ("kda", "gdn") for heads in (8, 32, 128, 512)
]
TOLERANCE = 1e-4  # a rival that computes something else is not compared


def difference(expected, actual):
    """The largest difference, relative to the largest expected value."""
    return float(np.max(np.abs(expected - actual)) / np.max(np.abs(expected)))


def installed(names):
    """The modules of these rivals; says which are missing."""
    modules = []
    for name in names:
        try:
            modules.append(rivals.load(name))
        except Exception as reason:  # a package that is missing, or broken in whatever way
            print(f"{name}: not compared, {reason}. To install it: {rivals.how_to_install(name)}", file=sys.stderr)
    return modules


def compare(problem, library, rival, options):
    apart = Sluice(problem, library, in_place=False)
    apart.run()
    rival.run()
    error = max(difference(apart.output, rival.output), difference(apart.state, rival.state))
    if not error <= TOLERANCE:
        raise RuntimeError(f"{rival.name}: its results differ by {error:.1e}, more than {TOLERANCE:.0e}")
    # As an application would call each: Sluice updates the state where it is; a rival does what its interface allows.
    ours = Sluice(problem, library, in_place=True)
    seconds, rival_seconds, ratio = pair(ours.run, rival.run, options.pairs, options.seconds)
    per_token_head = 1e9 / problem.token_heads()
    return {
        "rule": problem.rule,
        "T": problem.T,
        "heads": problem.heads,
        "rival": rival.name,
        "difference": error,
        "sluice_ns": seconds * per_token_head,
        "rival_ns": rival_seconds * per_token_head,
        "ratio": dict(zip(("low", "median", "high"), ratio)),
    }


def main():
    parser = argparse.ArgumentParser(prog="tools/compare", description=__doc__)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.02, help="shortest sample")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="where both sides run")
    names = list(rivals.PACKAGES)
    parser.add_argument(
        "--rivals", nargs="+", choices=names, default=names, metavar="NAME", help=f"only these of {', '.join(names)}"
    )
    parser.add_argument("--json", help="keep the results in this file")
    options = parser.parse_args()

    os.sched_setaffinity(0, {options.cpu})  # before any library starts threads
    modules = installed(options.rivals)
    library = Library(options.library)
    table = Table(title=f"Sluice {library.version()} on one thread, K = V = 128, ns per token and head")
    for title in ("rule", "T", "heads", "rival", "rival ns", "sluice ns", "times as fast", "95 % interval"):
        table.add_column(title, justify="left" if title in ("rule", "rival") else "right", no_wrap=True)
    results = []
    for rule, T, heads in SHAPES:
        problem = make_problem(rule, T, heads)
        for rival in [rival for module in modules for rival in module.contenders(problem)]:
            result = compare(problem, library, rival, options)
            results.append(result)
            ratio = result["ratio"]
            table.add_row(
                rule,
                str(T),
                str(heads),
                result["rival"],
                f"{result['rival_ns']:.0f}",
                f"{result['sluice_ns']:.0f}",
                f"{ratio['median']:.2f}",
                f"{ratio['low']:.2f} - {ratio['high']:.2f}",
            )
    Console(width=max(120, Console().width)).print(table)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"comparisons": results}, file, indent=2)
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())

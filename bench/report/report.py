"""Figures from a benchmark's JSON: roofline, optimisation history, speed over length and heads."""

import argparse
import pathlib
import sys

from figures import FIGURES
from results import read


def main():
    parser = argparse.ArgumentParser(prog="tools/report", description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="sluice_bench's JSON")
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=pathlib.Path("docs/figures"))
    options = parser.parse_args()
    results = read(options.results)
    options.folder.mkdir(parents=True, exist_ok=True)
    missing = 0
    for figure in FIGURES:
        path = figure(results, options.folder)
        if path is None:
            print(f"{figure.__name__}: {options.results} has not the runs for it", file=sys.stderr)
            missing += 1
        else:
            print(path)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

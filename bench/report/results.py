"""Reads what sluice_bench wrote with --benchmark_out_format=json."""

import json
from dataclasses import dataclass


@dataclass
class Run:
    group: str  # prefill, decode, operator, baseline, or a model
    what: str  # sluice, a kernel's name, or baseline/<name>
    settings: dict
    kernel: str
    ns: float  # per token and head
    gflops: float
    roof_percent: float
    arithmetic_percent: float
    gigabytes: float  # per second

    def is_at(self, **settings):
        return all(self.settings.get(key) == value for key, value in settings.items())


@dataclass
class Results:
    machine: dict
    runs: list

    def find(self, group, what=None, **settings):
        return [
            run for run in self.runs if run.group == group and (what is None or what == run.what) and run.is_at(**settings)
        ]


PLAIN = {"workers": "1", "align": "64", "state": "in_place"}


def read(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    runs = {}
    for entry in report["benchmarks"]:
        # With repetitions the median stands for them.
        if entry.get("run_type") == "aggregate" and entry.get("aggregate_name") != "median":
            continue
        if entry.get("error_occurred"):
            continue
        name = entry.get("run_name", entry["name"])
        group, _, text = name.removesuffix("/manual_time").partition("/")
        what, *settings = text.split(",")
        pairs = dict(setting.split("=") for setting in settings)
        runs[name] = Run(
            group,
            what,
            {**PLAIN, **pairs},
            entry.get("label", ""),
            entry["ns/token/head"],
            entry["GFLOP/s"],
            entry["roof%"],
            entry["arithmetic%"],
            entry["GB/s"],
        )
    machine = json.loads(report["context"]["machine"])
    machine["date"] = report["context"]["date"][:10]
    return Results(machine, list(runs.values()))

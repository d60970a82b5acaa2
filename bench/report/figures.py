"""The report's figures, each from the runs of one sluice_bench."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

SHIPPED, STUDY, BASELINE = "#1f77b4", "#9ecae1", "#bdbdbd"
STEPS = ["four_pass", "two_pass", "one_pass"]
CHUNKS = ["reference", "value_outer", "head_dim", "register_tiled"]


def kernel_name(op, rule, dim, schedule, isa):
    return f"sluice_{op}_{rule}_f32_d{dim}_{schedule}_{isa}"


def best_isa(results):
    for isa in ("neon", "avx512", "avx2", "base"):
        if isa in results.machine["peak_gflops"]:
            return isa
    raise SystemExit("report: the benchmark measured no instruction set's peak")


def finish(figure, path, results):
    machine = results.machine
    figure.text(0.99, 0.01, f"{machine['cpu']}, {best_isa(results)}, one core, {machine['date']}", ha="right", size=7)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, dpi=150)
    plt.close(figure)
    return path


def bars(axes, title, entries):
    """entries: (label, ns, colour); longest first."""
    labels = [label for label, _, _ in entries]
    times = [ns for _, ns, _ in entries]
    drawn = axes.barh(labels, times, color=[colour for _, _, colour in entries])
    axes.bar_label(drawn, [f"{ns / 1e3:.3g} µs" for ns in times], padding=3, size=8)
    axes.set_xscale("log")
    axes.set_xlim(min(times) / 4, max(times) * 4)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda ns, _: f"{ns / 1e3:g} µs"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.invert_yaxis()
    axes.set_xlabel("time per token and head")
    axes.set_title(title, size=10)


def history(results, folder):
    """The optimisation history, schedule by schedule, with the published loops beside it."""
    isa = best_isa(results)

    def entries(op, group, schedules, loops, settings):
        rows = []
        for loop in loops:
            rows += [
                (f"C++ {loop}", run.ns, BASELINE) for run in results.find("baseline", f"baseline/{loop}", **settings)
            ]
        for schedule in schedules:
            colour = SHIPPED if schedule == schedules[-1] else STUDY
            name = kernel_name(op, "kda", 128, schedule, isa)
            rows += [(schedule, run.ns, colour) for run in results.find(group, name, state="in_place", **settings)]
        return rows

    decode = entries("step", "decode", STEPS, ["four_pass", "two_pass"], {"T": "1", "heads": "32"})
    prefill = entries(
        "chunk",
        "prefill",
        CHUNKS,
        ["four_pass", "two_pass", "chunk_value_outer", "chunk_head_dim"],
        {"T": "512", "heads": "8"},
    )
    if not decode or not prefill:
        return None
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    bars(left, "decode, kda, 32 heads, d128", decode)
    bars(right, "prefill, kda, T = 512, d128", prefill)
    return finish(figure, folder / "history.png", results)


def lines(axes, results, key, group, fixed, rules):
    for rule in rules:
        runs = results.find(group, "sluice", rule=rule, D="128", workers="1", align="64", **fixed)
        runs.sort(key=lambda run: int(run.settings[key]))
        if runs:
            axes.plot([int(run.settings[key]) for run in runs], [run.ns for run in runs], marker="o", label=rule)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:g}"))
    axes.set_ylim(bottom=0)
    axes.set_ylabel("ns per token and head")
    axes.legend(fontsize=8)


def lengths(results, folder):
    """Speed over the prompt's length and over the number of heads."""
    rules = ["gdn", "kda", "gdn2"]
    if not results.find("operator", "sluice", rule="kda", D="128", heads="8", workers="1"):
        return None
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    lines(left, results, "T", "operator", {"heads": "8"}, rules)
    left.set_title("prompt of T tokens, 8 heads, d128", size=10)
    left.set_xlabel("T")
    lines(right, results, "heads", "operator", {"T": "1"}, rules)
    right.set_title("decode step in place, d128", size=10)
    right.set_xlabel("heads")
    return finish(figure, folder / "lengths.png", results)


def roofline(results, folder):
    """Every shipped kernel under the machine's roofs: 6 K V operations over the bytes that must move."""
    isa = best_isa(results)
    shipped = [
        run
        for group in ("prefill", "decode")
        for run in results.find(group, state="in_place")
        if run.what.endswith(f"_{isa}") and any(f"_{name}_" in run.what for name in ("one_pass", "register_tiled"))
    ]
    if not shipped:
        return None
    peak = results.machine["peak_gflops"][isa]
    figure, axes = plt.subplots(figsize=(7, 5))
    for group, marker in (("prefill", "o"), ("decode", "^")):
        runs = [run for run in shipped if run.group == group]
        axes.scatter(
            [run.gflops / run.gigabytes for run in runs], [run.gflops for run in runs], marker=marker, label=group, s=18
        )
    axes.axhline(peak, color="black", linewidth=1)
    axes.annotate(f"{isa} arithmetic peak, {peak:.0f} GFLOP/s", (0.99, peak), xycoords=("axes fraction", "data"),
                  ha="right", va="bottom", size=8)
    axes.set(xscale="log", yscale="log", xlabel="operations a byte", ylabel="GFLOP/s (6 K V a token and head)")
    largest = max((run for run in shipped if run.group == "decode"), key=lambda run: int(run.settings["heads"]),
                  default=None)
    if largest is not None and largest.roof_percent > largest.arithmetic_percent:
        # What streaming that state allows, from the share of it that the run reached.
        bandwidth = largest.gigabytes * 100 / largest.roof_percent
        low, high = axes.get_xlim()
        axes.plot([low, peak / bandwidth], [low * bandwidth, peak], color="black", linestyle="--", linewidth=1)
        axes.annotate(f"stream, {bandwidth:.0f} GB/s at {largest.settings['heads']} heads",
                      (low, low * bandwidth), size=8, va="bottom")
        axes.set_xlim(low, high)
    axes.set_ylim(min(run.gflops for run in shipped) / 2, peak * 1.5)
    axes.legend(fontsize=8, loc="lower center")
    axes.grid(which="both", alpha=0.2)
    return finish(figure, folder / "roofline.png", results)


FIGURES = [history, lengths, roofline]

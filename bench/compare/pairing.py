"""Two things timed in turn on one core: the median ratio with a 95 % interval from order statistics."""

import time
from math import comb


def median_interval(samples):
    """(low, median, high), as bench/statistics.h has it."""
    samples = sorted(samples)
    n, rank = len(samples), 0
    while 2 * (rank + 1) <= n and sum(comb(n, i) for i in range(rank + 1)) / 2**n <= 0.025:
        rank += 1
    low = max(rank - 1, 0)
    return samples[low], (samples[(n - 1) // 2] + samples[n // 2]) / 2, samples[n - 1 - low]


def repeats(run, shortest):
    """How often to run for a sample of `shortest` seconds; runs it twice."""
    run()
    begin = time.process_time()
    run()
    return max(1, int(shortest / max(time.process_time() - begin, 1e-7)))


def sample(run, count):
    """Seconds a run: the process's own time, so that other processes do not count and threads of a rival do."""
    if count > 1:
        run()  # the other side has emptied the caches
    begin = time.process_time()
    for _ in range(count):
        run()
    return (time.process_time() - begin) / count


def pair(a, b, pairs, shortest):
    """Seconds of a run of A and of B, medians, and how many times as fast A is."""
    counts = repeats(a, shortest), repeats(b, shortest)
    times_a, times_b = [], []
    for i in range(pairs):
        if i % 2 == 0:
            times_a.append(sample(a, counts[0]))
            times_b.append(sample(b, counts[1]))
        else:
            times_b.append(sample(b, counts[1]))
            times_a.append(sample(a, counts[0]))
    ratio = median_interval([y / x for x, y in zip(times_a, times_b)])
    return median_interval(times_a)[1], median_interval(times_b)[1], ratio

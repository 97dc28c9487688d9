"""Measures live data: responses in parts, and subscriptions over a WebSocket; `make bench` runs it.

usage: live.py BINARY [RUNS]
       live.py BINARY --soak SECONDS

Each run is a new process, in which the cases alternate. Writes the table of Docs/Reference/Performance.md
between its marks, and prints machine-readable lines. With --soak it only measures subscriptions, for
the given time, and fails if their memory grows.

    RESULT name=… median_us=… min_us=… median_wall_us=… min_wall_us=…
    RESULT name=events subscriptions=… per_second=… cpu_us=… early_mb=… end_mb=…
"""

import statistics
import subprocess
import sys

import live_server
import store

# The number of objects in a response, with ten fields each.
COUNT = 1_000
ROUNDS = 5
SECONDS = 5
SUBSCRIPTIONS = (1, 100)
# The maximum growth of the resident size between the first fifth and the end.
GROWTH = 0.2
# The title of each case, and its limit: microseconds for each part more than the whole response, or
# a multiple of its time.
CASES = {
    "whole": ("one response, without directives", None, None),
    "inline": ("one response, although its fields may be deferred", None, None),
    "two_queries": ("two queries without directives, first the ids, then everything", None, None),
    "deferred_2022_single": ("{count} deferred parts in as many payloads, format of 2022", 15, None),
    "deferred_2023_single": ("the same, format of 2023", 15, None),
    "deferred_2022_together": ("{count} deferred parts in one payload, format of 2022", None, 1.2),
    "deferred_2023_together": ("the same, format of 2023", None, 1.2),
    "streamed_2022_single": ("{count} streamed items in as many payloads, format of 2022", 15, None),
    "streamed_2023_single": ("the same, format of 2023", 15, None),
    "streamed_2022_together": ("{count} streamed items in one payload, format of 2022", None, 1.2),
    "streamed_2023_together": ("the same, format of 2023", None, 1.2),
}


def parts(binary, runs):
    """Returns the microseconds of all cases by name."""
    times = {}
    for _ in range(runs):
        for name, values in store.samples([binary, "parts", str(COUNT), str(ROUNDS)])[0].items():
            times.setdefault(name, []).extend(value * 1e3 for value in values)
    return times


def report(times):
    """Prints the results of responses in parts, and returns their rows of the table."""
    rows, whole = [], min(times["whole"])
    for name, (title, per_part, factor) in CASES.items():
        used, wall = times[name], times[name + "_wall"]
        print(f"RESULT name={name} median_us={statistics.median(used):.1f} min_us={min(used):.1f} "
              f"median_wall_us={statistics.median(wall):.1f} min_wall_us={min(wall):.1f}", flush=True)
        limit = f"{per_part} µs a part" if per_part else f"× {factor}" if factor else ""
        rows.append(
            f"| {title.format(count=f'{COUNT:,}')} | {min(used):,.0f} | {min(used) / whole:.2f} "
            f"| {(min(used) - whole) / COUNT:.2f} | {limit} |")
    return rows


def events(binary, subscriptions, seconds):
    """Receives events for a time; returns the values that the benchmark prints."""
    server = live_server.Server(subscriptions)
    command = [binary, "events", server.url, str(subscriptions), str(seconds)]
    values = store.samples(command)[1]
    server.close()
    values = {key: int(value) for key, value in values.items()}
    values["growth"] = values["bytes"] / values["early_bytes"] - 1 if values["early_bytes"] else 0
    print(f"RESULT name=events subscriptions={subscriptions} per_second={values['per_second']} cpu_us={values['cpu_ns'] / 1e3:.2f} "
          f"early_mb={values['early_bytes'] / 1e6:.1f} end_mb={values['bytes'] / 1e6:.1f} count={values['count']}", flush=True)
    return values


def event_row(subscriptions, runs):
    """Returns the row of the table for some runs with a number of subscriptions."""
    rates, used = [run["per_second"] for run in runs], [run["cpu_ns"] / 1e3 for run in runs]
    worst = max(runs, key=lambda run: run["growth"])
    return (f"| {subscriptions} | {statistics.median(rates):,.0f} | {statistics.median(used):.1f} "
            f"| {worst['early_bytes'] / 1e6:.1f} | {worst['bytes'] / 1e6:.1f} | {worst['growth']:.0%} |")


def write_page(rows, event_rows, runs):
    header = ["| what | µs | × one response | µs more for each part | limit |", "|---|---|---|---|---|"]
    event_header = ["| subscriptions | events a second | CPU for each, µs | MB after a fifth | MB at the end | growth |",
                    "|---|---|---|---|---|---|"]
    table, event_table = "\n".join(header + rows), "\n".join(event_header + event_rows)
    section = f"""<!-- live -->
## Live data

`fetch` of {COUNT:,} objects of ten fields, from the bytes of the payloads to the data, into a new store: in one response,
with the ten fields of each object deferred, and as a stream. Minimum CPU time of all threads in {runs} processes with {ROUNDS}
rounds.

{table}

Subscriptions to one record of ten fields each, on one WebSocket whose server, on the same machine, sends events of
about 200 bytes as fast as it can; medians of {runs} runs of {SECONDS} seconds. The limits are 20,000 events a second and a
growth of the resident size of {GROWTH:.0%}.

{event_table}
<!-- /live -->
"""
    store.replace_section("live", section)


def soak(binary, seconds):
    """Receives events for a time with each number of subscriptions; returns whether memory stays."""
    runs = [events(binary, subscriptions, seconds) for subscriptions in SUBSCRIPTIONS]
    is_bounded = all(run["growth"] < GROWTH for run in runs)
    if not is_bounded:
        print("The resident size has grown too much.", file=sys.stderr)
    return is_bounded


def main():
    binary = sys.argv[1]
    if sys.argv[2:3] == ["--soak"]:
        sys.exit(0 if soak(binary, int(sys.argv[3])) else 1)
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows = report(parts(binary, runs))
    measured = {subscriptions: [] for subscriptions in SUBSCRIPTIONS}
    for _ in range(runs):
        for subscriptions, results in measured.items():
            results.append(events(binary, subscriptions, SECONDS))
    write_page(rows, [event_row(*item) for item in measured.items()], runs)


if __name__ == "__main__":
    main()

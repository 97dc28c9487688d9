"""Draws the tables of Docs/Reference/Performance.md as SVG files in Docs/Plots; `make bench` runs it at the end.

usage: plots.py

The description of each file holds the rows of the table that it shows, so that a test can compare them with the page.
Needs matplotlib.
"""

import pathlib
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parent.parent / "Docs"
# The same input makes the same file, and text stays text.
matplotlib.rcParams.update({
    "svg.hashsalt": "RelayStore", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#888888", "legend.frameon": False,
})
INK, OURS, OTHER, OVER = "#333333", "#2f6fdb", "#b0b4ba", "#d9534f"


def number(cell):
    """Returns the first number of a cell, such as "1,234 ms", or `None`."""
    match = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    return float(match[0].replace(",", "")) if match else None


class Page:
    """The tables of the page, row by row."""

    def __init__(self):
        self.lines = (DOCS / "Reference/Performance.md").read_text(encoding="utf-8").splitlines()

    def rows(self, heading):
        """Returns the rows of the table that follows a heading, each a line and its cells."""
        start = self.lines.index(heading)
        first = next(index for index in range(start, len(self.lines)) if self.lines[index].startswith("|---"))
        rows = []
        for line in self.lines[first + 1 :]:
            if not line.startswith("|"):
                return rows
            rows.append((line, [cell.strip() for cell in line.split("|")[1:-1]]))
        return rows


def save(name, title, figure, lines):
    figure.suptitle(title, color=INK, x=0.01, ha="left", fontsize=11)
    figure.savefig(DOCS / "Plots" / f"{name}.svg", metadata={"Date": None, "Title": title, "Description": "\n".join(lines)})
    pyplot.close(figure)


def bars(name, title, unit, entries, highlighted=lambda label: True):
    """Draws a bar for each entry: its line, label, value, and bound or `None`. A mark shows the bound."""
    figure, axes = pyplot.subplots(figsize=(9, 0.9 + 0.32 * len(entries)), layout="constrained")
    for row, (_, label, value, bound) in enumerate(reversed(entries)):
        color = OVER if bound is not None and value > bound else OURS if highlighted(label) else OTHER
        axes.barh(row, value, color=color, height=0.62)
        text = f"{value:.3g}" if bound is None else f"{value:.3g}, at most {bound:.3g}"
        end = (max(value, bound or 0), row)
        axes.annotate(text, end, xytext=(5, 0), textcoords="offset points", va="center", color=INK, fontsize=9)
        if bound is not None:
            axes.plot([bound, bound], [row - 0.4, row + 0.4], color=INK, linewidth=1.5)
    axes.set_yticks(range(len(entries)), [entry[1].replace("`", "") for entry in reversed(entries)])
    axes.set_xlabel(unit)
    axes.margins(x=0.25)
    axes.set_xlim(left=0)
    save(name, title, figure, [entry[0] for entry in entries])


def growth(name, title, lines, series):
    """Draws the milliseconds of each series against the number of items."""
    figure, axes = pyplot.subplots(figsize=(9, 4.2), layout="constrained")
    for index, (label, points) in enumerate(series.items()):
        is_other = "Node" in label
        shade = OTHER if is_other else pyplot.cm.viridis(index / max(len(series), 1))
        axes.plot(*zip(*points), marker="o", color=shade, label=label, linestyle="--" if is_other else "-")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("items")
    axes.set_ylabel("CPU time, minimum, ms")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    save(name, title, figure, lines)


def store(page):
    rows = page.rows("## The store")
    bounded = [
        (line, cells[0], number(cells[4]), number(cells[5]))
        for line, cells in rows
        if number(cells[5]) and number(cells[4]) > 0.05
    ]
    bars("Store", "The store, 10,000 items: CPU time as a multiple of Node's JSON.parse of the same bytes", "× JSON.parse", bounded)
    titles = [
        "commit a payload to an empty store", "read a query, and every scalar of its rows", "change one item, with these observers",
        "collect half of the records as garbage", "Node's JSON.parse",
    ]
    drawn = [(line, cells) for line, cells in rows if cells[0] in titles]
    series = {cells[0]: list(zip((1_000, 10_000, 100_000), map(number, cells[1:4]))) for _, cells in drawn}
    growth("StoreGrowth", "The store: time against the number of items", [line for line, _ in drawn], series)


def screen(page):
    rows = [
        (line, cells[0], number(cells[5]), number(cells[6]))
        for line, cells in page.rows("## A screen")
        if number(cells[5]) and number(cells[6])
    ]
    bars("Screen", "A screen with 9,501 fragments: CPU time as a multiple of Node's JSON.parse of the same bytes", "× JSON.parse", rows)


def language(page):
    rows = [(line, cells[0], number(cells[4]), None) for line, cells in page.rows("## The GraphQL language") if cells[0] != "syntax, the schema"]
    bars(
        "Language", "Parsing and validating schemas and documents, MB of source per second", "MB/s", rows,
        highlighted=lambda label: "graphql-core" not in label,
    )


def editing(page):
    rows = [
        (line, cells[0], number(cells[1]), number(cells[2]))
        for line, cells in page.rows("## Editing")
        if cells[1].endswith("ms") and number(cells[1]) < 100
    ]
    bars("Editing", "Editing 1,600 documents of GitHub's schema: milliseconds from an edit to its result", "ms", rows)


if __name__ == "__main__":
    (DOCS / "Plots").mkdir(exist_ok=True)
    tables = Page()
    for draw in (store, screen, language, editing):
        draw(tables)

# SPDX-License-Identifier: Apache-2.0
"""Small log-log charts as SVG text that reads on light and dark pages."""

import math
from dataclasses import dataclass
from html import escape

STYLE = """
  text { font-family: system-ui, sans-serif; font-size: 12px; fill: #52514e }
  .title { font-size: 14px; font-weight: 600; fill: #0b0b0b }
  .grid { stroke: #8888; stroke-width: .6 }
  .line { fill: none; stroke-width: 2 }
  .c0 { stroke: #2a78d6 } .f0 { fill: #2a78d6 }
  .c1 { stroke: #d95926 } .f1 { fill: #d95926 }
  .c2 { stroke: #898781; stroke-dasharray: 5 4 } .f2 { fill: #898781 }
  .page { fill: #fcfcfb }
  @media (prefers-color-scheme: dark) {
    text { fill: #c3c2b7 } .title { fill: #ffffff } .page { fill: #1a1a19 }
    .c0 { stroke: #3987e5 } .f0 { fill: #3987e5 }
  }
"""


@dataclass(frozen=True)
class Series:
    name: str
    points: list  # (x, y), both above 0
    colour: int  # 0, 1, or 2 for a dashed reference


@dataclass(frozen=True)
class Chart:
    title: str
    x_label: str
    unit: object  # function: y to text
    series: list


def count_text(value):
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def seconds_text(value):
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} s"


def bytes_text(value):
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} B"


class Scale:
    """A logarithmic axis from whole powers of ten to pixels."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.end = start, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        return [10.0**k for k in range(self.low, self.high + 1)]


def panel(chart, x0, y0, width, height):
    """The elements of one chart; its plot lies inside the box (x0, y0, width, height)."""
    x = Scale([p[0] for s in chart.series for p in s.points], x0, x0 + width)
    y = Scale([p[1] for s in chart.series for p in s.points], y0 + height, y0)
    out = [f'<text class="title" x="{x0 - 52}" y="{y0 - 16}">{escape(chart.title)}</text>']
    for tick in y.ticks():
        out.append(f'<line class="grid" x1="{x0}" x2="{x0 + width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        out.append(f'<text x="{x0 - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{chart.unit(tick)}</text>')
    for tick in x.ticks():
        out.append(
            f'<text x="{x(tick):.1f}" y="{y0 + height + 18}" text-anchor="middle">{count_text(tick)}</text>'
        )
    out.append(
        f'<text x="{x0 + width / 2}" y="{y0 + height + 36}" text-anchor="middle">'
        f"{escape(chart.x_label)}</text>"
    )
    for series in chart.series:
        spots = [(x(a), y(b)) for a, b in series.points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
        out.append(f'<polyline class="line c{series.colour}" points="{path}"/>')
        if series.colour < 2:
            out += [f'<circle class="f{series.colour}" cx="{a:.1f}" cy="{b:.1f}" r="3"/>' for a, b in spots]
    return out


def legend(rows, x, y):
    names = {s.name: s.colour for charts in rows for chart in charts for s in chart.series}
    out = []
    for name, colour in sorted(names.items(), key=lambda item: item[1]):
        out.append(f'<line class="line c{colour}" x1="{x}" x2="{x + 26}" y1="{y - 4}" y2="{y - 4}"/>')
        if colour < 2:
            out.append(f'<circle class="f{colour}" cx="{x + 13}" cy="{y - 4}" r="3"/>')
        out.append(f'<text x="{x + 32}" y="{y}">{escape(name)}</text>')
        x += 56 + 7 * len(name)
    return out


def draw(rows, note, width=920, cell=(360, 220)):
    """Rows of charts as one picture with a legend above and a note below."""
    left, top, gap_x, gap_y = 70, 78, 88, 96
    height = top + len(rows) * cell[1] + (len(rows) - 1) * gap_y + 76
    size = f'width="{width}" height="{height}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" {size} rx="6"/>',
    ]
    out += legend(rows, left - 52, 26)
    for i, charts in enumerate(rows):
        for j, chart in enumerate(charts):
            out += panel(chart, left + j * (cell[0] + gap_x), top + i * (cell[1] + gap_y), *cell)
    out.append(f'<text x="{left - 52}" y="{height - 12}">{escape(note)}</text>')
    return "\n".join([*out, "</svg>", ""])


@dataclass(frozen=True)
class Frontier:
    """Points (x, y, name) and lines through some of them, both axes plain."""

    title: str
    x_label: str
    points: list
    lines: list  # (name, [(x, y), ...], colour)


def draw_frontier(chart, note, width=760, height=460):
    left, top, right, bottom = 64, 62, 190, 70
    every = [(x, y) for x, y, _ in chart.points] + [p for _, line, _ in chart.lines for p in line]
    low, high = math.floor(min(y for _, y in every)), math.ceil(max(y for _, y in every))
    most = max(x for x, _ in every)

    def px(x):
        return left + x / most * (width - left - right)

    def py(y):
        return height - bottom - (y - low) / (high - low) * (height - top - bottom)

    size = f'width="{width}" height="{height}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" {size} rx="6"/>',
        f'<text class="title" x="18" y="26">{escape(chart.title)}</text>',
    ]
    for tick in range(low, high + 1):
        y = f"{py(tick):.1f}"
        out.append(f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y}" y2="{y}"/>')
        out.append(f'<text x="{left - 6}" y="{py(tick) + 4:.1f}" text-anchor="end">{tick} %</text>')
    step = 4 if most <= 24 else 10
    for tick in range(0, int(most) + 1, step):
        out.append(f'<text x="{px(tick):.1f}" y="{height - bottom + 18}" text-anchor="middle">{tick}</text>')
    middle = (left + width - right) / 2
    out.append(
        f'<text x="{middle}" y="{height - bottom + 36}" text-anchor="middle">{escape(chart.x_label)}</text>'
    )
    labels = [(x, y, name, 2) for x, y, name in chart.points]
    for name, line, colour in chart.lines:
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in line)
        out.append(f'<polyline class="line c{colour}" points="{path}"/>')
        out += [f'<circle class="f{colour}" cx="{px(x):.1f}" cy="{py(y):.1f}" r="3"/>' for x, y in line]
        labels.append((*line[-1], name, colour))
    taken = []
    for x, y, name, colour in sorted(labels, key=lambda label: -label[1]):
        at = py(y) + 4
        while any(abs(at - other) < 13 and abs(px(x) - px(u)) < 180 for other, u in taken):
            at += 1
        taken.append((at, x))
        if colour == 2:
            out.append(f'<circle class="f2" cx="{px(x):.1f}" cy="{py(y):.1f}" r="4"/>')
        out.append(f'<text x="{px(x) + 8:.1f}" y="{at:.1f}">{escape(name)}</text>')
    out.append(f'<text x="18" y="{height - 12}">{escape(note)}</text>')
    return "\n".join([*out, "</svg>", ""])

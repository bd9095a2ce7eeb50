// SPDX-License-Identifier: Apache-2.0
// Small charts: axes with round numbers, and tables that can be sorted.

function ticks(low, high, wanted) {
  if (!(high > low)) return [low];
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
  const out = [];
  const first = Math.ceil(low / step - 1e-9);
  // Numbers so large that the next whole one is none of theirs would never end.
  for (let i = 0; i <= 2 * wanted && (first + i) * step <= high + step * 1e-9; i++) out.push(Number(((first + i) * step).toPrecision(12)));
  return out;
}

// A frame with axes: {root, plot, x(), y()}. `format` prints the ticks of the axes.
function frame({width, height, x, y, label, xLabel, yLabel, xFormat = brief, yFormat = brief, xTicks, yTicks, left = 46}) {
  const right = 18, top = yLabel ? 26 : 12, bottom = xLabel ? 40 : 26;
  const inner = {w: width - left - right, h: height - top - bottom};
  const sx = (v) => left + (x[1] > x[0] ? (v - x[0]) / (x[1] - x[0]) : 0.5) * inner.w;
  const sy = (v) => top + inner.h - (y[1] > y[0] ? (v - y[0]) / (y[1] - y[0]) : 0.5) * inner.h;
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': label});
  for (const t of yTicks || ticks(y[0], y[1], 4)) {
    root.append(svg('line', {x1: left, x2: width - right, y1: sy(t), y2: sy(t), class: 'grid'}),
      textAt(left - 6, sy(t) + 3.5, 'tick', 'end', yFormat(t)));
  }
  const crowded = (list) => list.some((t, i) => i && sx(t) - sx(list[i - 1]) < (widthOf(xFormat(t), '10.5px') + widthOf(xFormat(list[i - 1]), '10.5px')) / 2 + 10);
  let marks = xTicks || ticks(x[0], x[1], 5);
  for (let n = 4; n > 1 && !xTicks && crowded(marks); n--) marks = ticks(x[0], x[1], n);
  for (const t of marks) {
    root.append(svg('line', {x1: sx(t), x2: sx(t), y1: top + inner.h, y2: top + inner.h + 4, class: 'axis'}),
      sx(t) > width - 24 ? textAt(width - 2, top + inner.h + 16, 'tick', 'end', xFormat(t)) : textAt(sx(t), top + inner.h + 16, 'tick', 'middle', xFormat(t)));
  }
  root.append(svg('line', {x1: left, x2: width - right, y1: top + inner.h, y2: top + inner.h, class: 'axis'}));
  if (xLabel) root.append(textAt(left + inner.w / 2, height - 6, 'tick name', 'middle', xLabel));
  if (yLabel) root.append(textAt(2, 11, 'tick name', 'start', yLabel));
  const plot = svg('g');
  root.append(plot);
  return {root, plot, x: sx, y: sy, left, top, width, height, inner};
}
const pathOf = (points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)},${y.toFixed(1)}`).join('');

// A legend of [colour, text].
const legend = (entries) => el('ul', {class: 'legend'}, entries.map(([colour, text]) =>
  el('li', {}, swatch(colour), text)));

// A table whose columns sort by click: columns are {title, value(item), show(item), number}. Only a part is drawn.
function sortedTable({items, columns, sort, descending = true, page = 25, label, pick}) {
  const state = {sort, descending, shown: page};
  const body = el('tbody');
  const more = el('button', {class: 'quiet', onclick: () => { state.shown += 4 * page; draw(); }});
  const heads = columns.map((column, i) => el('th', {scope: 'col', class: column.number ? 'number' : '', 'data-name': column.title},
    el('button', {onclick: () => { state.descending = state.sort === i ? !state.descending : Boolean(column.number); state.sort = i; order(); draw(); }},
      column.title, el('span', {class: 'arrow', 'aria-hidden': 'true'}))));
  let list = items;
  function order() {
    const column = columns[state.sort];
    const keys = new Map(items.map((item) => [item, column.value(item)]));
    const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
    list = items.slice().sort((a, b) => (state.descending ? -1 : 1) * compare(keys.get(a), keys.get(b)));
  }
  function draw() {
    heads.forEach((head, i) => {
      head.setAttribute('aria-sort', i !== state.sort ? 'none' : state.descending ? 'descending' : 'ascending');
      head.querySelector('.arrow').textContent = i !== state.sort ? '' : state.descending ? ' ▾' : ' ▴';
    });
    clear(body).append(...list.slice(0, state.shown).map((item) => el('tr', pick ? {tabindex: 0, class: 'pick',
      onclick: () => pick(item), onkeydown: (event) => { if (event.key === 'Enter') pick(item); }} : {},
    columns.map((column) => el('td', {class: column.number ? 'number' : column.wide ? 'wide' : column.style || ''}, column.show(item))))));
    more.textContent = `Show more (${grouped(list.length - state.shown)} left)`;
    more.hidden = list.length <= state.shown;
  }
  order();
  draw();
  return div('scroll', el('table', {class: 'list', 'aria-label': label}, el('thead', {}, tr(heads)), body), more);
}

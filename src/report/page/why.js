// SPDX-License-Identifier: Apache-2.0
// Why a node was split as it was: the best test of every column, its merit over the thresholds, and the arithmetic.

function whyCurve(column, measure) {
  const xs = column.curve.map((point) => point[0]), ys = column.curve.map((point) => point[1]);
  const chart = frame({width: 340, height: 150, x: [Math.min(...xs), Math.max(...xs)], y: [Math.min(0, ...ys), Math.max(...ys)],
    label: `${measure} over the thresholds of ${column.name}`, xLabel: clip(shownName(column.name), 30), left: 52});
  chart.plot.append(svg('path', {d: pathOf(column.curve.map(([x, y]) => [chart.x(x), chart.y(y)])), class: 'curve', stroke: '#0072b2'}));
  const best = column.curve.reduce((a, b) => (b[1] > a[1] ? b : a));
  chart.plot.append(svg('line', {x1: chart.x(best[0]), x2: chart.x(best[0]), y1: chart.top, y2: chart.y(chart.low ?? Math.min(0, ...ys)), class: 'cut'}));
  return chart.root;
}

function whyPanel(node) {
  const why = (app.data.why || {})[node];
  if (!why || app.index) return [];
  if (why.refused) return [note(why.refused)];
  const top = Math.max(...why.columns.map((column) => column.merit), 1e-300);
  const place = el('div');
  const show = (column) => { clear(place); if (column.curve) place.append(whyCurve(column, why.measure)); };
  const list = el('ul', {class: 'bars why'}, why.columns.map((column) => el('li', {},
    el('button', {class: 'link-button bar-name', title: column.test, onclick: () => show(column)}, clip(column.test, 30)),
    el('span', {class: 'bar-track'}, el('span', {class: 'bar', style: `width:${Math.max(0, (100 * column.merit) / top).toFixed(1)}%`})),
    el('span', {class: 'bar-value'}, significant(column.merit, 4)))));
  show(why.columns.find((column) => column.curve) || {});
  const rest = [why.more && `${why.more} more`, why.idle && `${why.idle} without a test`].filter(Boolean).join(', ');
  return [el('details', {open: true, id: 'why'}, el('summary', {}, `Why this split: ${why.measure}`), list, rest && note(`Other columns: ${rest}.`), place,
    el('details', {}, el('summary', {}, 'The arithmetic'), el('pre', {}, why.arithmetic.join('\n'))), why.notes.map((note) => note(note)))];
}

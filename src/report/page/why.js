// SPDX-License-Identifier: Apache-2.0
// Why a node was split as it was: the best test of every column, its merit over the thresholds, and the arithmetic.

function whyCurve(column, measure) {
  const xs = column.curve.map((point) => point[0]), ys = column.curve.map((point) => point[1]);
  const chart = frame({width: 340, height: 150, x: [Math.min(...xs), Math.max(...xs)], y: [Math.min(0, ...ys), Math.max(...ys)],
    label: `${measure} over the thresholds of ${column.name}`, xLabel: clip(shownName(column.name), 30), left: 52});
  chart.plot.append(svg('path', {d: pathOf(column.curve.map(([x, y]) => [chart.x(x), chart.y(y)])), class: 'curve', stroke: '#0072b2'}));
  const best = column.curve.reduce((a, b) => (b[1] > a[1] ? b : a));
  for (const [x, y] of column.curve) chart.plot.append(svg('circle', {cx: chart.x(x).toFixed(1), cy: chart.y(y).toFixed(1), r: 5, class: 'sense'}, svg('title', {}, `${column.name} ≤ ${brief(x)}: ${significant(y, 4)}`)));
  chart.plot.append(svg('line', {x1: chart.x(best[0]), x2: chart.x(best[0]), y1: chart.top, y2: chart.y(chart.low ?? Math.min(0, ...ys)), class: 'cut'}));
  return chart.root;
}

// Of a category: how the levels differ in the answer, and the side that each goes to by the best test of the column.
function whyLevels(node, column) {
  const tree = app.tree, rows = app.training, at = app.data.features.findIndex((feature) => feature.name === column.name);
  const {levels} = app.data.features[at], truth = rows.truth[app.output], own = tree.column[node] === at && tree.kind[node] !== OBLIQUE;
  if (!levels || !truth) return note(`${shownName(column.name)} has no thresholds to draw.`);
  const shown = tree.isClass ? tree.answer(tree.kids(node)[0], app.output) : -1;
  const sums = levels.map(() => [0, 0]);
  for (const row of rows.at(tree, node)) {
    const level = rows.x[at][row];
    if (level >= 0) { sums[level][0]++; sums[level][1] += tree.isClass ? Number(truth[row] === shown) : truth[row]; }
  }
  const order = levels.map((_, i) => i).filter((i) => sums[i][0] > 0).sort((a, b) => sums[b][1] / sums[b][0] - sums[a][1] / sums[a][0]);
  const mean = (i) => sums[i][1] / sums[i][0], most = Math.max(...order.map((i) => Math.abs(mean(i))), 1e-300);
  const probe = new Array(app.data.features.length).fill(NaN);
  const side = (i) => { probe[at] = i; return own ? ['left', 'right'][route(tree, node, probe)] || '' : ''; };
  return figure(el('h3', {}, `${tree.isClass ? `Share of ${classWords(shownTarget(), shown)}` : `Mean of ${shownName(shownTarget().name)}`} by ${shownName(column.name)}`),
    el('ul', {class: 'bars'}, order.slice(0, 12).map((i) => el('li', {title: counted(sums[i][0], 'row')}, span('bar-name', clip(shownName(levels[i]), 18) + (side(i) && ` (${side(i)})`)),
      span('bar-track', bar(`width:${((100 * Math.abs(mean(i))) / (tree.isClass ? 1 : most)).toFixed(1)}%`)),
      span('bar-value', tree.isClass ? shownShare(mean(i)) : brief(mean(i)))))),
    order.length > 12 && el('figcaption', {class: 'muted'}, `${order.length - 12} more levels are not drawn.`));
}

function whyPanel(node) {
  const why = (app.data.why || {})[node];
  if (!why || app.index) return [];
  if (why.refused) return [note(`${why.refused[0].toUpperCase()}${why.refused.slice(1)}.`)];
  const top = Math.max(...why.columns.map((column) => column.merit), 1e-300);
  const place = el('div');
  const show = (column) => {
    clear(place);
    if (column.curve) place.append(el('h3', {}, `${why.measure} over the thresholds of ${shownName(column.name)}${column === why.columns[0] ? '' : ' (not chosen)'}`), whyCurve(column, why.measure));
    else if (column.name) place.append(whyLevels(node, column));
  };
  const list = el('ul', {class: 'bars why'}, why.columns.map((column) => el('li', {},
    el('button', {class: 'link-button bar-name', title: column.test, onclick: () => show(column)}, clip(column.test, 30)),
    span('bar-track', bar(`width:${Math.max(0, (100 * column.merit) / top).toFixed(1)}%`)),
    span('bar-value', brief(column.merit)))));
  show(why.columns[0] || {});
  const rest = [why.more && `${why.more} more`, why.idle && `${why.idle} without a test`].filter(Boolean).join(', ');
  return [el('details', {open: true, id: 'why'}, el('summary', {}, `Why this split: ${why.measure}`), list, rest && note(`Other columns: ${rest}.`), place,
    el('details', {}, el('summary', {}, 'The arithmetic'), el('pre', {}, why.arithmetic.join('\n'))), why.notes.map((text) => note(text)))];
}

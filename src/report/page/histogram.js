// SPDX-License-Identifier: Apache-2.0
// What the rows of a node hold along the column that it tests, by class or by mean value, with its thresholds.

const binCache = new Map();
on('tree', () => binCache.clear());
on('output', () => binCache.clear());

// Cuts of a node along its axis; of level columns the places between levels do not cut.
function cutsOf(tree, node) {
  if (tree.kind[node] === INTERVAL) return Array.from(tree.cut.subarray(tree.cutAt[node], tree.cutAt[node + 1]));
  return tree.kind[node] === NUMERIC || tree.kind[node] === OBLIQUE ? [tree.threshold[node]] : [];
}

// {bars: [{count, parts, mean, name, child}], low, high, cuts, missing, top} or null without rows.
function binsOf(tree, node) {
  const rows = shownRows();
  if (!rows || tree.isLeaf(node)) return null;
  if (!binCache.has(node)) binCache.set(node, countBins(tree, node, rows));
  return binCache.get(node);
}

function countBins(tree, node, rows) {
  const picked = rows.at(tree, node);
  const kind = tree.kind[node];
  const numeric = kind === NUMERIC || kind === INTERVAL || kind === OBLIQUE;
  const cells = new Float64Array(picked.length);
  for (let i = 0; i < picked.length; i++) {
    cells[i] = kind === OBLIQUE ? testedCell(tree, node, rows.cells(picked[i])) : rows.x[tree.column[node]][picked[i]];
  }
  return numeric ? numberBins(tree, node, rows, picked, cells) : levelBins(tree, node, rows, picked, cells);
}

const emptyBar = (width) => ({count: 0, parts: new Float64Array(width), sum: 0});
function put(bar, rows, row) {
  const truth = rows.truth[app.output] || rows.answer[app.output];
  bar.count++;
  if (bar.parts.length) { if (truth[row] >= 0) bar.parts[truth[row]]++; } else bar.sum += truth[row];
}

function numberBins(tree, node, rows, picked, cells) {
  const width = tree.isClass ? app.data.widths[app.output] : 0;
  const finite = cells.filter(isFinite);
  const cuts = cutsOf(tree, node).filter(isFinite);
  let low = Math.min(...cuts), high = Math.max(...cuts);
  for (const cell of finite) { if (cell < low) low = cell; if (cell > high) high = cell; }
  // A few far values must not squeeze the rest into one bar.
  let thin = '';
  if (finite.length > 200) {
    const sorted = Float64Array.from(finite).sort();
    const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
    const wide = at(0.99) - at(0.01);
    if (high > at(0.99) + 2 * wide) { high = Math.max(at(0.99) + wide / 4, ...cuts); thin = 'ends pooled'; }
    if (low < at(0.01) - 2 * wide) { low = Math.min(at(0.01) - wide / 4, ...cuts); thin = 'ends pooled'; }
  }
  if (!(high > low)) { low -= 0.5; high = low + 1; }
  const n = 24;
  const bars = Array.from({length: n}, () => emptyBar(width));
  let missing = 0;
  for (let i = 0; i < picked.length; i++) {
    if (isNaN(cells[i])) { missing++; continue; }
    const share = (cells[i] - low) / (high - low);
    put(bars[Math.min(n - 1, Math.max(0, Math.floor(share * n)))], rows, picked[i]);
  }
  return {bars, low, high, cuts, missing, thin, numeric: true, top: Math.max(1, ...bars.map((bar) => bar.count)), n: picked.length};
}

function levelBins(tree, node, rows, picked, cells) {
  const width = tree.isClass ? app.data.widths[app.output] : 0;
  const names = field(tree.column[node]).levels;
  const byLevel = new Map();
  let missing = 0, unseen = 0;
  for (let i = 0; i < picked.length; i++) {
    if (isNaN(cells[i])) { missing++; continue; }
    if (cells[i] < 0) { unseen++; continue; }
    if (!byLevel.has(cells[i])) byLevel.set(cells[i], {...emptyBar(width), level: cells[i], name: names[cells[i]]});
    put(byLevel.get(cells[i]), rows, picked[i]);
  }
  const probe = new Array(app.data.features.length).fill(NaN);
  const bars = Array.from(byLevel.values());
  for (const bar of bars) { probe[tree.column[node]] = bar.level; bar.child = route(tree, node, probe); }
  bars.sort((a, b) => a.child - b.child || (tree.kind[node] === ORDINAL ? a.level - b.level : b.count - a.count || a.level - b.level));
  const kept = bars.slice(0, 24);
  return {bars: kept, cuts: [], missing, unseen, hidden: bars.length - kept.length, numeric: false, top: Math.max(1, ...bars.map((bar) => bar.count)), n: picked.length};
}

// The traced row on the bars of a node that it passes: a triangle below its place, or words where it has none.
function markRow(group, tree, node, bins, {x, y, w, h}) {
  if (!app.path || !tracer.cells || !app.path.nodes.includes(node) || tree.isLeaf(node)) return;
  const cell = testedCell(tree, node, tracer.cells);
  let at = -1;
  if (bins.numeric && !isNaN(cell)) at = Math.min(1, Math.max(0, (cell - bins.low) / (bins.high - bins.low)));
  else if (!bins.numeric) {
    const bar = bins.bars.findIndex((one) => one.level === cell);
    if (bar >= 0) at = (bar + 0.5) / bins.bars.length;
  }
  if (at < 0) { group.append(textAt(x + w, y + 7, 'row-mark', 'end', isNaN(cell) ? 'row: missing' : 'row: not shown')); return; }
  const place = x + at * w, low = y + h;
  group.append(svg('path', {class: 'row-mark', d: `M${place.toFixed(1)},${(low + 1).toFixed(1)}l5,7h-10z`},
    svg('title', {}, `the traced row: ${bins.numeric ? shownNumber(cell) : shownName(field(tree.column[node]).levels[cell])}`)));
}
// What a bar says when it is pointed at.
function barWords(tree, bins, bar, i) {
  const step = (bins.high - bins.low) / bins.bars.length;
  const where = bins.numeric ? `${brief(bins.low + i * step)} to ${brief(bins.low + (i + 1) * step)}` : shownName(bar.name);
  const target = shownTarget();
  const parts = bar.parts.length ? Array.from(bar.parts).map((n, c) => [n, c]).filter(([n]) => n).sort((a, b) => b[0] - a[0]).slice(0, 6).map(([n, c]) => `${classWords(target, c)}: ${grouped(n)}`)
    : bar.count ? [`mean ${brief(bar.sum / bar.count)}`] : [];
  return [where, counted(bar.count, 'row'), ...parts].join('\n');
}

function barColour(tree, bar) {
  if (app.data.effect) return '#8ba3b8';
  const spread = tree.high[app.output] - tree.low[app.output];
  return valueColour(spread > 0 ? (bar.sum / bar.count - tree.low[app.output]) / spread : 0.5);
}

// Draws the bars into a group of the given size.
function drawBars(group, tree, bins, {x, y, w, h}, named = false) {
  const n = bins.bars.length;
  const step = w / Math.max(n, 1);
  const gap = bins.numeric ? 0.5 : Math.min(3, step * 0.2);
  bins.bars.forEach((bar, i) => {
    let at = y + h;
    const draw = (count, colour) => {
      if (!count) return;
      const size = (count / bins.top) * h;
      at -= size;
      group.append(svg('rect', {x: (x + i * step + gap / 2).toFixed(2), y: at.toFixed(2), width: Math.max(step - gap, 0.5).toFixed(2), height: size.toFixed(2), fill: colour}));
    };
    if (bar.parts.length) bar.parts.forEach((count, c) => draw(count, classColour(c)));
    else if (bar.count) draw(bar.count, barColour(tree, bar));
    if (named) group.append(svg('rect', {x: x + i * step, y, width: step, height: h, class: 'sense'}, svg('title', {}, barWords(tree, bins, bar, i))));
  });
  group.append(svg('line', {x1: x, x2: x + w, y1: y + h, y2: y + h, class: 'axis'}));
  for (const cut of bins.cuts) {
    const at = (x + ((cut - bins.low) / (bins.high - bins.low)) * w).toFixed(2);
    group.append(svg('line', {x1: at, x2: at, y1: y - 3, y2: y + h + 3, class: 'cut'}));
  }
  if (!bins.numeric) {
    for (let i = 1; i < n; i++) {
      if (bins.bars[i].child === bins.bars[i - 1].child) continue;
      const at = x + i * step;
      group.append(svg('line', {x1: at, x2: at, y1: y - 3, y2: y + h + 3, class: 'cut'}));
    }
  }
}

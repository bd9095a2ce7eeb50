// SPDX-License-Identifier: Apache-2.0
// The sliders: back along the cost-complexity path, and level by level. A node is a leaf of step k when its own
// step is at most k and that of no node above it is; so errors and leaves of all steps are sums of differences.

const MEASURES = {class_error: {title: 'Error'}, squared_error: {title: 'RMSE', show: Math.sqrt}, absolute_error: {title: 'Mean absolute error'},
  pinball: {title: 'Pinball loss'}, poisson_deviance: {title: 'Poisson deviance', show: (half) => 2 * half}};
const shownError = (value) => (MEASURES[app.data.measure].show || Number)(Math.max(0, value));
const errorText = (value) => (app.data.measure === 'class_error' ? shownShare(value) : brief(shownError(value)));
const spreadText = (value, spread) => (app.data.measure === 'class_error' ? shownShare(spread) : brief(shownError(value + spread) - shownError(value)));

// Errors on the given rows, unless these are the training rows once more.
const heldLosses = (tree) => (isTraining() ? null : tree.losses('held'));

// The mean error of the tree as it is shown on the evaluation rows, even if these are the training rows.
function errorAt(tree, losses) {
  let sum = 0;
  for (let i = 0; i < tree.n;) {
    const ends = tree.isLeaf(i) || isClosed(tree, i);
    sum += ends ? losses.leaf[i] : losses.stopped ? losses.stopped[i] : 0;
    i = ends ? tree.end[i] : i + 1;
  }
  return Math.max(0, sum) / tree.spec.held_weight;
}

// Leaves and errors of the tree as it is shown: pruned, and cut at the chosen level.
function shownErrors(tree) {
  const lists = [tree.losses('train'), heldLosses(tree)], sums = [0, 0];
  let leaves = 0;
  for (let i = 0; i < tree.n;) {
    const ends = tree.isLeaf(i) || isClosed(tree, i);
    if (ends) leaves++;
    lists.forEach((losses, k) => { if (losses) sums[k] += ends ? losses.leaf[i] : losses.stopped ? losses.stopped[i] : 0; });
    i = ends ? tree.end[i] : i + 1;
  }
  return {leaves, train: Math.max(0, sums[0]) / tree.spec.weight, held: lists[1] ? Math.max(0, sums[1]) / tree.spec.held_weight : null};
}

// Steps after which the price rises: one tree each. {steps, alphas, leaves, train, held}.
function pruningPath(tree) {
  if (!tree.step) return null;
  const n = tree.alpha.length;
  const leaves = new Float64Array(n + 1), train = new Float64Array(n + 1), held = new Float64Array(n + 1);
  const above = new Int32Array(tree.n), grown = tree.losses('train'), given = heldLosses(tree);
  for (let i = 0; i < tree.n; i++) {
    const up = tree.parent[i];
    above[i] = up < 0 ? n : Math.min(above[up], tree.step[up] >= 0 ? tree.step[up] : n);
    const own = tree.step[i] >= 0 ? tree.step[i] : n;
    const put = (sums, value, from, to) => { if (from < to) { sums[from] += value; sums[to] -= value; } };
    put(leaves, 1, own, above[i]);
    put(train, grown.leaf[i], own, above[i]);
    if (grown.stopped) put(train, grown.stopped[i], 0, Math.min(own, above[i]));
    if (!given) continue;
    put(held, given.leaf[i], own, above[i]);
    if (given.stopped) put(held, given.stopped[i], 0, Math.min(own, above[i]));
  }
  const path = {steps: [], alphas: [], leaves: [], train: [], held: given ? [] : null};
  const sum = [0, 0, 0];
  for (let k = 0; k < n; k++) {
    sum[0] += leaves[k];
    sum[1] += train[k];
    sum[2] += held[k];
    if (k > 0 && k + 1 < n && tree.alpha[k + 1] === tree.alpha[k]) continue;
    path.steps.push(k);
    path.alphas.push(tree.alpha[k]);
    path.leaves.push(sum[0]);
    path.train.push(Math.max(0, sum[1]) / tree.spec.weight);
    if (path.held) path.held.push(Math.max(0, sum[2]) / tree.spec.held_weight);
  }
  return path;
}

// The row of the cross-validated table for a price. The model's own tree is the chosen one, whatever it costs.
function crossValidated(alpha) {
  const table = app.data.pruning;
  if (!table || isForest()) return -1;
  let at = table.chosen || 0;
  for (let i = 0; i < table.alphas.length; i++) if (table.alphas[i] <= alpha * (1 + 1e-9)) at = Math.max(at, i);
  return at;
}

// Where on the path errors are least on rows that did not grow the tree, and the smallest tree within one standard error
// of that: {best, simple, by} as places on the path; {} where no such errors are known.
function bestSizes(path) {
  const table = isForest() ? null : app.data.pruning;
  const least = (list) => list.reduce((at, value, i) => (value !== null && (at < 0 || value <= list[at]) ? i : at), -1);
  if (table) {
    const best = least(table.errors);
    if (best < 0) return {};
    const limit = table.errors[best] + (table.spread[best] || 0);
    let simple = best;
    table.errors.forEach((error, i) => { if (error !== null && error <= limit && table.leaves[i] < table.leaves[simple]) simple = i; });
    return {best: nearestSize(path, table.leaves[best]), simple: nearestSize(path, table.leaves[simple]), by: 'cross-validated'};
  }
  if (!path.held) return {};
  const best = least(path.held), error = path.held[best];
  if (app.data.measure !== 'class_error') return {best, by: 'on the evaluation rows'};
  const limit = error + Math.sqrt((error * (1 - error)) / app.tree.spec.held_weight);
  const simple = path.held.reduce((at, value, i) => (value <= limit && path.leaves[i] < path.leaves[at] ? i : at), best);
  return {best, simple, by: 'on the evaluation rows'};
}
const nearestSize = (path, leaves) => path.leaves.reduce((at, n, i) => (Math.abs(n - leaves) < Math.abs(path.leaves[at] - leaves) ? i : at), 0);
// The value of the slider at which the tree has so many leaves: it counts from the root to the whole tree.
function pruneIndex(leaves) {
  const path = pruningPath(app.tree);
  return path ? path.steps.length - 1 - nearestSize(path, leaves) : -1;
}
// A command that makes the tree as it is pruned here.
function pruneCommand(path, at) {
  const risk = app.data.pruning_risk === 'error' ? ' --risk error' : '';
  const before = path.alphas[at], after = path.alphas[at + 1];
  const price = after > before && Number(significant(before, 6)) < before ? significant(after > before * 1.01 ? before * 1.005 : (before + after) / 2, 12) : significant(before, 12);
  return `bough prune model.bough --alpha ${Number(price) < before ? shortest(before) : price}${risk} -o pruned.bough`;
}

const SERIES = [['train', 'training', '#0072B2'], ['held', 'evaluation rows', '#C04F00'], ['cv', 'cross-validated', '#00795A']];
const ofOutput = () => (app.data.targets.length > 1 ? ` (${shownName(shownTarget().name)})` : '');
const together = () => (app.data.targets.length > 1 ? ` (mean of ${app.data.targets.length} outputs)` : '');

function curveChart(path, choose) {
  const table = isForest() ? null : app.data.pruning;
  const scale = (leaves) => Math.log2(Math.max(leaves, 1));
  const thin = Math.max(1, Math.floor(path.leaves.length / 400));
  const picked = path.leaves.map((_, i) => i).filter((i) => i % thin === 0 || i === path.leaves.length - 1);
  const series = {train: picked.map((i) => [path.leaves[i], path.train[i]])};
  if (path.held) series.held = picked.map((i) => [path.leaves[i], path.held[i]]);
  if (table) series.cv = table.leaves.map((n, i) => [n, table.errors[i], table.spread[i]]).filter((point, i) => point[1] !== null && i % Math.ceil(table.leaves.length / 400) === 0);
  for (const points of Object.values(series)) for (const point of points) { point[3] = shownError(point[1] - point[2]); point[2] = shownError(point[1] + point[2]); point[1] = shownError(point[1]); }
  const all = Object.values(series).flat().filter((point) => isFinite(point[1]));
  const top = Math.max(...all.map((point) => isFinite(point[2]) ? point[2] : point[1]), 1e-12);
  const most = Math.max(...all.map((point) => point[0]));
  const powers = Array.from({length: Math.floor(scale(most)) + 1}, (_, i) => i);
  const skip = Math.ceil(powers.length / 8);
  const chart = frame({width: 352, height: 186, x: [0, Math.max(scale(most), 1)], y: [0, top], label: 'Error along the pruning path',
    xLabel: 'leaves', yLabel: inSentence(MEASURES[app.data.measure].title), xTicks: powers.filter((i) => i % skip === 0), xFormat: (t) => grouped(2 ** t),
    yFormat: app.data.measure === 'class_error' ? shownShare : brief, left: 54});
  for (const [key, , colour] of SERIES) {
    const points = series[key];
    if (!points || !points.length) continue;
    if (key === 'cv') {
      const band = [...points.map((p) => [p[0], p[2]]), ...points.slice().reverse().map((p) => [p[0], p[3]])];
      chart.plot.append(svg('path', {d: pathOf(band.map((p) => [chart.x(scale(p[0])), chart.y(p[1])])) + 'Z', fill: colour, opacity: 0.15}));
    }
    chart.plot.append(svg('path', {d: pathOf(points.filter((p) => isFinite(p[1])).map((p) => [chart.x(scale(p[0])), chart.y(p[1])])), class: 'curve', stroke: colour}));
  }
  const sizes = bestSizes(path);
  for (const [name, at] of [['best', sizes.best], ['1 SE', sizes.simple]]) {
    if (at === undefined || (name === '1 SE' && at === sizes.best)) continue;
    const x = chart.x(scale(path.leaves[at])), low = name === '1 SE', before = low || x > chart.width - 52;
    chart.plot.append(svg('line', {x1: x, x2: x, y1: chart.top, y2: chart.top + chart.inner.h, class: 'guide'}),
      textAt(x + (before ? -3 : 3), chart.top + (low ? 20 : 9), 'tick size-mark', before ? 'end' : 'start', name));
  }
  for (const [key, name] of SERIES) for (const point of series[key] || []) {
    if (isFinite(point[1])) chart.plot.append(svg('circle', {cx: chart.x(scale(point[0])).toFixed(1), cy: chart.y(point[1]).toFixed(1), r: 5, class: 'sense'}, svg('title', {}, `${leavesText(point[0])}\n${name}: ${app.data.measure === 'class_error' ? shownShare(point[1]) : brief(point[1])}`)));
  }
  const mark = svg('line', {y1: chart.top, y2: chart.top + chart.inner.h, class: 'now'});
  chart.plot.append(mark);
  chart.root.addEventListener('click', (event) => {
    const {left, width} = boxOf(chart.root);
    const x = ((event.clientX - left) / width) * chart.width;
    let best = 0;
    path.leaves.forEach((n, i) => { if (Math.abs(chart.x(scale(n)) - x) < Math.abs(chart.x(scale(path.leaves[best])) - x)) best = i; });
    choose(best);
  });
  const move = (leaves) => { const x = chart.x(scale(leaves)); mark.setAttribute('x1', x); mark.setAttribute('x2', x); };
  return {root: chart.root, move, keys: SERIES.filter(([key]) => series[key])};
}

function hiddenByPruning(tree, node) {
  for (let up = tree.parent[node]; up >= 0; up = tree.parent[up]) if (isPruned(tree, up)) return true;
  return false;
}

function drawPruning() {
  const box = clear(byId('pruning'));
  const tree = app.tree;
  const path = pruningPath(tree);
  const grow = el('input', {id: 'grow', type: 'range', min: 0, max: tree.spec.depth, value: Math.min(app.level, tree.spec.depth), 'aria-label': 'Levels shown',
    oninput: (event) => {
      app.level = Number(event.target.value) === tree.spec.depth ? Infinity : Number(event.target.value);
      grown.textContent = levelText();
      read();
      changed();
    }});
  const levelText = () => (app.level === Infinity ? `all ${tree.spec.depth}` : `${app.level} of ${tree.spec.depth}`);
  const grown = el('output', {id: 'grow-text'}, levelText());
  let read = () => {};
  const changed = () => {
    if (app.level < tree.depth[app.selected] || hiddenByPruning(tree, app.selected)) app.selected = 0;
    arrange();
    if (!inSight(-40).length) fitView(0.45);
    emit('shape');
    emit('select');
    queueDraw();
  };
  box.append(el('h2', {}, 'Size of the tree', treeWords() && span('tag', treeWords())));
  if (!path || path.steps.length < 2) {
    box.append(note(tree.hasStatistics ? 'The tree is a single leaf: there is nothing to prune.' : 'The model does not know its training rows, so there is no pruning path.'));
    if (tree.spec.depth) box.append(el('label', {class: 'slider'}, el('span', {}, 'Levels'), grow, grown));
    return;
  }
  const last = path.steps.length - 1, first = Math.max(0, path.steps.indexOf(app.step));
  const words = el('p', {id: 'prune-text', class: 'readout', 'aria-live': 'polite'});
  const slider = el('input', {id: 'prune', type: 'range', min: 0, max: last, value: last - first, 'aria-label': 'Leaves', oninput: (event) => choose(last - Number(event.target.value))});
  const pruned = el('output', {id: 'prune-leaves'});
  const command = el('p', {id: 'prune-command', class: 'muted'});
  const go = (i) => { slider.value = last - i; choose(i); };
  // No row shows its own effect, so a causal tree has no errors to draw.
  const chart = app.data.effect ? null : curveChart(path, go);
  const sizes = bestSizes(path);
  const jump = (id, at, name) => at !== undefined && el('button', {id, class: 'quiet', onclick: () => go(at)}, `${name}: ${leavesText(path.leaves[at])}`);
  let at = first;
  function choose(i) {
    at = i;
    app.step = path.steps[i];
    read();
    slider.setAttribute('aria-valuetext', leavesText(path.leaves[i]));
    pruned.textContent = leavesText(path.leaves[i]);
    clear(command);
    if (i > 0 && !isForest()) command.append('This tree: ', el('code', {}, pruneCommand(path, i)));
    changed();
  }
  read = () => {
    const cut = app.level !== Infinity, shown = shownErrors(tree), i = at;
    const cv = cut ? -1 : crossValidated(path.alphas[i]);
    const number = (name, value) => [span('pair', span('muted', name), ' ', el('b', {}, value))];
    clear(words).append(
      ...number('leaves', `${grouped(shown.leaves)} of ${grouped(path.leaves[0])}`),
      ...number('price per leaf (alpha)', brief(path.alphas[i])),
      ...(chart ? number(`${MEASURES[app.data.measure].title}: training` + (tree.losses('train').together ? together() : ''), errorText(shown.train)) : []),
      ...(shown.held !== null ? number('evaluation rows' + (tree.losses('train').together ? ofOutput() : ''), errorText(shown.held)) : []),
      ...(cv >= 0 && app.data.pruning.errors[cv] !== null ? number('cross-validated' + together(), `${errorText(app.data.pruning.errors[cv])} ± ${spreadText(app.data.pruning.errors[cv], app.data.pruning.spread[cv])}`) : []));
    if (chart) chart.move(shown.leaves);
  };
  fill(box, {}, [
    el('label', {class: 'slider'}, el('span', {}, 'Leaves'), slider, pruned),
    el('p', {class: 'tools'}, jump('prune-best', sizes.best, `Least error ${sizes.by}`), sizes.simple !== sizes.best && jump('prune-simple', sizes.simple, 'Within one standard error'), jump('prune-whole', 0, 'Whole tree')),
    el('label', {class: 'slider'}, el('span', {}, 'Levels'), grow, grown),
    words, command, chart && [chart.root, legend(chart.keys.map(([key, name, colour]) => [colour, name + (key === 'cv' || (key === 'train' && tree.losses('train').together) ? together() : key === 'held' && tree.losses('train').together ? ofOutput() : '')]))],
    treeWords() && note(`Errors of ${treeWords()} alone.`),
    !path.held && note(isTraining() ? 'These are the training rows. Give other rows to see errors on rows that the tree has not seen.' : app.data.effect ? 'No row shows its own effect, so there are no errors to draw.' : app.data.rows ? `The data have no column “${shownTarget().name}”, so there are no errors on them.` : 'Give the report labelled rows to see errors on rows that the tree has not seen.')]);
  choose(first);
}

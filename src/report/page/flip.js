// SPDX-License-Identifier: Apache-2.0
// The smallest change of a row that gives another answer, as src/explain/nearest.cpp searches it: the box of a
// node is one set of cells per column, so the least change is found column by column, and only grows on the way
// down. Fewest columns first, then the smallest sum of changes in units of the columns' spread.

const asDouble = new Float64Array(1), asBits = new BigInt64Array(asDouble.buffer);
const asFloat = new Float32Array(1), asFloatBits = new Int32Array(asFloat.buffer);
// The next double (or float) after x, upwards or downwards.
function nextAfter(x, up, values = asDouble, bits = asBits, one = 1n) {
  if (!isFinite(x)) return x;
  if (x === 0) { bits[0] = one; return up ? values[0] : -values[0]; }
  values[0] = x;
  bits[0] += x > 0 === up ? one : -one;
  return values[0];
}
const nextFloat = (x, up) => nextAfter(x, up, asFloat, asFloatBits, 1);
function gridAbove(low, grid) {
  if (grid === 'whole') return Math.floor(low) + 1;
  if (grid !== 'floats') return nextAfter(low, true);
  const near = Math.fround(low);
  return near > low ? near : nextFloat(near, true);
}
function gridAtMost(high, grid) {
  if (grid === 'whole') return Math.floor(high);
  if (grid !== 'floats') return high;
  const near = Math.fround(high);
  return near <= high ? near : nextFloat(near, false);
}

// Why a row's flip cannot be searched, or nothing.
function flipRefused(tree, row, closed) {
  if (isForest()) return 'The smallest change is available for single trees only.';
  for (let i = 0; i < tree.n;) {
    if (tree.isLeaf(i) || closed(i)) { i = tree.end[i]; continue; }
    if (tree.kind[i] === OBLIQUE) return 'The smallest change is not available for tests of sums of columns.';
    i++;
  }
  return '';
}
// The column whose cell leaves the row to shares or to surrogates somewhere, or -1. Then a change elsewhere may
// move more than its own test, and boxes do not tell where the row ends.
function entangled(tree, row, closed) {
  for (let i = 0; i < tree.n;) {
    if (tree.isLeaf(i) || closed(i)) { i = tree.end[i]; continue; }
    if (/^s(hare|urr)/.test(decidedBy(tree, i, row[tree.column[i]]))) return tree.column[i];
    i++;
  }
  return -1;
}
// What other cells a column may hold as far as the tests of the tree tell them apart, nearest first.
function otherCells(column, cuts, own) {
  const {kind, levels, grid = 'reals', spread} = field(column);
  const unit = spread === null ? Infinity : spread || 1, unknown = isNaN(own) || (kind !== 'numeric' && own < 0);
  const out = [];
  if (kind !== 'numeric') {
    levels.forEach((_, i) => { if (i !== own) out.push({column, cell: i, low: i - 1, high: i, levels: [i], size: kind === 'category' || unknown ? 1 : Math.abs(i - own) / unit}); });
    return out.sort((a, b) => a.size - b.size);
  }
  const bounds = [-Infinity, ...Array.from(cuts).filter(isFinite).sort((a, b) => a - b), Infinity];
  for (let i = 0; i + 1 < bounds.length; i++) {
    const low = bounds[i], high = bounds[i + 1], rises = unknown ? low > -Infinity : own <= low;
    if (!unknown && own > low && own <= high) continue;
    const cell = rises ? gridAbove(low, grid) : high < Infinity ? gridAtMost(high, grid) : 0;
    if (cell > low && cell <= high) out.push({column, cell, low, high, size: unknown ? 1 : Math.abs(cell - own) / unit});
  }
  return out.sort((a, b) => a.size - b.size);
}
// The smallest change of one column, by trying all: {answer, moves: [move]} or null, as
// src/explain/single.cpp has it. Exact, whatever the other tests do with missing cells.
function nearestSingle(tree, row, accepts, closed = () => false) {
  const cuts = app.data.features.map(() => new Set());
  for (let i = 0; i < tree.n; i++) {
    if (tree.kind[i] === NUMERIC) cuts[tree.column[i]].add(tree.threshold[i]);
    if (tree.kind[i] === INTERVAL) tree.cut.subarray(tree.cutAt[i], tree.cutAt[i + 1]).forEach((cut) => cuts[tree.column[i]].add(cut));
  }
  if (tree.alt_role) tree.alt_role.forEach((role, i) => { if (role === 1 && tree.alt_kind[i] === NUMERIC) cuts[tree.alt_column[i]].add(tree.alt_threshold[i]); });
  const used = usedColumns(tree);
  let best = null;
  app.data.features.forEach((_, column) => {
    if (!used.has(column)) return;
    const probe = row.slice();
    for (const move of otherCells(column, cuts[column], row[column])) {
      if (best && move.size >= best.moves[0].size) return;
      probe[column] = move.cell;
      const answer = finalAnswer(treeAnswer(tree, probe, closed), app.output);
      if (accepts(answer)) best = {answer, distance: move.size, moves: [move]};
    }
  });
  return best;
}
function decidesItself(tree, node, cell) {
  if (isNaN(cell)) return false;
  if (tree.kind[node] === ORDINAL) return cell >= 0;
  if (tree.kind[node] !== SUBSET && tree.kind[node] !== MULTIWAY) return true;
  return mapped(tree.map_level, tree.map_child, tree.mapAt[node], tree.mapAt[node + 1], cell) >= 0 || tree.unseen_to[node] >= 0;
}
function decidedBy(tree, node, cell) {
  if (decidesItself(tree, node, cell)) return 'cell';
  const to = tree.missing_to[node];
  if (to === SURROGATE || to === SURROGATE_OR_STOPS) {
    for (let i = tree.altAt[node]; i < tree.altAt[node + 1]; i++) if (tree.alt_role[i] === 1) return 'surrogate';
  }
  const way = missingChild(tree, node);
  return way === BY_SHARE ? 'share' : way === STOPS ? 'stops' : 'default';
}

// The part of a column's cells behind a child, and the nearest of them; null when there is none.
function narrowed(tree, node, child, state, row) {
  const column = tree.column[node], {kind, grid = 'reals', spread} = field(column), cell = row[column];
  const probe = [];
  const goes = (value) => { probe[column] = value; return route(tree, node, probe) === child; };
  const next = {...state, own: state.own && goes(cell)};
  if (kind === 'category') {
    next.levels = state.levels.filter((level) => decidesItself(tree, node, level) && goes(level));
    if (next.own) return next;
    return next.levels.length ? {...next, cell: next.levels[0], size: 1} : null;
  }
  const step = tree.kind[node] === ORDINAL ? 1 : 0;
  const cuts = tree.kind[node] === INTERVAL ? tree.cut.subarray(tree.cutAt[node], tree.cutAt[node + 1]) : [tree.threshold[node] - step];
  if (child > 0) next.low = Math.max(next.low, cuts[child - 1]);
  if (child < cuts.length) next.high = Math.min(next.high, cuts[child]);
  if (next.own) return next;
  const mesh = kind === 'ordinal' ? 'whole' : grid;
  const unknown = isNaN(cell) || (kind === 'ordinal' && cell < 0);
  const rises = unknown ? next.low > -Infinity : cell <= next.low;
  next.cell = rises ? gridAbove(next.low, mesh) : next.high < Infinity ? gridAtMost(next.high, mesh) : 0;
  next.size = unknown ? 1 : Math.abs(next.cell - cell) / (spread === null ? Infinity : spread || 1);
  return isFinite(next.cell) && next.cell > next.low && next.cell <= next.high ? next : null;
}

// {node, distance, moves: [{column, cell, low, high, levels, size}]} or null. `wanted(node)` accepts endings.
function nearestFlip(tree, row, wanted, closed = () => false) {
  const states = app.data.features.map(({kind, levels}) => ({own: true, low: kind === 'ordinal' ? -1 : -Infinity,
    high: kind === 'ordinal' ? levels.length - 1 : Infinity, levels: kind === 'category' ? levels.map((_, i) => i) : null}));
  const changed = new Map();
  let best = null;
  const put = (column, state) => {
    if (state.own) changed.delete(column); else changed.set(column, state.size);
    states[column] = state;
  };
  const distance = () => Array.from(changed.keys()).sort((a, b) => a - b).reduce((sum, column) => sum + changed.get(column), 0);
  const better = () => !best || (changed.size !== best.moves.length ? changed.size < best.moves.length : distance() < best.distance);
  const consider = (node) => {
    if (!wanted(node) || !better()) return;
    best = {node, distance: distance(), moves: Array.from(changed.keys()).sort((a, b) => a - b).map((column) => ({column, ...states[column]}))};
  };
  const ends = (node) => tree.isLeaf(node) || closed(node);
  const enter = (node) => {
    if (ends(node)) consider(node);
    else if (states[tree.column[node]].own && decidedBy(tree, node, row[tree.column[node]]) === 'stops') consider(node);
    else considerStoppingLevels(node);
  };
  // A row may also get a level that no child of the node takes, and end there.
  const considerStoppingLevels = (node) => {
    const column = tree.column[node], state = states[column];
    const levels = (state.levels || []).filter((level) => decidedBy(tree, node, level) === 'stops');
    if (!levels.length) return;
    put(column, {...state, own: false, levels, cell: levels[0], size: 1});
    consider(node);
    put(column, state);
  };
  const open = [{node: 0, next: 0}];
  enter(0);
  while (open.length) {
    const frame = open[open.length - 1];
    if (ends(frame.node) || frame.next >= tree.children[frame.node]) {
      if (frame.before) put(frame.column, frame.before);
      open.pop();
      continue;
    }
    const column = tree.column[frame.node], child = frame.next++;
    const state = narrowed(tree, frame.node, child, states[column], row);
    if (!state) continue;
    const before = states[column];
    put(column, state);
    if (best && !better()) { put(column, before); continue; }
    const node = tree.kids(frame.node)[child];
    open.push({node, next: 0, column, before});
    enter(node);
  }
  return best;
}

// A threshold beside the cell of the row, which is printed whole: on the other side of it in print, too.
function cutBeside(own, cut) {
  const digits = cutDigits(cut), printed = Number(plainNumber(cut, digits));
  return shownNumber(cut, (own <= cut) === (own <= printed) ? digits : ALL_DIGITS);
}

// What is enough for a move, in words.
function moveWords(move, row) {
  const {name, kind, levels} = field(move.column), own = row[move.column];
  const from = isNaN(own) ? 'missing' : kind === 'numeric' ? shortest(own) : own < 0 ? 'unseen' : shownName(levels[own]);
  let enough;
  const rises = isNaN(own) ? move.low > -Infinity : own <= move.low;
  if (kind === 'category') enough = (move.levels.length > 1 ? 'one of ' : '') + shownList(levels, move.levels, 5);
  else if (kind === 'ordinal') enough = (rises ? 'at least ' : 'at most ') + shownName(levels[move.cell]);
  else enough = rises ? `more than ${cutBeside(own, move.low)}` : isFinite(move.high) ? `at most ${cutBeside(own, move.high)}` : 'known';
  return `${shownName(name)} were ${enough} (it is ${from})`;
}

// The wish and its answer; with a button that makes the change.
function flipPanel(tree, row, closed, answer) {
  const refused = flipRefused(tree, row, closed);
  if (refused) return el('p', {class: 'muted', id: 'flip'}, refused);
  const target = shownTarget();
  const out = el('p', {id: 'flip-text'});
  const low = tree.low[app.output], high = tree.high[app.output];
  const wish = tree.isClass
    ? el('select', {id: 'flip-wish', 'aria-label': 'Wanted prediction', onchange: show}, el('option', {value: -1}, 'another class'),
      target.levels.slice(0, 200).map((name, i) => i !== answer && el('option', {value: i}, clip(shownName(name), 30))))
    : el('select', {id: 'flip-wish', 'aria-label': 'Wanted direction', onchange: show}, el('option', {value: 1}, 'at least'), el('option', {value: -1}, 'at most'));
  const goal = tree.isClass ? null : el('input', {id: 'flip-goal', type: 'number', step: 'any', 'aria-label': 'Wanted value',
    value: Number(significant(Math.min(high, answer + (high - low) / 10), 4)), onchange: show});
  function show() {
    const accepts = (value) => {
      if (!tree.isClass) return wish.value > 0 ? value >= Number(goal.value) : value <= Number(goal.value);
      return Number(wish.value) < 0 ? value !== answer : value === Number(wish.value);
    };
    const lost = entangled(tree, row, closed);
    const found = accepts(answer) ? {moves: []} : lost >= 0 ? nearestSingle(tree, row, accepts, closed) : nearestFlip(tree, row, (node) => accepts(tree.answer(node, app.output)), closed);
    clear(out);
    if (!found && lost >= 0) {
      return out.append(`No change of one column leads there. Larger ones are not searched: ${shownName(field(lost).name)} is missing, and where such rows go depends on other columns or is divided.`);
    }
    if (!found) return out.append('No change of the row leads there.');
    if (!found.moves.length) return out.append('That is already the prediction.');
    out.append(`It would be ${answerText(lost >= 0 ? found.answer : tree.answer(found.node, app.output), app.output)} if ${found.moves.map((move) => moveWords(move, row)).join(', and ')}. `,
      el('button', {class: 'quiet', onclick: () => {
        for (const move of found.moves) tracer.cells[move.column] = move.cell;
        tracer.row = -1;
        showCells();
        traceRow();
      }}, 'Make this change'));
  }
  show();
  return el('div', {class: 'flip', id: 'flip'}, div('tools', el('b', {}, 'Smallest change for'), wish, goal), out);
}

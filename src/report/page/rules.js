// SPDX-License-Identifier: Apache-2.0
// The rules: one per leaf of the tree as it is shown, with the conditions of the way merged by column.

// Conditions on the way to a node, merged: ranges are cut, sets are cut.
function ruleWords(tree, node) {
  const byColumn = new Map();
  for (let i = node; tree.parent[i] >= 0; i = tree.parent[i]) {
    const up = tree.parent[i], child = tree.rank[i], kind = tree.kind[up];
    const column = kind === OBLIQUE ? 'sum' + up : tree.column[up];
    const found = condition(tree, up, child, 6, 8);
    if (!byColumn.has(column)) byColumn.set(column, {subject: found.subject, low: -Infinity, high: Infinity, words: [], numeric: false, levels: null});
    const entry = byColumn.get(column);
    if ((kind === NUMERIC || kind === INTERVAL || kind === OBLIQUE) && found.form !== 'known' && found.form !== 'missing') {
      const cuts = kind === INTERVAL ? tree.cut.subarray(tree.cutAt[up], tree.cutAt[up + 1]) : [tree.threshold[up]];
      entry.numeric = true;
      if (child > 0) entry.low = Math.max(entry.low, cuts[child - 1]);
      if (child < cuts.length) entry.high = Math.min(entry.high, cuts[child]);
    } else if (found.levels && (found.form === 'one_of' || found.form === 'is')) {
      entry.levels = entry.levels ? entry.levels.filter((level) => found.levels.includes(level)) : found.levels;
      entry.column = column;
    } else if (!entry.words.includes(predicateWords(found))) {
      entry.words.unshift(predicateWords(found));
    }
  }
  const out = [];
  for (const {subject, low, high, words, numeric, levels, column} of byColumn.values()) {
    if (numeric) {
      if (low > -Infinity && high < Infinity) out.push(`${shownNumber(low)} < ${subject} ≤ ${shownNumber(high)}`);
      else out.push(high < Infinity ? `${subject} ≤ ${shownNumber(high)}` : `${subject} > ${shownNumber(low)}`);
    }
    if (levels) out.push(`${subject} is ${levels.length > 1 ? 'one of ' : ''}${shownList(field(column).levels, levels, 8)}`);
    else for (const word of words) out.push(`${subject} is ${word}`);
  }
  return out.reverse();
}

// Rows of the tree as pruned and grown, folded or not.
function shownLeaves(tree) {
  const out = [];
  for (let i = 0; i < tree.n;) {
    const end = tree.isLeaf(i) || isClosed(tree, i);
    if (end) out.push(i);
    i = end ? tree.end[i] : i + 1;
  }
  return out;
}

function drawRules() {
  const tree = app.tree;
  const leaves = shownLeaves(tree);
  const target = app.data.targets[app.output];
  const held = (i) => (tree.held_rows && tree.held_rows[i] > 0 ? tree.held_loss[i] / tree.held_rows[i] : NaN);
  const confidence = (i) => Math.max(...tree.shares(i, app.output));
  const columns = [
    {title: 'If', value: (i) => i, show: (i) => ruleColumn(tree, i), wide: true},
    {title: 'then', value: (i) => (tree.isClass ? target.levels[tree.answer(i, app.output)] : tree.answer(i, app.output)), number: !tree.isClass, style: 'short',
      show: (i) => [el('span', {class: 'swatch', style: `background:${tree.colour(i, app.output)}`}), answerText(tree.answer(i, app.output), app.output)]},
    tree.isClass && {title: 'Share', number: true, value: confidence, show: (i) => shownShare(confidence(i))},
    tree.hasStatistics && {title: 'Rows', number: true, value: (i) => tree.n_rows[i], show: (i) => grouped(tree.n_rows[i])},
    tree.held_rows && {title: 'Held-out rows', number: true, value: (i) => tree.held_rows[i], show: (i) => grouped(tree.held_rows[i])},
    tree.held_rows && {title: `${tree.isClass ? 'Error' : MEASURES[app.data.measure].title} held out`, number: true, value: (i) => (Number.isNaN(held(i)) ? -1 : held(i)),
      show: (i) => (Number.isNaN(held(i)) ? '–' : errorText(held(i)))},
    {title: 'Tests', number: true, value: (i) => tree.depth[i], show: (i) => tree.depth[i]},
    {title: 'Leaf', number: true, value: (i) => i, show: (i) => '#' + i},
  ].filter(Boolean);
  const sort = columns.findIndex((column) => column.title === (tree.hasStatistics ? 'Rows' : 'Leaf'));
  clear(byId('rules')).append(el('h2', {}, 'Rules'),
    el('p', {class: 'muted'}, `${leavesText(leaves.length)} of the tree as it is shown; a click on a rule shows its leaf.`),
    sortedTable({items: leaves, columns, sort, descending: tree.hasStatistics, label: 'Rules', pick: (i) => { app.selected = i; unfoldTo(i); select(i); byId('tree-panel').scrollIntoView({block: 'start'}); }}));
}
function ruleColumn(tree, i) {
  const words = ruleWords(tree, i);
  if (!words.length) return 'always';
  return words.map((text, at) => [at ? el('span', {class: 'muted'}, ' and ') : null, text]);
}

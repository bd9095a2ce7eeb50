// SPDX-License-Identifier: Apache-2.0
// The rules: one per leaf of the tree as it is shown, with the conditions of the way merged by column.

// What the tests on the way leave over of a column, as src/rules/region.cpp keeps it: bounds, or a list of levels
// that pass (or do not pass: negated, then unseen ones do), and the share of missing cells that comes along.
function narrowRegion(region, tree, node, child) {
  const kind = tree.kind[node], threshold = tree.threshold[node], to = tree.missing_to[node];
  const asks = (to === SURROGATE || to === SURROGATE_OR_STOPS) && hasSurrogates(tree, node), way = missingChild(tree, node);
  if (asks) region.asks = true;
  else region.missing *= way === BY_SHARE ? tree.share[tree.childAt[node] + child] : way === child ? 1 : 0;
  const above = (bound) => {
    if (region.isSet) region.levels = region.levels.filter((level) => level > bound);
    else region.above = region.above === null ? bound : Math.max(region.above, bound);
  };
  const atMost = (bound) => {
    if (region.isSet) region.levels = region.levels.filter((level) => level <= bound);
    else region.most = region.most === null ? bound : Math.min(region.most, bound);
  };
  if (kind === NUMERIC || kind === OBLIQUE || kind === ORDINAL || kind === INTERVAL) {
    const cuts = kind === INTERVAL ? tree.cut.subarray(tree.cutAt[node], tree.cutAt[node + 1]) : [threshold - (kind === ORDINAL)];
    const low = child ? cuts[child - 1] : -Infinity, high = cuts[child] ?? Infinity;
    if (low > -Infinity) above(low);
    if (high < Infinity || low === -Infinity) atMost(high);
    return;
  }
  if (kind === EQUALITY) { keepLevels(region, [threshold], child === 1); return; }
  const negated = tree.unseen_to[node] === child, listed = [];
  for (let i = tree.mapAt[node]; i < tree.mapAt[node + 1]; i++) if ((tree.map_child[i] === child) !== negated) listed.push(tree.map_level[i]);
  keepLevels(region, listed, negated);
}
function keepLevels(region, levels, negated) {
  if (!region.isSet && region.ordinal) {
    region.negated = false;
    region.levels = Array.from({length: region.size}, (_, i) => i).filter((i) => (region.above === null || i > region.above) && (region.most === null || i <= region.most));
    region.above = region.most = null;
  }
  region.isSet = true;
  const given = new Set(levels), own = new Set(region.levels);
  if (region.negated && negated) region.levels = Array.from(new Set([...own, ...given])).sort((a, b) => a - b);
  else if (region.negated) region.levels = levels.filter((level) => !own.has(level));
  else region.levels = region.levels.filter((level) => given.has(level) !== negated);
  region.negated = region.negated && negated;
}
function nothingKnown({stops, isSet, negated, ordinal, levels, size, above, most}) {
  if (stops) return true;
  if (isSet) return negated ? ordinal && levels.length === size : !levels.length;
  if (above !== null && (above === Infinity || (most !== null && above >= most))) return true;
  return ordinal && ((above !== null && above >= size - 1) || (most !== null && most < 0));
}
function everythingKnown({stops, isSet, negated, ordinal, levels, size, above, most}) {
  if (stops) return false;
  if (isSet) return negated ? !levels.length : ordinal && levels.length === size;
  return (most === null || most === Infinity || (ordinal && most >= size - 1)) && (above === null || (ordinal && above < 0));
}
// The words of `bough rules`; '' when every cell passes.
function regionWords(region, listed) {
  const {subject, ordinal, levels, size, names, negated} = region;
  const missing = region.missing === 0 ? '' : ', or missing';
  const part = region.missing === 0 || (region.missing === 1 && !region.asks) ? ''
    : ` (${region.asks ? 'where surrogates lead here' : `${shownShare(region.missing)} of it`})`;
  if (nothingKnown(region)) return `${subject} is missing${part}`;
  if (everythingKnown(region)) return region.missing === 1 && !region.asks ? '' : `${subject} is known${missing}${part}`;
  let words;
  if (region.isSet) {
    const own = new Set(levels), inside = negated ? names.map((_, i) => i).filter((i) => !own.has(i)) : levels;
    if (negated && (!inside.length || (inside.length > MANY_LEVELS && 2 * levels.length <= inside.length)))
      return `${subject} is ${missing && 'missing or '}${levels.length === 1 ? 'not' : 'none of'} ${shownList(names, levels, listed)}${part}`;
    words = `${subject} = ${shownList(names, inside, listed)}${negated && !ordinal ? ' or other' : ''}`;
  } else {
    const last = ordinal ? size - 1 : Infinity, {above} = region, most = region.most !== null && region.most >= last ? null : region.most;
    const bound = (value) => (ordinal ? shownName(names[Math.min(Math.max(value, 0), last)]) : region.sum ? shownNumber(value) : shownCut(value));
    const low = ordinal && above !== null ? Math.floor(above) + 1 : above, high = ordinal && most !== null ? Math.floor(most) : most;
    if (above === null) words = `${subject} ≤ ${bound(high)}`;
    else if (most === null) words = `${subject} ${ordinal ? '≥' : '>'} ${bound(low)}`;
    else words = ordinal && low === high ? `${subject} = ${bound(low)}` : `${bound(low)} ${ordinal ? '≤' : '<'} ${subject} ≤ ${bound(high)}`;
  }
  return words + missing + part;
}

// Conditions on the way to a node, merged by column; null when no row can come there. `stops`: of the rows that
// stay at an inner node because the cell it tests is missing or unknown there; `listed`: how many levels are named.
function ruleWords(tree, node, stops = false, listed = 40) {
  const way = [], regions = new Map();
  for (let i = node; tree.parent[i] >= 0; i = tree.parent[i]) way.push(i);
  const regionOf = (at) => {
    const sum = tree.kind[at] === OBLIQUE, subject = sum ? formula(tree, at, 6, Infinity) : shownName(field(tree.column[at]).name);
    const key = sum ? 'sum ' + subject : tree.column[at];
    if (!regions.has(key)) {
      const {levels: names, kind} = sum ? {} : field(tree.column[at]);
      regions.set(key, {subject, sum, names, ordinal: kind === 'ordinal', size: names ? names.length : 0, above: null, most: null, isSet: false, negated: true, levels: [], missing: 1});
    }
    return regions.get(key);
  };
  for (const i of way.reverse()) narrowRegion(regionOf(tree.parent[i]), tree, tree.parent[i], tree.rank[i]);
  if (stops) {
    const region = regionOf(node), kind = tree.kind[node];
    if ((kind === SUBSET || kind === MULTIWAY) && tree.unseen_to[node] < 0) keepLevels(region, Array.from(tree.map_level.subarray(tree.mapAt[node], tree.mapAt[node + 1])), true);
    else region.stops = true;
    if (hasSurrogates(tree, node)) region.asks = true;
  }
  const all = Array.from(regions.values());
  if (all.some((region) => region.missing === 0 && nothingKnown(region))) return null;
  return all.map((region) => regionWords(region, listed)).filter(Boolean);
}
function hasSurrogates(tree, node) {
  for (let i = tree.altAt[node]; i < tree.altAt[node + 1]; i++) if (tree.alt_role[i] === 1) return true;
  return false;
}

// Leaves of the tree as pruned and grown, folded or not; ~i for an inner node i where rows may stay.
function shownLeaves(tree) {
  const out = [];
  for (let i = 0; i < tree.n;) {
    const end = tree.isLeaf(i) || isClosed(tree, i);
    if (end) out.push(i);
    else if (missingChild(tree, i) === STOPS) out.push(~i);
    i = end ? tree.end[i] : i + 1;
  }
  return out;
}

function drawRules() {
  const tree = app.tree;
  const leaves = shownLeaves(tree), inner = leaves.filter((i) => i < 0).length;
  const target = shownTarget(), losses = tree.losses('held');
  const at = (i) => (i < 0 ? ~i : i);
  // Of those that stay at an inner node: what its children do not have.
  const count = (list, i) => (i >= 0 ? list[i] : Math.max(0, tree.kids(~i).reduce((rest, kid) => rest - list[kid], list[~i])));
  const given = (i) => count(tree.held_rows, i);
  const held = (i) => (given(i) > 1e-9 ? (i >= 0 ? losses.leaf[i] : losses.stopped ? losses.stopped[~i] : 0) / given(i) : NaN);
  const answer = (i) => tree.answer(at(i), app.output);
  const confidence = (i) => Math.max(...tree.shares(at(i), app.output));
  const columns = [
    {title: 'If', value: at, show: (i) => ruleColumn(tree, at(i), i < 0), wide: true},
    {title: 'then', value: (i) => (tree.isClass ? target.levels[answer(i)] : answer(i)), number: !tree.isClass, style: 'short',
      show: (i) => [swatch(tree.colour(at(i), app.output)), el('span', {title: answerText(answer(i), app.output)}, tree.isClass ? answerText(answer(i), app.output) : answerBrief(answer(i), app.output))]},
    tree.isClass && {title: 'Share', number: true, value: confidence, show: (i) => shownShare(confidence(i))},
    tree.hasStatistics && {title: 'Rows', number: true, value: (i) => count(tree.n_rows, i), show: (i) => grouped(count(tree.n_rows, i))},
    tree.held_rows && !isTraining() && {title: 'Evaluation rows', number: true, value: given, show: (i) => grouped(given(i))},
    tree.held_rows && {title: `${tree.isClass ? 'Error' : MEASURES[app.data.measure].title}, ${givenRows()}`, number: true, value: (i) => (isNaN(held(i)) ? -1 : held(i)),
      show: (i) => (isNaN(held(i)) ? '–' : errorText(held(i)))},
    {title: 'Tests', number: true, value: (i) => tree.depth[at(i)], show: (i) => tree.depth[at(i)]},
    {title: 'Leaf', number: true, value: at, show: (i) => (i < 0 ? `stays at #${~i}` : '#' + i)},
  ].filter(Boolean);
  const sort = columns.findIndex((column) => column.title === (tree.hasStatistics ? 'Rows' : 'Leaf'));
  clear(byId('rules')).append(el('h2', {}, 'Rules', treeWords() && span('tag', treeWords())),
    note(`${leavesText(leaves.length - inner)} of the tree as it is shown${inner ? `, and ${counted(inner, 'node')} where rows may stay` : ''}`, span('screen', '; a click on a rule shows its leaf'), '.'),
    sortedTable({items: leaves, columns, sort, descending: tree.hasStatistics, label: 'Rules', pick: (i) => { app.selected = at(i); unfoldTo(at(i)); select(at(i)); byId('tree-panel').scrollIntoView({block: 'start'}); }}));
}
function ruleColumn(tree, i, stops) {
  const words = ruleWords(tree, i, stops), short = ruleWords(tree, i, stops, 8);
  if (!words || !words.length) return words ? 'always' : 'never';
  return short.map((text, at) => {
    // What is said of cells that training did not know stands back behind the test.
    const [, test, besides] = text.match(/^(.*?)((?: or other)?(?:, or missing.*)?)$/s);
    return [at ? el('b', {}, ' and ') : null, el('span', {class: test.length <= 36 ? 'whole' : null, title: text === words[at] ? null : words[at]}, test), besides && span('muted', besides)];
  });
}

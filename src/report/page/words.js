// SPDX-License-Identifier: Apache-2.0
// Tests in words, as src/explain/condition.cpp has them.

const field = (column) => app.data.features[column];

function shownList(names, chosen, most) {
  const length = chosen.length <= most ? chosen.length : Math.max(most, 3) - 2;
  // A level called "missing" must not read as a missing cell.
  const list = chosen.slice(0, length).map((i) => (names[i] === 'missing' ? '"missing"' : shownName(names[i]))).join(', ');
  return length === chosen.length ? list : `${list} and ${chosen.length - length} more`;
}

function largestChild(tree, node) {
  let best = 0;
  const at = tree.childAt[node];
  for (let i = 1; i < tree.children[node]; i++) if (tree.share[at + i] > tree.share[at + best]) best = i;
  return best;
}
// Where missing cells go when no surrogate decides.
function missingChild(tree, node) {
  const to = tree.missing_to[node];
  if (to === SURROGATE_OR_STOPS) return STOPS;
  return to === SURROGATE ? largestChild(tree, node) : to;
}

function formula(tree, node, digits = 6, most = 8) {
  let words = '';
  const begin = tree.termAt[node], end = tree.termAt[node + 1];
  for (let i = begin; i < Math.min(end, begin + most); i++) {
    const weight = tree.term_weight[i];
    words += words === '' ? (weight < 0 ? '-' : '') : weight < 0 ? ' - ' : ' + ';
    if (Math.abs(weight) !== 1) words += shownNumber(Math.abs(weight), digits) + ' * ';
    words += shownName(field(tree.term_column[i]).name);
  }
  return end - begin > most ? `${words} + ${end - begin - most} more terms` : words;
}

// What goes to a child is listed; only where that is much and the rest is little, the rest.
const MANY_LEVELS = 5;
function ofSet(tree, node, child, most) {
  const names = field(tree.column[node]).levels;
  const inside = [], outside = [];
  for (let i = tree.mapAt[node]; i < tree.mapAt[node + 1]; i++)
    (tree.map_child[i] === child ? inside : outside).push(tree.map_level[i]);
  const complete = inside.length + outside.length === names.length;
  const others = tree.unseen_to[node] === child, allElse = complete || others;
  if (allElse && !outside.length) return {form: missingChild(tree, node) === child ? 'any' : 'known'};
  if (!inside.length && !others) return {form: 'missing'};
  if (allElse && (!inside.length || (inside.length > MANY_LEVELS && 2 * outside.length <= inside.length)))
    return {form: outside.length === 1 ? 'is_not' : 'none_of', first: shownList(names, outside, most), levels: outside};
  const open = others && !complete;
  return {form: inside.length === 1 && !open ? 'is' : 'one_of', first: shownList(names, inside, most) + (open ? ' or other' : ''), levels: inside};
}

// What must hold for a row to go to child number `child`: {form, subject, first, second}.
// `shown` prints a threshold.
function condition(tree, node, child, digits = 6, most = 5, shown = shownCut) {
  const kind = tree.kind[node];
  const number = (value) => (kind === OBLIQUE ? shownNumber(value, digits) : shown(value, digits));
  const subject = kind === OBLIQUE ? formula(tree, node, digits) : shownName(field(tree.column[node]).name);
  const threshold = tree.threshold[node];
  const left = child === 0;
  let found;
  if (kind === SUBSET || kind === MULTIWAY) {
    found = ofSet(tree, node, child, most);
  } else if (kind === INTERVAL) {
    const cuts = tree.cut.subarray(tree.cutAt[node], tree.cutAt[node + 1]);
    found = left ? {form: 'at_most', first: number(cuts[0])}
      : child === cuts.length ? {form: 'more_than', first: number(cuts[child - 1])}
        : {form: 'between', first: number(cuts[child - 1]), second: number(cuts[child])};
  } else if (kind === EQUALITY) {
    found = {form: left ? 'is' : 'is_not', first: shownName(field(tree.column[node]).levels[threshold])};
  } else if (kind === ORDINAL) {
    const names = field(tree.column[node]).levels;
    found = threshold >= names.length ? {form: left ? 'known' : 'missing'}
      : {form: left ? 'below' : 'from', first: shownName(names[threshold])};
  } else if (threshold === Infinity) {
    found = {form: left ? 'known' : 'missing'};
  } else {
    found = {form: left ? 'at_most' : 'more_than', first: number(threshold)};
  }
  return {subject, ...found};
}

function predicateWords(found) {
  const {form, first, second} = found;
  return {at_most: `at most ${first}`, more_than: `more than ${first}`,
    between: `more than ${first} and at most ${second}`, below: `below ${first}`, from: `${first} or above`,
    is: first, is_not: `not ${first}`, one_of: `one of ${first}`, none_of: `none of ${first}`, known: 'known',
    missing: 'missing', any: 'any value'}[form];
}
function conditionWords(found) {
  const {form, subject, first, second} = found;
  return {at_most: `${subject} ≤ ${first}`, more_than: `${subject} > ${first}`,
    between: `${first} < ${subject} ≤ ${second}`, below: `${subject} < ${first}`, from: `${subject} ≥ ${first}`,
    is: `${subject} = ${first}`, one_of: `${subject} = ${first}`}[form] || `${subject} is ${predicateWords(found)}`;
}
// The same for labels of edges, without the subject.
function edgeWords(found) {
  const {form, first, second} = found;
  return {at_most: `≤ ${first}`, more_than: `> ${first}`, between: `${first} to ${second}`, below: `< ${first}`,
    from: `≥ ${first}`, is: first, is_not: `not ${first}`, one_of: first, none_of: `not ${first}`}[form] ||
    predicateWords(found);
}
// The test of a node on one line, for its box.
function testTitle(tree, node) {
  const kind = tree.kind[node];
  if (kind === MULTIWAY || kind === INTERVAL) return shownName(field(tree.column[node]).name);
  return conditionWords(condition(tree, node, 0, 4, 3, briefCut));
}
// All conditions on the way to a node, in words.
function wayWords(tree, node) {
  const words = [];
  for (let i = node; tree.parent[i] >= 0; i = tree.parent[i]) {
    words.push({node: tree.parent[i], text: conditionWords(condition(tree, tree.parent[i], tree.rank[i]))});
  }
  return words.reverse();
}

// SPDX-License-Identifier: Apache-2.0
// Effects of a treatment: what a node of a causal tree says beside its number, and a scale that runs from 0 both ways.

const EFFECT_ABOVE = '#0072b2', EFFECT_BELOW = '#d55e00';
const farthestEffect = (tree) => Math.max(Math.abs(tree.low[0]), Math.abs(tree.high[0]), 1e-300);
// White at 0, the stronger the farther.
const effectColour = (value, farthest) => mix('#ffffff', value >= 0 ? EFFECT_ABOVE : EFFECT_BELOW, 0.25 + 0.75 * Math.min(1, Math.abs(value) / farthest));

function effectStrip(group, tree, node, {x, y, w, h}) {
  const value = tree.answer(node, 0), middle = x + w / 2, part = (w / 2) * Math.min(1, Math.abs(value) / farthestEffect(tree));
  group.append(svg('rect', {x, y, width: w, height: h, rx: 2, class: 'track'}),
    svg('rect', {x: (value >= 0 ? middle : middle - part).toFixed(2), y, width: Math.max(1, part).toFixed(2), height: h, fill: value >= 0 ? EFFECT_ABOVE : EFFECT_BELOW}),
    svg('line', {x1: middle, x2: middle, y1: y - 2, y2: y + h + 2, class: 'axis'}));
}

// "90%: -300 to 3900", where the tree is honest; an interval needs no more than three digits.
function effectRange(tree, node) {
  if (!app.data.effect || !tree.effect_half || tree.effect_half[node] < 0) return '';
  const value = tree.answer(node, 0), half = tree.effect_half[node];
  const about = (end) => brief(Number(end.toPrecision(3)));
  return `${shownShare(app.data.effect.coverage)}: ${about(value - half)} to ${about(value + half)}`;
}
const armsWords = (tree, node) => (tree.treated_rows ? `${grouped(tree.treated_rows[node])} treated, ${grouped(tree.control_rows[node])} control` : '');

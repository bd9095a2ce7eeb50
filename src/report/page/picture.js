// SPDX-License-Identifier: Apache-2.0
// Boxes of nodes and the lines between them.

const BOX = {w: 180, inner: 92, leaf: 60, pitchX: 194, pitchY: 146};
const boxHeight = (tree, node) => (tree.isLeaf(node) || isClosed(tree, node) ? BOX.leaf + (effectRange(tree, node) ? 16 : 0) : BOX.inner);
const linkWidth = (tree, node) => (tree.hasStatistics ? 1 + 7 * Math.sqrt(tree.weights[node] / tree.weights[0]) : 1.5);

// Text cut to a width in pixels, as the boxes print it.
const gauge = document.createElement('canvas').getContext('2d');
function fit(text, width, font = '12px') {
  gauge.font = `${font} system-ui, sans-serif`;
  if (gauge.measureText(text).width <= width) return text;
  const signs = Array.from(text);
  while (signs.length > 1 && gauge.measureText(signs.join('') + '…').width > width) signs.length -= 1;
  return signs.join('') + '…';
}
const TITLE = '600 13px';
const widthOf = (text, font = '11.5px') => { gauge.font = `${font} system-ui, sans-serif`; return gauge.measureText(text).width; };
// The answer of a node in a width: a long class is cut, so that its probability stays.
function fitAnswer(tree, node, width, font = '11.5px') {
  const told = toldAnswer(tree, node, app.output), target = shownTarget();
  // "Survived = 0: 97%" becomes "= 0: 97%": the legend has the column. Of "versicolor 97%" the class is cut.
  const name = carriesColumn(target) ? shownName(target.name) : answerBrief(tree.answer(node, app.output), app.output);
  const rest = told.slice(name.length);
  if (widthOf(told, font) <= width) return told;
  return carriesColumn(target) ? fit(rest.trim(), width, font) : fit(name, width - widthOf(rest, font), font) + rest;
}

// The levels of a set as their first and the number of the others: "Bachelors +3"; null of anything else.
function setInShort({form, levels}, names) {
  if (!levels || !levels.length) return null;
  const [first, ...others] = levels;
  return {sign: form === 'none_of' || form === 'is_not' ? '≠' : '=', first: shownName(names[first]), more: others.length ? ` +${others.length}` : ''};
}
// The test of a node in a width, with the size of its letters: first smaller, then a set in short. A name that fits
// stays whole, as others may begin like it; the edges below have what it leaves out of the threshold or the levels.
const TITLE_SIZES = [13, 12, 11.5], SMALL_TITLE = '600 11.5px';
function fitTest(tree, node, width) {
  const whole = testTitle(tree, node), name = tree.kind[node] === OBLIQUE ? '' : shownName(field(tree.column[node]).name);
  const list = name ? setInShort(condition(tree, node, 0), field(tree.column[node]).levels) : null;
  const short = list ? `${name} ${list.sign} ${list.first}${list.more}` : whole;
  for (const text of [whole, short]) for (const size of TITLE_SIZES) if (widthOf(text, `600 ${size}px`) <= width) return {text, size};
  const wide = (text) => widthOf(text, SMALL_TITLE), cut = (text, room) => fit(text, room, SMALL_TITLE), size = 11.5;
  if (!name || !whole.startsWith(name)) return {text: cut(whole, width), size};
  if (!list) {
    const rest = whole.slice(name.length), open = name + rest.slice(0, 3) + '…';
    return {text: wide(open) <= width ? open : cut(name, Math.max(width / 2, width - wide(rest))) + rest, size};
  }
  const room = width - wide(` ${list.sign} ${list.more}`) - wide(name);
  if (room >= wide('MMM')) return {text: `${name} ${list.sign} ${cut(list.first, room)}${list.more}`, size};
  return {text: `${cut(name, width - wide(` ${list.sign} …`))} ${list.sign} …`, size};
}
// The words of an edge in a width: of a long set its first level, and where the other side is named, "others".
function fitEdge(tree, node, width) {
  const up = tree.parent[node], found = condition(tree, up, tree.rank[node], 4, 3, briefCut), words = edgeWords(found);
  const list = setInShort(found, tree.column[up] >= 0 ? field(tree.column[up]).levels : null);
  if (!list || widthOf(words, '12px') <= width) return fit(words, width);
  if (list.sign === '≠') return tree.children[up] === 2 ? 'others' : fit(words, width);
  return fit(list.first, width - widthOf(list.more, '12px')) + list.more;
}

// How one node is told to people who cannot see it.
function nodeLabel(tree, node) {
  const rows = tree.hasStatistics ? `, ${counted(tree.n_rows[node], 'row')}` : '';
  const test = tree.isLeaf(node) ? 'leaf' : isOpen(tree, node) ? `splits on ${testTitle(tree, node)}` : `folded, ${leavesText(leavesBelow(tree, node))} below`;
  return `Node ${node}, ${test}, predicts ${toldAnswer(tree, node, app.output)}${rows}`;
}

// A strip of class shares, or the place of the value between the lowest and the highest of the tree.
function strip(group, tree, node, {x, y, w, h}) {
  if (app.data.effect) return effectStrip(group, tree, node, {x, y, w, h});
  if (!tree.isClass) {
    const spread = tree.high[app.output] - tree.low[app.output];
    const share = spread > 0 ? (tree.answer(node, app.output) - tree.low[app.output]) / spread : 0.5;
    group.append(svg('rect', {x, y, width: w, height: h, rx: 2, class: 'track'}),
      svg('rect', {x, y, width: Math.max(3, w * share).toFixed(2), height: h, rx: 2, fill: tree.colour(node, app.output)}));
    return;
  }
  let at = x;
  tree.shares(node, app.output).forEach((share, i) => {
    if (share <= 0) return;
    group.append(svg('rect', {x: at.toFixed(2), y, width: (w * share).toFixed(2), height: h, fill: classColour(i)}));
    at += w * share;
  });
}

// Children's rows beside each other: what a test does when there are no rows to draw.
function divisionBar(group, tree, node, {x, y, w, h}) {
  const kids = Array.from(tree.kids(node));
  const weights = kids.map((kid) => (tree.hasStatistics ? tree.weights[kid] : tree.share[tree.childAt[node] + tree.rank[kid]] || 1));
  const total = weights.reduce((a, b) => a + b, 0) || 1;
  let at = x;
  kids.forEach((kid, i) => {
    const size = (w * weights[i]) / total;
    group.append(svg('rect', {x: at.toFixed(2), y, width: Math.max(size - 1, 0.5).toFixed(2), height: h, rx: 1, fill: tree.colour(kid, app.output), opacity: 0.85}));
    at += size;
  });
}

function nodeBox(tree, node, x, y) {
  const out = svg('g', {id: 'n' + node, class: 'node', transform: `translate(${x - BOX.w / 2},${y})`, role: 'treeitem',
    'aria-label': nodeLabel(tree, node), 'aria-level': tree.depth[node] + 1, 'data-node': node});
  const leaf = tree.isLeaf(node) || isClosed(tree, node);
  const h = boxHeight(tree, node);
  if (!tree.isLeaf(node) && !isClosed(tree, node)) out.setAttribute('aria-expanded', String(isOpen(tree, node)));
  out.setAttribute('aria-selected', String(node === app.selected));
  out.classList.toggle('selected', node === app.selected);
  out.classList.toggle('leaf', leaf);
  const colour = tree.colour(node, app.output);
  out.append(svg('rect', {class: 'box', width: BOX.w, height: h, rx: 7}),
    svg('rect', {class: 'mark', x: 0, y: 8, width: 4, height: h - 16, rx: 2, fill: colour}));
  const rows = tree.hasStatistics ? counted(tree.n_rows[node], 'row') : '';
  if (leaf) {
    const lines = [effectRange(tree, node), armsWords(tree, node) || rows].filter(Boolean), last = Math.max(lines.length - 1, 0);
    out.append(textAt(14, 20, 'title', 'start', fitAnswer(tree, node, BOX.w - 24, TITLE)), textAt(BOX.w - 10, 50 + 16 * last, 'small', 'end', '#' + node));
    strip(out, tree, node, {x: 14, y: 28, w: BOX.w - 26, h: 7});
    lines.forEach((text, i) => out.append(textAt(14, 50 + 16 * i, 'small', 'start', fit(text, BOX.w - (i < last ? 24 : 30 + widthOf('#' + node)), '11.5px'))));
  } else {
    const {text, size} = fitTest(tree, node, BOX.w - 22);
    out.append(svg('text', {x: 14, y: 18, class: 'title', style: `font-size:${size}px`}, text));
    const bins = binsOf(tree, node);
    const area = {x: 14, y: 27, w: BOX.w - 28, h: 34};
    if (bins && bins.n) { drawBars(out, tree, bins, area); markRow(out, tree, node, bins, area); }
    else if (bins) out.append(textAt(14, 48, 'small', 'start', 'no rows here'));
    else divisionBar(out, tree, node, {x: 14, y: 40, w: BOX.w - 28, h: 10});
    strip(out, tree, node, {x: 14, y: 68, w: BOX.w - 28, h: 4});
    const told = rows || '#' + node, short = widthOf(toldAnswer(tree, node, app.output)) > BOX.w - 30 - widthOf(told) ? told.replace(/ rows?$/, '') : told;
    out.append(textAt(14, 85, 'small', 'start', fitAnswer(tree, node, BOX.w - 30 - widthOf(short))), textAt(BOX.w - 10, 85, 'small', 'end', short));
    if (app.folded[node]) {
      out.append(svg('g', {class: 'badge', 'data-fold': node}, svg('rect', {x: BOX.w / 2 - 30, y: h - 2, width: 60, height: 18, rx: 9}),
        svg('text', {x: BOX.w / 2, y: h + 11, 'text-anchor': 'middle'}, '+' + grouped(leavesBelow(tree, node)))));
    }
  }
  out.append(svg('title', {}, nodeLabel(tree, node)));
  return out;
}

function linkLine(tree, node, from, to, named) {
  const start = from.y + boxHeight(tree, tree.parent[node]);
  const middle = (start + to.y) / 2;
  const path = `M${from.x.toFixed(1)},${start}C${from.x.toFixed(1)},${middle} ${to.x.toFixed(1)},${middle} ${to.x.toFixed(1)},${to.y}`;
  const out = svg('g', {class: 'link', 'data-to': node}, svg('path', {d: path, 'stroke-width': linkWidth(tree, node).toFixed(2)}));
  if (named) {
    // Beside the line, on the side away from the siblings.
    const left = tree.rank[node] === 0;
    const gap = linkWidth(tree, node) / 2 + 4;
    out.append(svg('text', {x: left ? to.x - gap : to.x + gap, y: to.y - 6, 'text-anchor': left ? 'end' : 'start', class: 'edge'}, fitEdge(tree, node, BOX.pitchX / 2 - 8)));
  }
  return out;
}

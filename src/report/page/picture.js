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
  const told = toldAnswer(tree, node, app.output), target = app.data.targets[app.output];
  // "Survived = 0: 97%" becomes "= 0: 97%": the legend has the column. Of "versicolor 97%" the class is cut.
  const name = carriesColumn(target) ? shownName(target.name) : answerBrief(tree.answer(node, app.output), app.output);
  const rest = told.slice(name.length);
  if (widthOf(told, font) <= width) return told;
  return carriesColumn(target) ? fit(rest.trim(), width, font) : fit(name, width - widthOf(rest, font), font) + rest;
}

// The test of a node in a width: a long name is cut, so that the threshold stays.
function fitTest(tree, node, width) {
  const text = testTitle(tree, node), name = tree.kind[node] === OBLIQUE ? '' : shownName(field(tree.column[node]).name);
  if (!name || !text.startsWith(name) || fit(text, width, TITLE) === text) return fit(text, width, TITLE);
  const rest = text.slice(name.length).replace(/^ is none of /, ' ≠ ');
  gauge.font = `${TITLE} system-ui, sans-serif`;
  const room = width - gauge.measureText(rest).width;
  return room < width / 3 ? fit(fit(name, width / 2, TITLE) + rest, width, TITLE) : fit(name, room, TITLE) + rest;
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
    out.append(textAt(14, 18, 'title', 'start', fitTest(tree, node, BOX.w - 22)));
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
    const words = fit(edgeWords(condition(tree, tree.parent[node], tree.rank[node], 4, 3, briefCut)), BOX.pitchX / 2 - 8);
    out.append(svg('text', {x: left ? to.x - gap : to.x + gap, y: to.y - 6, 'text-anchor': left ? 'end' : 'start', class: 'edge'}, words));
  }
  return out;
}

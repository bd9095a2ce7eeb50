// SPDX-License-Identifier: Apache-2.0
// The overview of a large tree: every shown node is a bar, as wide as its share of the rows, below its parent.

const icicle = {zoom: 1, left: 0, x: null, w: null, row: 1};

function measureIcicle() {
  const {ids, parents, height} = view.layout;
  const {width, height: room} = boxOf(view.box);
  const tree = app.tree;
  const n = ids.length;
  const size = new Float64Array(n), used = new Float64Array(n), below = new Float64Array(n);
  icicle.x = new Float64Array(n);
  icicle.w = new Float64Array(n);
  for (let i = 0; i < n; i++) size[i] = tree.hasStatistics ? tree.weights[ids[i]] : tree.leaves[ids[i]];
  for (let i = 1; i < n; i++) below[parents[i]] += size[i];
  icicle.left = Math.min(0, Math.max(icicle.left, width * (1 - icicle.zoom)));
  icicle.row = Math.min(34, Math.max(2, (room - 20) / (height + 1)));
  icicle.w[0] = width * icicle.zoom;
  icicle.x[0] = icicle.left;
  for (let i = 1; i < n; i++) {
    const up = parents[i];
    icicle.w[i] = below[up] > 0 ? (icicle.w[up] * size[i]) / below[up] : 0;
    icicle.x[i] = icicle.x[up] + used[up];
    used[up] += icicle.w[i];
  }
}

function drawIcicle() {
  measureIcicle();
  const {width, height} = boxOf(view.box);
  const dense = window.devicePixelRatio || 1;
  view.canvas.width = width * dense;
  view.canvas.height = height * dense;
  const pen = view.canvas.getContext('2d');
  pen.scale(dense, dense);
  const {ids, depth} = view.layout;
  const {x, w, row} = icicle;
  const lit = app.path && new Set(app.path.nodes);
  const style = getComputedStyle(view.box);
  pen.font = '11px system-ui, sans-serif';
  for (let i = 0; i < ids.length; i++) {
    if (w[i] < 0.2 || x[i] > width || x[i] + w[i] < 0) continue;
    const y = 8 + depth[i] * row;
    pen.globalAlpha = lit && !lit.has(ids[i]) ? 0.3 : 1;
    const fill = icicleColour(ids[i]);
    pen.fillStyle = fill;
    pen.fillRect(x[i], y, Math.max(w[i] - (w[i] > 3 ? 1 : 0), 0.3), Math.max(row - 1, 1));
    if (ids[i] === app.selected) {
      pen.strokeStyle = style.getPropertyValue('--ink');
      pen.lineWidth = 2;
      pen.strokeRect(x[i], y, Math.max(w[i], 3), row);
    }
    if (w[i] < 70 || row < 14) continue;
    const from = Math.max(x[i], 0), to = Math.min(x[i] + w[i], width);
    const leaf = app.tree.isLeaf(ids[i]) || isClosed(app.tree, ids[i]);
    pen.fillStyle = inkOn(fill);
    pen.fillText(leaf ? fitAnswer(app.tree, ids[i], to - from - 12) : fit(testTitle(app.tree, ids[i]), to - from - 12), from + 6, y + row / 2 + 3);
  }
}

// The colour of the answer, paler where the node is less pure.
function icicleColour(node) {
  const tree = app.tree, colour = tree.colour(node, app.output);
  if (!tree.isClass) return colour;
  const shares = tree.shares(node, app.output), even = 1 / shares.length;
  const purity = even < 1 ? Math.max(0, (shares[tree.answer(node, app.output)] - even) / (1 - even)) : 1;
  return mix('#ffffff', colour, 0.25 + 0.75 * purity);
}
function icicleNode(event) {
  const {left, top} = boxOf(view.box);
  const px = event.clientX - left, level = Math.floor((event.clientY - top - 8) / icicle.row);
  const {ids, depth} = view.layout;
  for (let i = 0; i < ids.length; i++) if (depth[i] === level && px >= icicle.x[i] && px <= icicle.x[i] + icicle.w[i]) return ids[i];
  return -1;
}

function zoomIcicle(factor, x) {
  const zoom = Math.min(1e5, icicle.zoom * factor);
  if (zoom < 0.7) { icicle.zoom = 1; return; }
  icicle.left = x - ((x - icicle.left) * zoom) / icicle.zoom;
  icicle.zoom = Math.max(1, zoom);
  queueDraw();
}
// A click chooses the bar and goes there.
function icicleClick(event) {
  const node = icicleNode(event);
  if (node < 0) return;
  select(node);
  reveal(node);
}

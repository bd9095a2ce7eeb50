// SPDX-License-Identifier: Apache-2.0
// The picture of the tree: what of it is in sight, moving and zooming. Near by nodes are boxes in SVG; where more
// than MOST of them would be in sight, an overview of all takes their place (icicle.js).

const MOST = 1500, NEAR = 0.42, LARGEST = 1.3;
const view = {scale: 1, x: 0, y: 0, layout: null, root: null, canvas: null, group: null, box: null, queued: false, paper: false};

function makeView() {
  view.group = svg('g');
  view.root = svg('svg', {id: 'tree', role: 'tree', tabindex: 0, 'aria-label': 'Decision tree. Arrow keys move, Enter folds, slash searches, question mark opens help.'}, view.group);
  view.canvas = el('canvas', {id: 'far', 'aria-hidden': 'true'});
  view.box = el('div', {id: 'tree-view'}, view.canvas, view.root);
  movable();
  new ResizeObserver(() => queueDraw()).observe(view.box);
  return view.box;
}

const placeOf = (i) => ({x: view.layout.x[i] * BOX.pitchX, y: view.layout.depth[i] * BOX.pitchY});
// Lays out anew; a node that stays stands still on the screen.
function arrange(still = app.selected) {
  const where = () => { const at = view.layout && view.layout.place.get(still); return at === undefined || !view.layout ? null : placeOf(at); };
  const was = where();
  view.layout = layOut(app.tree);
  const now = where();
  if (was && now) { view.x += (was.x - now.x) * view.scale; view.y += (was.y - now.y) * view.scale; }
  takeRoom();
  queueDraw();
}
// On a narrow screen, where the page is one column, the picture is no higher than the tree needs (page.css).
const takeRoom = () => view.box.style.setProperty('--need', `${Math.ceil(roomOf(view.layout).h * view.scale + 24)}px`);
function queueDraw() {
  if (view.queued || !view.layout) return;
  view.queued = true;
  requestAnimationFrame(() => { view.queued = false; drawView(); });
}

// Places in sight, with the children of those just above.
function inSight(margin) {
  const {width, height} = boxOf(view.box);
  const left = (-view.x - margin) / view.scale, right = (width - view.x + margin) / view.scale;
  const top = (-view.y - margin) / view.scale, bottom = (height - view.y + margin) / view.scale;
  const out = [];
  const {ids, x, depth} = view.layout;
  for (let i = 0; i < ids.length; i++) {
    const px = x[i] * BOX.pitchX, py = depth[i] * BOX.pitchY;
    if (px + BOX.w / 2 >= left && px - BOX.w / 2 <= right && py + BOX.pitchY >= top && py <= bottom) out.push(i);
  }
  return out;
}

// For paper: everything that is shown, fitted into whatever room there is.
function showAll() {
  if (!view.layout || view.layout.ids.length > MOST) return;
  const {w, h} = roomOf(view.layout);
  view.paper = true;
  view.root.setAttribute('viewBox', `${-BOX.w / 2 - 12} -10 ${w} ${h}`);
  view.box.style.setProperty('--shape', `${w} / ${h}`);
  drawView();
}
function showSome() {
  view.paper = false;
  view.root.removeAttribute('viewBox');
  queueDraw();
}

// Paper has its own room: the tree is unfolded as far as it can be read there, unless somebody has folded it.
const PAPER = {width: 690, height: 880};
function beginPaper() {
  view.screen = app.folded;
  if (!app.foldedByHand) { foldDeep(PAPER, 0.6, 0.6, app.path ? app.path.nodes : [0]); view.layout = layOut(app.tree); }
  showAll();
}
function endPaper() {
  if (!view.screen) return;
  app.folded = view.screen;
  view.layout = layOut(app.tree);
  showSome();
}

function drawView() {
  const all = view.paper, places = all ? Array.from(view.layout.ids.keys()) : inSight(40);
  const far = places.length > MOST || (view.scale < 0.12 && !all);
  view.root.classList.toggle('off', far);
  view.canvas.hidden = !far;
  view.root.dataset.drawn = far ? 'canvas' : 'svg';
  view.root.dataset.shown = view.layout.ids.length;
  view.far = far;
  clear(view.group);
  if (far) return drawIcicle();
  view.group.setAttribute('transform', all ? '' : `translate(${view.x},${view.y}) scale(${view.scale})`);
  view.root.classList.toggle('small-scale', view.scale < NEAR && !all);
  const {ids, parents} = view.layout;
  const links = [], boxes = [];
  const wanted = new Set(places);
  for (const i of places) {
    boxes.push(nodeBox(app.tree, ids[i], placeOf(i).x, placeOf(i).y));
    if (parents[i] >= 0) links.push(linkLine(app.tree, ids[i], placeOf(parents[i]), placeOf(i), all || view.scale >= NEAR));
  }
  // Lines out of sight at their lower end only.
  for (let i = 0; i < ids.length && ids.length <= 4 * MOST; i++) {
    if (parents[i] >= 0 && wanted.has(parents[i]) && !wanted.has(i)) links.push(linkLine(app.tree, ids[i], placeOf(parents[i]), placeOf(i), false));
  }
  view.group.append(...links, ...boxes);
  view.root.setAttribute('aria-activedescendant', wanted.has(view.layout.place.get(app.selected)) ? 'n' + app.selected : '');
  lightPath();
}

// The way of the traced row.
function lightPath() {
  const lit = app.path ? new Set(app.path.nodes) : null;
  view.root.classList.toggle('traced', Boolean(lit));
  for (const node of view.group.children) {
    node.classList.toggle('on', Boolean(lit) && lit.has(Number(node.dataset.node ?? node.dataset.to)));
  }
}

// ---------------------------------------------------------------- moving
function zoomAt(factor, x, y) {
  const {width, height} = boxOf(view.box);
  x = x ?? width / 2;
  y = y ?? height / 2;
  if (view.far) return zoomIcicle(factor, x);
  const scale = Math.min(2.5, Math.max(0.0005, view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  keepInSight();
  queueDraw();
}
// Room that a layout takes, and the scale at which it fits into the view.
const roomOf = (layout) => ({w: layout.width * BOX.pitchX + BOX.w + 24, h: layout.height * BOX.pitchY + BOX.inner + 48});
function fitScale(layout, {width, height} = boxOf(view.box)) {
  const {w, h} = roomOf(layout);
  return Math.min(LARGEST, width / w, height / h);
}
// All of what is shown, as large as that allows, but not smaller than `least`.
function fitView(least = 0) {
  Object.assign(icicle, {zoom: 1, left: 0});
  view.box.style.removeProperty('--need');
  const {w, h} = roomOf(view.layout);
  view.scale = Math.max(least, fitScale(view.layout));
  takeRoom();
  const {width, height} = boxOf(view.box);
  view.x = (width - view.layout.width * BOX.pitchX * view.scale) / 2;
  view.y = Math.max(22, Math.min(90, (height - h * view.scale) / 3));
  if (w * view.scale > width) {
    const root = view.layout.x[0] * BOX.pitchX;
    view.x = width / 2 - root * view.scale;
  }
  queueDraw();
}
// Brings a node into sight.
function reveal(node) {
  const at = view.layout.place.get(node);
  if (at === undefined) return;
  const {width, height} = boxOf(view.box);
  if (view.scale < NEAR || view.far) view.scale = 0.8;
  view.far = false;
  const {x, y} = placeOf(at);
  const sx = x * view.scale + view.x, sy = y * view.scale + view.y;
  const side = (BOX.w / 2) * view.scale + 20;
  const low = BOX.inner * view.scale + 30;
  if (sx < side || sx > width - side) view.x += width / 2 - sx;
  if (sy < 20 || sy > height - low) view.y += (sy < 20 ? height / 2.5 : 0.8 * height - low / 2) - sy;
  queueDraw();
}

// As much of the way of a row as fits and can be read, from its end.
function revealWay(nodes) {
  if (nodes.length > 60) return reveal(nodes[nodes.length - 1]);
  const {width, height} = boxOf(view.box);
  const places = nodes.map((node) => view.layout.place.get(node)).filter((at) => at !== undefined).map(placeOf);
  const [x0, x1] = [Math.min(...places.map((p) => p.x)), Math.max(...places.map((p) => p.x))];
  const [y0, y1] = [Math.min(...places.map((p) => p.y)), Math.max(...places.map((p) => p.y))];
  const scale = Math.min(view.scale, (width - 30) / (x1 - x0 + BOX.w), (height - 50) / (y1 - y0 + BOX.inner));
  if (scale < 0.6 || view.far) return nodes[1] && !view.far ? revealWay(nodes.slice(1)) : reveal(nodes[nodes.length - 1]);
  if (scale < view.scale) zoomAt(scale / view.scale);
  const side = (BOX.w / 2) * scale + 15;
  const push = (low, high, from, to) => (low < from ? from - low : high > to ? Math.max(to - high, from - low) : 0);
  view.x += push(x0 * scale + view.x, x1 * scale + view.x, side, width - side);
  view.y += push(y0 * scale + view.y, y1 * scale + view.y, 20, height - BOX.inner * scale - 25);
  queueDraw();
}

function moveView(dx, dy) {
  if (view.far) icicle.left += dx;
  view.x += dx;
  view.y += dy;
  keepInSight();
  queueDraw();
}
// Some of the tree stays in sight, wherever it is pushed.
function keepInSight() {
  const {width, height} = boxOf(view.box), {w, h} = roomOf(view.layout), edge = 80;
  const left = -(BOX.w / 2 + 12) * view.scale;
  view.x = Math.min(width - edge - left, Math.max(edge - left - w * view.scale, view.x));
  view.y = Math.min(height - edge, Math.max(edge - h * view.scale, view.y));
}

// The page scrolls as anywhere else: the wheel zooms with Ctrl only, a finger scrolls, two move and pinch the tree.
function movable() {
  const fingers = new Map();
  let moved = false, pinch = null;
  view.box.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const {left, top} = boxOf(view.box);
    zoomAt(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.006), event.clientX - left, event.clientY - top);
  }, {passive: false});
  const pinched = ({touches: [a, b]}) => ({x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)});
  view.box.addEventListener('touchmove', (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const now = pinched(event), {left, top} = boxOf(view.box);
    if (pinch) {
      moveView(now.x - pinch.x, now.y - pinch.y);
      if (pinch.size > 0) zoomAt(now.size / pinch.size, now.x - left, now.y - top);
    }
    pinch = now;
    moved = true;
  }, {passive: false});
  for (const name of ['touchstart', 'touchend', 'touchcancel']) view.box.addEventListener(name, (event) => { pinch = event.touches.length === 2 ? pinched(event) : null; }, {passive: true});
  view.box.addEventListener('pointermove', (event) => { if (view.far) { const node = icicleNode(event); view.box.title = node < 0 ? '' : nodeLabel(app.tree, node); } else if (view.box.title) view.box.title = ''; });
  view.box.addEventListener('pointerdown', (event) => {
    moved = false;
    if (event.pointerType === 'touch') return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  window.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    if (!moved && Math.hypot(event.clientX - last[0], event.clientY - last[1]) <= 3) return;
    moveView(event.clientX - last[0], event.clientY - last[1]);
    moved = true;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, (event) => fingers.delete(event.pointerId));
  view.box.addEventListener('click', (event) => {
    if (moved) return;
    const fold = event.target.closest('[data-fold]');
    if (fold) return toggleFold(Number(fold.dataset.fold));
    const hit = event.target.closest('[data-node]');
    if (hit) return select(Number(hit.dataset.node));
    if (view.far) icicleClick(event);
  });
  view.box.addEventListener('dblclick', (event) => {
    const hit = event.target.closest('[data-node]');
    if (hit) toggleFold(Number(hit.dataset.node));
  });
}

// SPDX-License-Identifier: Apache-2.0
// Working with the picture of the tree: choosing and folding nodes, searching, the keyboard.

const SMALL = 60, READABLE = 0.88, LEAST = 0.7;

// Folds what does not fit into a room at a size that can be read: the way of a traced row stays, and from the root on
// the node with the most rows is unfolded as long as there is room.
function foldDeep(room = boxOf(view.box), least = LEAST, readable = READABLE, way = [0]) {
  const tree = app.tree;
  app.folded = new Uint8Array(tree.n);
  app.foldedByHand = false;
  if (tree.n <= SMALL && fitScale(layOut(tree), room) >= least) return;
  const folded = [];
  for (let i = 0; i < tree.n; i++) app.folded[i] = i > 0 && !tree.isLeaf(i) ? 1 : 0;
  const add = (node) => folded.push(...tree.kids(node).filter((kid) => !tree.isLeaf(kid)));
  const size = (node) => (tree.hasStatistics ? tree.weights[node] : tree.leaves[node]);
  const kept = new Set(way);
  for (const node of kept) if (!tree.isLeaf(node)) { app.folded[node] = 0; add(node); }
  for (let i = folded.length - 1; i >= 0; i--) if (kept.has(folded[i])) folded.splice(i, 1);
  // Where the way alone needs smaller letters, the others may be as small, but not smaller.
  const alone = fitScale(layOut(tree), room), enough = alone >= least ? Math.min(readable, alone) : readable;
  while (folded.length) {
    let best = 0;
    for (let i = 1; i < folded.length; i++) if (size(folded[i]) > size(folded[best])) best = i;
    const [node] = folded.splice(best, 1);
    app.folded[node] = 0;
    if (fitScale(layOut(tree), room) >= enough) add(node); else app.folded[node] = 1;
  }
}

function select(node, quiet = false) {
  app.selected = node;
  emit('select');
  queueDraw();
  if (!quiet) say(nodeLabel(app.tree, node));
}
function toggleFold(node) {
  if (app.tree.isLeaf(node) || isClosed(app.tree, node)) return;
  app.folded[node] = app.folded[node] ? 0 : 1;
  app.foldedByHand = true;
  // One level at a time: what lies below comes folded unless it is little.
  if (!app.folded[node] && app.tree.end[node] - node > SMALL) {
    for (let i = node + 1; i < app.tree.end[node]; i++) if (!app.tree.isLeaf(i) && app.tree.depth[i] > app.tree.depth[node] + 1) app.folded[i] = 1;
  }
  arrange(node);
  select(node);
}
function unfoldTo(node) {
  for (let i = app.tree.parent[node]; i >= 0; i = app.tree.parent[i]) app.folded[i] = 0;
  arrange();
  reveal(node);
}
function foldAll(folded) {
  app.foldedByHand = true;
  if (folded) { for (let i = 0; i < app.tree.n; i++) app.folded[i] = !app.tree.isLeaf(i) && app.tree.depth[i] >= 1 ? 1 : 0; } else app.folded.fill(0);
  app.selected = folded ? 0 : app.selected;
  arrange();
  fitView();
  emit('select');
}

// ---------------------------------------------------------------- search
const search = {hits: [], at: -1, text: ''};
// Nodes whose test names the text (column or category), leaves that answer it, or the node of that number.
function findNodes(text) {
  const tree = app.tree;
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const number = /^#?\d+$/.test(wanted) ? Number(wanted.replace('#', '')) : -1;
  const has = (name) => name.toLowerCase().includes(wanted);
  const columns = app.data.features.map((feature) => has(feature.name));
  const levels = app.data.features.map((feature) => new Set((feature.levels || []).flatMap((name, i) => (has(name) ? [i] : []))));
  const classes = (shownTarget().levels || []).map(has);
  const tests = (i) => {
    const column = tree.column[i], kind = tree.kind[i];
    if (kind === OBLIQUE) return Array.from(tree.term_column.subarray(tree.termAt[i], tree.termAt[i + 1])).some((c) => columns[c]);
    if (columns[column]) return true;
    if (kind === EQUALITY || kind === ORDINAL) return levels[column].has(tree.threshold[i]);
    for (let at = tree.mapAt[i]; at < tree.mapAt[i + 1]; at++) if (levels[column].has(tree.map_level[at])) return true;
    return false;
  };
  const hits = [];
  for (let i = 0; i < tree.n;) {
    const end = tree.isLeaf(i) || isClosed(tree, i);
    if (i === number || (end ? tree.isClass && classes[tree.answer(i, app.output)] : tests(i))) hits.push(i);
    i = end ? tree.end[i] : i + 1;
  }
  return hits;
}
function runSearch(text, step = 1) {
  if (text !== search.text) Object.assign(search, {hits: findNodes(text), at: step > 0 ? -1 : 0, text});
  const count = byId('found');
  if (!search.hits.length) { count.textContent = text.trim() ? 'no match' : ''; return; }
  search.at = (search.at + step + search.hits.length) % search.hits.length;
  count.textContent = `${grouped(search.at + 1)} of ${grouped(search.hits.length)}`;
  const node = search.hits[search.at];
  app.selected = node;
  unfoldTo(node);
  select(node);
}

// ---------------------------------------------------------------- keys
function sideways(node, step) {
  const {ids, x, depth, place} = view.layout;
  const here = place.get(node);
  let best = -1;
  for (let i = 0; i < ids.length; i++) {
    if (depth[i] !== depth[here] || (x[i] - x[here]) * step <= 0) continue;
    if (best < 0 || Math.abs(x[i] - x[here]) < Math.abs(x[best] - x[here])) best = i;
  }
  return best < 0 ? node : ids[best];
}
function treeKey(event) {
  const tree = app.tree, node = view.layout.place.has(app.selected) ? app.selected : 0;
  const go = (to) => { select(to); reveal(to); };
  const act = {
    ArrowUp: () => go(Math.max(0, tree.parent[node])),
    ArrowDown: () => { if (isOpen(tree, node)) go(tree.kids(node)[0]); else toggleFold(node); },
    ArrowLeft: () => go(sideways(node, -1)),
    ArrowRight: () => go(sideways(node, 1)),
    Home: () => go(0),
    Enter: () => toggleFold(node),
    ' ': () => toggleFold(node),
    '+': () => zoomAt(1.25), '=': () => zoomAt(1.25), '-': () => zoomAt(0.8), '0': () => fitView(),
    e: () => foldAll(false), c: () => foldAll(true),
  }[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}
function pageKey(event) {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') { event.preventDefault(); byId('search').focus(); }
  if (event.key === '?') showHelp();
  if (event.key === 'Escape' && app.path) clearTrace();
}

function treeTools() {
  const button = (text, label, act) => el('button', {title: label, 'aria-label': label, onclick: act}, text);
  const field = el('input', {id: 'search', type: 'search', placeholder: 'Find column, class, #node', 'aria-label': 'Search the tree',
    oninput: (event) => { if (app.tree.n < 20000) runSearch(event.target.value); },
    onkeydown: (event) => {
      if (event.key === 'Enter') runSearch(event.target.value, event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') { event.target.value = ''; runSearch(''); view.root.focus(); }
    }});
  return el('div', {class: 'tools', role: 'toolbar', 'aria-label': 'Tree tools'}, field,
    el('span', {id: 'found', class: 'muted', role: 'status'}),
    span('gap'),
    button('−', 'Zoom out (-)', () => zoomAt(0.8)), button('+', 'Zoom in (+)', () => zoomAt(1.25)),
    button('Fit', 'Show all (0)', () => fitView()),
    button('Unfold', 'Unfold everything (e)', () => foldAll(false)), button('Fold', 'Fold to the first split (c)', () => foldAll(true)),
    button('Save SVG', 'Save the tree as it is shown as an SVG file', saveSvg));
}

// The tree as it is shown, as a document of its own: the page's style comes along, with its colours put in.
function svgText() {
  showAll();
  const copy = view.root.cloneNode(true), [, , w, h] = view.root.getAttribute('viewBox').split(' ');
  showSome();
  const seen = getComputedStyle(document.documentElement);
  const names = new Set(document.querySelector('style').textContent.match(/--[a-z]+/g));
  const fill = {xmlns: 'http://www.w3.org/2000/svg', width: w, height: h, style: `font-family:system-ui,sans-serif;${Array.from(names, (name) => `${name}:${seen.getPropertyValue(name)}`).join(';')}`};
  for (const [name, value] of Object.entries(fill)) copy.setAttribute(name, value);
  copy.prepend(svg('style', {}, Array.from(document.styleSheets[0].cssRules, (rule) => rule.cssText).filter((text) => /^\.(node|link|track|badge|axis|cut|tick|row-mark|sense|traced)/.test(text)).join('\n')));
  return new XMLSerializer().serializeToString(copy);
}
function saveSvg() {
  if (view.layout.ids.length > MOST) { say('Fold some of the tree first: it has too many nodes for one picture.'); return; }
  const link = el('a', {href: URL.createObjectURL(new Blob([svgText()], {type: 'image/svg+xml'})), download: 'tree.svg'});
  link.click();
  URL.revokeObjectURL(link.href);
}

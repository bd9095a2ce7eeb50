// SPDX-License-Identifier: Apache-2.0
// Puts the page together: reads the data, makes the panels, chooses tree and output, light and dark.

const SECTIONS = [['tree-panel', 'Tree'], ['forest', 'Forest'], ['quality', 'Quality'], ['importance', 'Features'], ['sizes', 'Other trees'], ['rules', 'Rules'], ['data-panel', 'Data'], ['model', 'Model']];
const loaded = [];

async function treeAt(index) {
  if (!loaded[index]) loaded[index] = unpack(app.data.trees[index]).then((columns) => new Tree(app.data.trees[index], columns));
  return loaded[index];
}
const allTrees = () => Promise.all(app.data.trees.map((_, i) => treeAt(i)));

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
  if (byId('quality') && app.tree) contained('quality', drawQuality)();
  queueDraw();
}

function showHelp() {
  const dialog = byId('help');
  const keys = [['Arrows', 'move between nodes'], ['Enter, Space', 'fold or unfold a node'], ['+  −  0', 'zoom in, zoom out, show all'], ['/', 'search; Enter goes to the next match, Shift+Enter back'],
    ['e, c', 'unfold everything, fold everything'], ['Home', 'to the root'], ['Esc', 'clear the traced row'], ['?', 'this help']];
  clear(dialog).append(el('h2', {id: 'help-title'}, 'How to use this page'),
    el('p', {}, 'Drag to move the tree (with two fingers on a touch screen), zoom with Ctrl + wheel or a pinch, click a node to read about it, double-click to fold it. With the tree in focus:'),
    el('table', {class: 'list tight'}, el('tbody', {}, keys.map(([key, act]) => tr(el('th', {scope: 'row'}, el('kbd', {}, key)), el('td', {}, act))))),
    note('A box shows the test of a node and the distribution of its rows along the tested column. The dashed line is the threshold; rows that pass the test go left; the triangle is the traced row. The strip is the mix of classes (or the value); the wider a line, the more rows take it.'),
    el('form', {method: 'dialog'}, el('button', {autofocus: true}, 'Close')));
  if (!dialog.open) dialog.showModal();
}

function chooser(label, id, names, choose) {
  if (names.length < 2) return null;
  return el('label', {class: 'chooser'}, label, ' ', el('select', {id, onchange: (event) => choose(Number(event.target.value))},
    names.map((name, i) => el('option', {value: i}, clip(name, 40)))));
}

function heading() {
  const {data} = app;
  byId('heading').append(el('h1', {}, data.title), note(el('span', {id: 'score'})));
  byId('sections').append(...SECTIONS.filter(([id]) => (id !== 'forest' || data.forest) && (id !== 'sizes' || hasSizes())).map(([id, name]) => el('a', {href: '#' + id, onclick: (event) => { event.preventDefault(); byId(id).scrollIntoView(); }}, name)));
  byId('buttons').append(
    el('button', {id: 'theme', onclick: () => setTheme(isDark() ? 'light' : 'dark')}, 'Dark'),
    el('button', {onclick: () => window.print()}, 'Print'), el('button', {'aria-label': 'Help (?)', onclick: showHelp}, '?'));
  setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => setTheme(event.matches ? 'dark' : 'light'));
}

// The tree as it is shown: its kind, its size, and how good it is on the evaluation rows.
function headline() {
  const {data, tree} = app, quality = data.quality && data.quality[app.output];
  const cut = !isForest() && (app.step > 0 || app.level !== Infinity);
  const losses = cut && quality && tree.losses('held');
  let score = '';
  if (losses) {
    const held = errorAt(tree, losses);
    score = data.measure === 'class_error' ? `accuracy ${shownShare(1 - held)}` : `${MEASURES[data.measure].title} ${errorText(held)}`;
  } else if (quality && !cut) {
    score = quality.scores.accuracy !== undefined ? `accuracy ${shownShare(quality.scores.accuracy)}` : quality.scores.r2 !== undefined ? `R² ${quality.scores.r2.toFixed(3)}` : '';
  }
  const rowsOf = ({rows}) => (isTraining() ? givenRows() : `${grouped(rows)} ${givenRows()}`);
  const kind = data.effect ? 'causal' : data.task, leaves = leavesBelow(tree, 0);
  const size = isForest() ? counted(data.trees.length, 'tree')
    : `${leavesText(leaves)}${cut ? ` (pruned from ${grouped(tree.leaves[0])})` : `, depth ${data.trees[0].depth}`}`;
  byId('score').textContent = [`${kind} ${isForest() ? 'forest' : 'tree'}`, size, score && `${score}${ofOutput()} on the ${rowsOf(quality)}`].filter(Boolean).join(' · ');
}

function panels() {
  const section = (id, label, ...children) => el('section', {id, class: 'card', 'aria-label': label}, children);
  const names = app.data.targets.map((target) => shownName(target.name));
  const choosers = [
    chooser('Tree', 'tree-choice', app.data.trees.map((tree, i) => `${i + 1} (${leavesText(tree.leaves)})`), async (i) => { app.index = i; await showTree(); }),
    chooser('Output', 'output-choice', names, (i) => { app.output = i; emit('output'); redraw(); }),
  ].filter(Boolean);
  clear(byId('main')).append(
    el('div', {id: 'tree-panel'},
      section('tree-card', 'Tree', choosers.length > 0 && div('tools', choosers), treeTools(), makeView(), el('div', {id: 'classes'})),
      el('aside', {id: 'side'}, section('pruning', 'Size of the tree'), section('tracer', 'Trace a row'), section('node', 'The chosen node'))),
    ...(app.data.forest ? [section('forest', 'The forest')] : []), section('quality', 'Quality'), section('importance', 'Feature importance'), ...(hasSizes() ? [section('sizes', 'Other trees')] : []), section('rules', 'Rules'), section('data-panel', 'Data dictionary'), section('model', 'Model'),
    el('footer', {class: 'muted'}, `Written by bough ${app.data.version}. This page is complete in itself and works offline.`));
  view.root.addEventListener('keydown', treeKey);
  document.addEventListener('keydown', pageKey);
}

// Classes beyond the colours that everybody tells apart go by the labels of their boxes.
function drawClasses() {
  const target = shownTarget();
  const box = clear(byId('classes'));
  if (target.levels) box.append(legend(target.levels.slice(0, 24).map((_, i) => [classColour(i), clip(classWords(target, i), 30)])));
  else if (app.data.effect) {
    const {treatment, treated, control, coverage} = app.data.effect, most = farthestEffect(app.tree);
    box.append(div('ramp', el('span', {}, brief(-most)), el('span', {class: 'ramp-bar', style: `background:linear-gradient(90deg,${EFFECT_BELOW},#fff,${EFFECT_ABOVE})`}),
      el('span', {}, brief(most)), span('muted', `effect of ${shownName(treatment)} (${shownName(treated)} against ${shownName(control)}) on ${shownName(target.name)}`
        + (app.tree.effect_half ? `, with ${shownShare(coverage)} intervals` : ''))));
  } else {
    box.append(div('ramp', el('span', {}, brief(app.tree.low[app.output])), el('span', {class: 'ramp-bar', style: `background:linear-gradient(90deg,${SCALE.join(',')})`}),
      el('span', {}, brief(app.tree.high[app.output])), span('muted', shownName(target.name))));
  }
}

function redraw() {
  const all = {score: headline, classes: drawClasses, pruning: drawPruning, tracer: drawTracer, rules: drawRules, forest: () => drawForest(), sizes: drawSizes, quality: drawQuality,
    importance: drawImportance, 'data-panel': drawDictionary, model: drawFacts, node: drawNodePanel};
  for (const [id, draw] of Object.entries(all)) if (byId(id)) contained(id, draw)();
  queueDraw();
}

// What the address says after '#': "row=3&node=5&leaves=4&tree=2&output=1". Links to sections stay what they are.
// The first picture writes its own place there, so it is read before.
const openedAt = new Map(new URLSearchParams(location.hash.slice(1))), openedSection = location.hash.slice(1);
function keepPlace() {
  const place = new URLSearchParams();
  const put = (name, value, usual) => { if (value !== usual) place.set(name, value); };
  put('tree', app.index + 1, 1);
  put('output', app.output + 1, 1);
  put('leaves', app.step ? leavesBelow(app.tree, 0) : 0, 0);
  put('levels', app.level, Infinity);
  put('row', tracer.cells && tracer.row >= 0 ? traceRows().number(tracer.row) : 0, 0);
  put('node', app.selected, 0);
  try { history.replaceState(null, '', '#' + place); } catch { /* a frame of a notebook has no address */ }
}
function openPlace() {
  const at = (name) => Number(openedAt.get(name)) || 0;
  const slide = (id, value) => { const input = byId(id); if (input && value >= 0) { input.value = value; input.dispatchEvent(new Event('input')); } };
  if (at('leaves')) slide('prune', pruneIndex(at('leaves')));
  if (openedAt.has('levels')) slide('grow', at('levels'));
  if (at('row') && traceRows()) pickRow(traceRows().rowOf(at('row')));
  if (at('node') && at('node') < app.tree.n) { unfoldTo(at('node')); select(at('node'), true); }
  if (/^[a-z-]+$/.test(openedSection) && byId(openedSection)) byId(openedSection).scrollIntoView();
}

async function showTree() {
  app.tree = await treeAt(app.index);
  Object.assign(app, {selected: 0, step: 0, level: Infinity, path: null});
  emit('tree');
  contained('classes', drawClasses)();  // the legend takes room from the tree
  view.box.style.removeProperty('--need');
  foldDeep();
  arrange();
  fitView();
  redraw();
}

async function start() {
  app.data = JSON.parse(byId('data').textContent);
  byId('data').remove();
  heading();
  if (app.data.rows) app.rows = new Rows(app.data.rows, await unpack(app.data.rows), 'held_out');
  if (app.data.training) app.training = new Rows(app.data.training, await unpack(app.data.training), 'training');
  if (app.data.forest && app.data.forest.representative !== undefined) app.index = app.data.forest.representative;
  const asked = Number(openedAt.get('tree')) - 1;
  if (app.data.trees[asked]) app.index = asked;
  if (app.data.targets[Number(openedAt.get('output')) - 1]) app.output = Number(openedAt.get('output')) - 1;
  await treeAt(app.index);
  panels();
  if (byId('tree-choice')) byId('tree-choice').value = app.index;
  if (byId('output-choice')) byId('output-choice').value = app.output;
  on('select', contained('node', drawNodePanel));
  window.addEventListener('beforeprint', beginPaper);
  window.addEventListener('afterprint', endPaper);
  on('shape', contained('rules', drawRules));
  on('shape', contained('score', headline));
  on('shape', () => { if (tracer.cells) traceRow(); });
  on('select', keepPlace);
  on('shape', keepPlace);
  await showTree();
  openPlace();
  // For the console, and for tests.
  window.bough = {app, 'svgText': svgText, 'tidy': tidy, 'layOut': layOut, 'explainRow': explainRow, 'nearestFlip': nearestFlip, 'flipRefused': flipRefused,
    'pruningPath': pruningPath, 'nearestSingle': nearestSingle, 'entangled': entangled, 'shownErrors': shownErrors, 'combined': combined, 'finalAnswer': finalAnswer, 'allTrees': allTrees, 'ruleWords': ruleWords, 'shownLeaves': shownLeaves, 'classColour': classColour, 'shownCut': shownCut};
  document.documentElement.dataset.ready = 'yes';
}
start().catch((error) => {
  document.documentElement.dataset.ready = 'failed';
  const old = typeof DecompressionStream === 'undefined' ? ' This browser is too old: it cannot unpack data.' : '';
  clear(byId('main')).append(el('p', {class: 'card', role: 'alert'}, `The report cannot be shown: ${error.message}.${old}`));
  throw error;
});

// SPDX-License-Identifier: Apache-2.0
// Puts the page together: reads the data, makes the panels, chooses tree and output, light and dark.

const SECTIONS = [['tree-panel', 'Tree'], ['forest', 'Forest'], ['quality', 'Quality'], ['importance', 'Columns'], ['rules', 'Rules'], ['data-panel', 'Data'], ['model', 'Model']];
const loaded = [];

async function treeAt(index) {
  if (!loaded[index]) loaded[index] = unpack(app.data.trees[index]).then((columns) => new Tree(app.data.trees[index], columns));
  return loaded[index];
}
const allTrees = () => Promise.all(app.data.trees.map((_, i) => treeAt(i)));

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
  queueDraw();
}

function showHelp() {
  const dialog = byId('help');
  const keys = [['Arrows', 'move between nodes'], ['Enter, Space', 'fold or unfold a node'], ['+  −  0', 'zoom in, zoom out, show all'], ['/', 'search; Enter goes to the next hit, Shift+Enter back'],
    ['e, c', 'unfold everything, fold everything'], ['Home', 'to the root'], ['Esc', 'forget the traced row'], ['?', 'this help']];
  clear(dialog).append(el('h2', {id: 'help-title'}, 'How to use this page'),
    el('p', {}, 'Drag to move the tree, turn the wheel to zoom, click a node to read about it, double-click to fold it. With the tree in focus:'),
    el('table', {class: 'list tight'}, el('tbody', {}, keys.map(([key, act]) => el('tr', {}, el('th', {scope: 'row'}, el('kbd', {}, key)), el('td', {}, act))))),
    note('A box shows the test of a node and how its rows lie along the tested column; the dashed line is the threshold, rows where the test holds go left. The strip is the mix of classes (or the value), the width of a line the share of the rows.'),
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
  const size = data.trees.length > 1 ? counted(data.trees.length, 'tree') : `${leavesText(data.trees[0].leaves)}, depth ${data.trees[0].depth}`;
  byId('heading').append(el('h1', {}, data.title), note(`${data.task} tree${data.trees.length > 1 ? 's' : ''} · ${size}`, el('span', {id: 'score'})));
  byId('sections').append(...SECTIONS.filter(([id]) => id !== 'forest' || data.forest).map(([id, name]) => el('a', {href: '#' + id}, name)));
  byId('buttons').append(
    el('button', {id: 'theme', onclick: () => setTheme(isDark() ? 'light' : 'dark')}, 'Dark'),
    el('button', {onclick: () => window.print()}, 'Print'), el('button', {'aria-label': 'Help (?)', onclick: showHelp}, '?'));
  setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => setTheme(event.matches ? 'dark' : 'light'));
}

function headline() {
  const quality = app.data.quality && app.data.quality[app.output];
  const best = quality && (quality.scores.accuracy !== undefined ? ['accuracy', shownShare(quality.scores.accuracy)] : quality.scores.r2 !== undefined ? ['R²', quality.scores.r2.toFixed(3)] : null);
  byId('score').textContent = best ? ` · ${best[0]} ${best[1]} on the ${givenRows()}` : '';
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
      section('tree-card', 'Tree', choosers.length > 0 && el('div', {class: 'tools'}, choosers), treeTools(), makeView(), el('div', {id: 'classes'})),
      el('aside', {id: 'side'}, section('pruning', 'Size of the tree'), section('tracer', 'Trace a row'), section('node', 'The chosen node'))),
    ...(app.data.forest ? [section('forest', 'The forest')] : []), section('quality', 'Quality'), section('importance', 'Columns that matter'), section('rules', 'Rules'), section('data-panel', 'Data dictionary'), section('model', 'Model'),
    el('footer', {class: 'muted'}, `Written by bough ${app.data.version}. This page is complete in itself and works offline.`));
  view.root.addEventListener('keydown', treeKey);
  document.addEventListener('keydown', pageKey);
}

function drawClasses() {
  const target = app.data.targets[app.output];
  const box = clear(byId('classes'));
  if (target.levels) box.append(legend(target.levels.slice(0, 24).map((name, i) => [classColour(i), clip(shownName(name), 30)])));
  else {
    box.append(el('div', {class: 'ramp'}, el('span', {}, brief(app.tree.low[app.output])), el('span', {class: 'ramp-bar', style: `background:linear-gradient(90deg,${SCALE.join(',')})`}),
      el('span', {}, brief(app.tree.high[app.output])), el('span', {class: 'muted'}, shownName(target.name))));
  }
}

function redraw() {
  headline();
  drawClasses();
  drawPruning();
  drawTracer();
  drawRules();
  if (app.data.forest) drawForest();
  drawQuality();
  drawImportance();
  drawFacts();
  drawNodePanel();
  queueDraw();
}

async function showTree() {
  app.tree = await treeAt(app.index);
  Object.assign(app, {selected: 0, step: 0, level: Infinity, path: null});
  emit('tree');
  foldDeep();
  arrange();
  redraw();
  fitView();
}

async function start() {
  app.data = JSON.parse(byId('data').textContent);
  byId('data').remove();
  heading();
  if (app.data.rows) app.rows = new Rows(app.data.rows, await unpack(app.data.rows), 'held_out');
  if (app.data.training) app.training = new Rows(app.data.training, await unpack(app.data.training), 'training');
  if (app.data.forest && app.data.forest.representative !== undefined) app.index = app.data.forest.representative;
  await treeAt(app.index);
  panels();
  if (byId('tree-choice')) byId('tree-choice').value = app.index;
  on('select', drawNodePanel);
  window.addEventListener('beforeprint', showAll);
  window.addEventListener('afterprint', showSome);
  on('shape', drawRules);
  on('shape', () => { if (tracer.cells) trace(); });
  await showTree();
  // For the console, and for tests.
  window.bough = {app, 'tidy': tidy, 'layOut': layOut, 'explainRow': explainRow, 'nearestFlip': nearestFlip, 'flipRefused': flipRefused,
    'pruningPath': pruningPath, 'nearestSingle': nearestSingle, 'entangled': entangled, 'shownErrors': shownErrors, 'combined': combined, 'finalAnswer': finalAnswer, 'allTrees': allTrees, 'ruleWords': ruleWords, 'shownLeaves': shownLeaves, 'classColour': classColour};
  document.documentElement.dataset.ready = 'yes';
}
start().catch((error) => {
  document.documentElement.dataset.ready = 'failed';
  const old = typeof DecompressionStream === 'undefined' ? ' This browser is too old: it cannot unpack data.' : '';
  clear(byId('main')).append(el('p', {class: 'card', role: 'alert'}, `The report cannot be shown: ${error.message}.${old}`));
  throw error;
});

// SPDX-License-Identifier: Apache-2.0
// How good the answers are on the given rows: scores, confusion, ROC and calibration, or residuals.

const SCORES = {accuracy: 'Accuracy', balanced_accuracy: 'Balanced accuracy', auc: 'AUC', ks: 'KS statistic', log_loss: 'Log loss', brier: 'Brier score',
  rmse: 'RMSE', mae: 'Mean absolute error', r2: 'R²', deviance: 'Poisson deviance', pinball: 'Pinball loss'};

// Scores that say something about trees of some criteria only.
const ONLY = {deviance: ['poisson'], pinball: ['quantile', 'absolute_error']};

function scoreTiles(quality) {
  return el('dl', {class: 'tiles'}, Object.keys(SCORES).filter((name) => name in quality.scores && quality.scores[name] !== null && (!ONLY[name] || ONLY[name].includes(app.data.criterion))).map((name) => {
    const show = /accuracy/.test(name) ? shownShare : brief;
    const range = quality.intervals[name];
    return el('div', {}, el('dt', {}, SCORES[name]), el('dd', {}, show(quality.scores[name]),
      range && el('small', {class: 'muted', title: `95% interval (${range[2]})`}, `${show(range[0])} – ${show(range[1])}`)));
  }));
}

const MOST_CLASSES = 40, MOST_CURVES = 6;

function confusionTable(quality) {
  const n = quality.confusion.length;
  if (!n) return note('Too many classes for a confusion matrix.');
  // Of very many classes those with the most rows.
  const total = (i) => quality.confusion[i].reduce((a, b) => a + b, 0);
  const order = quality.confusion.map((_, i) => i);
  const shown = n <= MOST_CLASSES ? order : order.slice().sort((a, b) => total(b) - total(a)).slice(0, MOST_CLASSES).sort((a, b) => a - b);
  const head = shown.map((i) => el('th', {scope: 'col', title: quality.classes[i]}, clip(shownName(quality.classes[i]), shown.length > 8 ? 22 : 12)));
  const body = shown.map((truth) => tr(el('th', {scope: 'row', title: quality.classes[truth]}, clip(shownName(quality.classes[truth]), 22)),
    shown.map((guess) => {
      const weight = quality.confusion[truth][guess];
      const share = total(truth) > 0 ? weight / total(truth) : 0;
      const colour = mix(isDark() ? '#1b212a' : '#ffffff', truth === guess ? '#0072b2' : '#d55e00', 0.75 * share);
      return el('td', {style: share > 0 && `background:${colour};color:${inkOn(colour)}`, class: truth === guess ? 'diagonal' : '', title: `${grouped(weight)} rows of ${quality.classes[truth]} predicted as ${quality.classes[guess]}: ${shownShare(share)} of that class`}, weight || shown.length <= 8 ? (Number.isInteger(weight) ? grouped(weight) : brief(weight)) : '');
    })));
  return el('div', {class: 'scroll matrix', tabindex: 0}, el('table', {class: shown.length > 8 ? 'confusion many' : 'confusion', 'aria-label': 'Confusion matrix'},
    el('thead', {}, tr(el('th', {class: 'muted'}, 'true \\ predicted'), head)), el('tbody', {}, body)),
  shown.length < n && note(`The ${shown.length} classes with the most rows of ${n}.`));
}

// What always guessing one class would reach: the accuracy to beat.
function commonest({confusion, classes}) {
  if (!confusion.length) return null;
  const sums = confusion.map((row) => row.reduce((a, b) => a + b, 0)), most = sums.indexOf(Math.max(...sums));
  return note(`The most frequent class, ${classWords({...shownTarget(), levels: classes}, most)}, makes up ${shownShare(sums[most] / sums.reduce((a, b) => a + b, 0))}: the accuracy of always guessing it.`);
}

function rocChart(curves, names) {
  const chart = frame({width: 330, height: 280, x: [0, 1], y: [0, 1], label: 'ROC curves', xLabel: 'false positive rate', yLabel: 'true positive rate', xFormat: shownShare, yFormat: shownShare});
  chart.plot.append(svg('line', {x1: chart.x(0), y1: chart.y(0), x2: chart.x(1), y2: chart.y(1), class: 'guide'}));
  for (const curve of curves) for (const [x, y] of curve.roc) chart.plot.append(svg('circle', {cx: chart.x(x).toFixed(1), cy: chart.y(y).toFixed(1), r: 6, class: 'sense'}, svg('title', {}, `${classWords({...shownTarget(), levels: names}, curve.class)}\ntrue positive rate ${shownShare(y)}\nfalse positive rate ${shownShare(x)}`)));
  for (const curve of curves) chart.plot.append(svg('path', {d: pathOf(curve.roc.map(([x, y]) => [chart.x(x), chart.y(y)])), class: 'curve', stroke: classColour(curve.class)}));
  return figure(el('h3', {}, 'ROC curve' + (curves.length > 1 ? 's' : '')), chart.root, legend(curves.map((curve) => [classColour(curve.class), `${clip(classWords({...shownTarget(), levels: names}, curve.class), 24)}, AUC ${curve.auc.toFixed(3)}`])));
}

function calibrationChart(curves, names) {
  const chart = frame({width: 330, height: 280, x: [0, 1], y: [0, 1], label: 'Calibration', xLabel: 'predicted probability', yLabel: 'observed share', xFormat: shownShare, yFormat: shownShare});
  chart.plot.append(svg('line', {x1: chart.x(0), y1: chart.y(0), x2: chart.x(1), y2: chart.y(1), class: 'guide'}));
  for (const curve of curves) {
    const colour = classColour(curve.class);
    const points = curve.calibration.map(([chance, share]) => [chart.x(chance), chart.y(share)]);
    chart.plot.append(svg('path', {d: pathOf(points), class: 'curve thin', stroke: colour}));
    curve.calibration.forEach(([chance, share, low, high, weight], i) => {
      chart.plot.append(svg('line', {x1: points[i][0], x2: points[i][0], y1: chart.y(low), y2: chart.y(high), stroke: colour, opacity: 0.6}),
        svg('circle', {cx: points[i][0], cy: points[i][1], r: 4, fill: colour}, svg('title', {}, `${shownName(names[curve.class])}: predicted ${shownShare(chance)}, observed ${shownShare(share)} of ${brief(weight)} rows`)));
    });
  }
  return figure(el('h3', {}, 'Calibration'), chart.root, el('figcaption', {class: 'muted'}, 'Rows grouped by tenths of the predicted probability; bars are 95% intervals.'));
}

// Predicted against true values, and how the differences are spread.
function residualCharts(rows, output) {
  const truth = rows.truth[output], answer = rows.answer[output];
  const step = Math.max(1, Math.floor(rows.n / 1500));
  let low = Infinity, high = -Infinity;
  const gaps = new Float64Array(rows.n);
  for (let i = 0; i < rows.n; i++) {
    low = Math.min(low, truth[i], answer[i]);
    high = Math.max(high, truth[i], answer[i]);
    gaps[i] = truth[i] - answer[i];
  }
  const scatter = frame({width: 330, height: 280, x: [low, high], y: [low, high], label: 'Predicted and true values', xLabel: 'predicted', yLabel: 'true', left: 58});
  scatter.plot.append(svg('line', {x1: scatter.x(low), y1: scatter.y(low), x2: scatter.x(high), y2: scatter.y(high), class: 'guide'}));
  for (let i = 0; i < rows.n; i += step) scatter.plot.append(svg('circle', {cx: scatter.x(answer[i]).toFixed(1), cy: scatter.y(truth[i]).toFixed(1), r: 2, class: 'dot'}, svg('title', {}, `row ${grouped(rows.number(i))}: predicted ${brief(answer[i])}, true ${brief(truth[i])}`)));
  const sorted = gaps.slice().sort();
  const reach = Math.max(Math.abs(sorted[Math.floor(0.005 * (rows.n - 1))]), Math.abs(sorted[Math.ceil(0.995 * (rows.n - 1))])) || 1;
  const counts = new Array(31).fill(0);
  for (const gap of gaps) counts[Math.min(30, Math.max(0, Math.floor(((gap + reach) / (2 * reach)) * 31)))]++;
  const chart = frame({width: 330, height: 280, x: [-reach, reach], y: [0, Math.max(...counts)], label: 'Residuals', xLabel: 'true − predicted', yLabel: 'rows', yFormat: grouped});
  const size = chart.inner.w / 31;
  counts.forEach((count, i) => chart.plot.append(svg('rect', {x: chart.left + i * size + 0.5, y: chart.y(count), width: size - 1, height: chart.y(0) - chart.y(count), fill: '#4a90c2'}, svg('title', {}, `${brief(-reach + (i * 2 * reach) / 31)} to ${brief(-reach + ((i + 1) * 2 * reach) / 31)}: ${counted(count, 'row')}`))));
  chart.plot.append(svg('line', {x1: chart.x(0), x2: chart.x(0), y1: chart.top, y2: chart.y(0), class: 'cut'}));
  return [figure(el('h3', {}, 'Predicted and true'), scatter.root, step > 1 && el('figcaption', {class: 'muted'}, `Showing 1 row in ${step}.`)),
    figure(el('h3', {}, 'Residuals'), chart.root, el('figcaption', {class: 'muted'}, 'End bars include all more extreme values.'))];
}

function drawQuality() {
  const box = clear(byId('quality'));
  const quality = app.data.quality && app.data.quality[app.output];
  box.append(el('h2', {}, `Quality${ofOutput()}${app.data.rows ? ` on the ${givenRows()}` : ''}${app.data.source ? ` (${shownName(app.data.source)})` : ''}`));
  if (!quality) {
    if (app.data.effect) {
      box.append(note('No row shows its own effect: it was either treated or not. So effects cannot be scored row by row; '
        + (app.tree.effect_half ? 'the interval in every leaf says how sure its effect is.' : 'fit an honest tree (honest=True) to get an interval for every leaf.')));
      return;
    }
    box.append(note(app.data.rows ? `The data have no column “${shownTarget().name}”, so nothing can be scored.`
      : 'No rows were given. Give the report labelled rows that training has not seen to score the model.'));
    return;
  }
  const trees = app.data.trees.length;
  if (isTraining()) box.append(el('p', {id: 'on-training', class: 'warning'}, 'These look like the training rows: they fall into the leaves exactly as those did. Expect lower scores on new rows.'));
  box.append(note(`${counted(quality.rows, 'row')}; ${trees > 1 ? `all ${trees} trees together` : 'the whole tree'}, not as pruned above. Small figures are 95% intervals.`), scoreTiles(quality));
  const figures = div('figures');
  if (app.data.task === 'classification') {
    figures.append(el('figure', {class: quality.classes.length > 8 ? 'whole' : ''}, el('h3', {}, 'Confusion matrix'), confusionTable(quality), commonest(quality)));
    if (quality.curves.length) {
      const roc = el('div'), calibration = el('div');
      // Of many classes those with the most rows, or one by choice.
      const rows = (curve) => (quality.confusion.length ? quality.confusion[curve.class].reduce((a, b) => a + b, 0) : 0);
      const first = quality.curves.slice().sort((a, b) => rows(b) - rows(a)).slice(0, MOST_CURVES).sort((a, b) => a.class - b.class);
      const show = (at) => {
        const shown = at < 0 ? first : [quality.curves[at]];
        clear(roc).append(rocChart(shown, quality.classes));
        clear(calibration).append(calibrationChart(shown, quality.classes));
      };
      if (quality.curves.length > MOST_CURVES) {
        box.append(el('label', {class: 'chooser'}, 'Curves of ', el('select', {id: 'curve-choice', onchange: (event) => show(Number(event.target.value))},
          el('option', {value: -1}, `the ${MOST_CURVES} classes with the most rows`), quality.curves.map((curve, i) => el('option', {value: i}, clip(shownName(quality.classes[curve.class]), 40))))));
      }
      show(-1);
      figures.append(roc, calibration);
    }
  } else if (app.rows.truth[app.output]) figures.append(...residualCharts(app.rows, app.output));
  box.append(figures);
}

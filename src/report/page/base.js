// SPDX-License-Identifier: Apache-2.0
// What every part of the page uses: elements made without markup, numbers and names as people read them, colours,
// and one small way of telling the parts that something has changed.

const {isNaN, isFinite} = Number;
const byId = (id) => document.getElementById(id);

// Text never becomes markup: children are nodes or plain text.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const span = (style, ...children) => el('span', {class: style}, children);
const figure = (...children) => el('figure', {}, children), tr = (...children) => el('tr', {}, children);
const bar = (style) => el('span', {class: 'bar', style});
const swatch = (colour) => el('span', {class: 'swatch', style: `background:${colour}`});
const div = (style, ...children) => el('div', {class: style}, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
const textAt = (x, y, style, anchor, text) => svg('text', {x, y, class: style, 'text-anchor': anchor}, text);
const note = (...children) => el('p', {class: 'muted'}, children);
const boxOf = (node) => node.getBoundingClientRect();
const isForest = () => app.data.trees.length > 1;
const clear = (node) => { node.replaceChildren(); return node; };

// What is chosen at the moment; `emit(name)` calls everybody who listens for it.
const app = {data: null, tree: null, index: 0, output: 0, rows: null, training: null, selected: 0, step: 0, level: 0, path: null};
const shownTarget = () => app.data.targets[app.output];
const listeners = {};
const on = (name, hear) => (listeners[name] = listeners[name] || []).push(hear);
const emit = (name) => (listeners[name] || []).forEach((hear) => hear());
// A panel that fails says so in its own place; the others go on.
const contained = (id, draw) => (...values) => {
  const failed = (error) => {
    console.error(error);
    if (byId(id)) clear(byId(id)).append(el('p', {class: 'warning', role: 'alert'}, `This part cannot be shown: ${error.message}.`));
  };
  try {
    const found = draw(...values);
    return found && found.catch ? found.catch(failed) : found;
  } catch (error) { return failed(error); }
};
const say = (text) => { byId('say').textContent = text; };

// ---------------------------------------------------------------- numbers, as the library prints them
const exponent = (text) => text.replace(/e([+-])(\d)$/, 'e$10$2');
function shortest(value) {
  if (isNaN(value)) return 'nan';
  if (!isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (value === Math.floor(value) && size < 1e15) return String(value === 0 ? 0 : value);
  return exponent(size < 1e-4 || size >= 1e16 ? value.toExponential() : String(value));
}
function significant(value, digits) {
  if (!isFinite(value)) return shortest(value);
  if (value === 0) return '0';
  // Ties go to the even digit, as the library prints them.
  const all = Math.abs(value).toExponential(99), end = digits + (digits > 1);
  if (/^\.?50*e/.test(all.slice(end)) && all[end - 1] % 2 === 0) value = Math.sign(value) * Number(all.slice(0, end) + all.slice(all.indexOf('e')));
  const [mantissa, power] = value.toExponential(digits - 1).split('e');
  const strip = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (power < -4 || power >= digits) return exponent(strip(mantissa) + 'e' + power);
  return strip(value.toFixed(Math.max(0, digits - 1 - power)));
}
function plainNumber(value, digits = 6) {
  const size = Math.abs(value);
  if (digits <= 0 || digits >= 17 || !isFinite(value)) return shortest(value);
  if (size >= 1 && size < 1e15) digits = Math.max(digits, Math.floor(Math.log10(size)) + 2);
  return significant(value, digits);
}
// For people: from 10,000 on with commas between thousands.
function shownNumber(value, digits = 6) {
  const text = plainNumber(value, digits);
  if (digits <= 0 || !(Math.abs(value) >= 1e4) || /[ei]/.test(text)) return text;
  const [whole, part] = text.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? '.' + part : '');
}
// The digits of a threshold at which it stands where it stands among the cells (cut_digits of the library).
const ALL_DIGITS = 17, CUT_BITS = 29, HALF_STEP = 25;
function cutDigits(cut, least = 6, endless = 8) {
  const size = Math.abs(cut);
  if (least <= 0 || !isFinite(cut) || cut === 0) return least;
  const off = (digits) => Math.abs(Number(plainNumber(cut, digits)) - cut);
  for (let digits = 1; digits <= 14; digits++)
    if (off(digits) <= size * (digits <= 8 ? 1e-13 : digits <= 12 ? 4e-15 : 0)) return Math.max(least, digits);
  let exponent = Math.floor(Math.log2(size)) + 1;
  while (2 ** exponent <= size) exponent++;
  while (2 ** (exponent - 1) > size) exponent--;
  const gap = 2 ** (exponent - HALF_STEP);
  if (Number.isInteger(size / 2 ** (exponent - CUT_BITS)))
    for (let digits = 1; digits < ALL_DIGITS; digits++) if (off(digits) < 0.99 * gap) return Math.max(least, digits);
  return Math.max(least, endless);
}
const shownCut = (cut, digits = 6) => shownNumber(cut, cutDigits(cut, digits));
// Where there is little room, those that do not end soon are rounded.
function briefCut(cut) {
  const digits = cutDigits(cut, 4, 4);
  return shownNumber(cut, digits <= 9 ? digits : 4);
}
function shownShare(share) {
  if (share > 0 && share < 0.001) return '<0.1%';
  if (share < 1 && share > 0.999) return '>99.9%';
  // Ties go to the even digit, as the library prints them.
  const tenths = 1000 * share, shown = tenths % 1 === 0.5 ? 2 * Math.round(tenths / 2) : tenths;
  return (shown / 10).toFixed(1).replace(/\.0$/, '') + '%';
}
const compact = new Intl.NumberFormat('en-US', {notation: 'compact', maximumSignificantDigits: 4});
// For labels: about four digits.
function brief(value) {
  const size = Math.abs(value);
  return size >= 1e7 ? compact.format(value) : size >= 1e4 ? grouped(value) : shownNumber(value, 4);
}
// The name of a measure within a sentence: capitals of abbreviations stay.
const inSentence = (name) => (/^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name);
const grouped = (count) => Math.round(count).toLocaleString('en-US');
const leavesText = (count) => counted(count, 'leaf').replace('leafs', 'leaves');
const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

// A name on one line: signs that steer or break text are escaped, odd names are put in quotes.
function shownName(name) {
  const quoted = name === '' || name.trim() !== name || /[,"]/.test(name);
  let out = '';
  for (const sign of name) {
    const point = sign.codePointAt(0);
    const steers = point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
      (point >= 0x2066 && point <= 0x2069);
    if (steers) out += {'\n': '\\n', '\r': '\\r', '\t': '\\t'}[sign] || '\\u' + point.toString(16).padStart(4, '0');
    else out += (quoted && (sign === '"' || sign === '\\') ? '\\' : '') + sign;
  }
  return quoted ? `"${out}"` : out;
}
// The ends of a long list, with what was left out said between them.
const shortened = (list, most, show) => (list.length <= 2 * most ? list.map(show)
  : [...list.slice(0, most).map(show), el('li', {class: 'muted'}, `… ${grouped(list.length - 2 * most)} more …`), ...list.slice(-most).map(show)]);
const clip = (text, most) => {
  const signs = Array.from(text);
  return signs.length <= most ? text : signs.slice(0, most - 1).join('') + '…';
};

// ---------------------------------------------------------------- colours
const mix = (a, b, share) => {
  const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const turn = (i) => Math.round(part(a, i) + (part(b, i) - part(a, i)) * share).toString(16).padStart(2, '0');
  return '#' + turn(0) + turn(1) + turn(2);
};
// As src/draw/palette.cpp has them: a class has one colour in all pictures.
const classColour = (index) => app.data.colours[index % app.data.colours.length];
const SCALE = ['#3b4f7d', '#4f6f9f', '#5f93b5', '#7fb3b0', '#b5c99a', '#e3c770', '#e69f00'];
function valueColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const low = Math.min(Math.floor(at), SCALE.length - 2);
  return mix(SCALE[low], SCALE[low + 1], at - low);
}
// Ink that can be read on a colour: at least 4.5 to 1 for any fill.
function inkOn(colour) {
  const part = (i) => { const v = parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16) / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2) > 0.179 ? '#000000' : '#ffffff';
}
const isDark = () => document.documentElement.dataset.theme === 'dark';

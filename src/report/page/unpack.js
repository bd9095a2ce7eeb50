// SPDX-License-Identifier: Apache-2.0
// Columns of numbers out of the page: base64, deflate, typed arrays (src/report/pack.hpp writes them).

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const TYPES = {i8: Int8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array};

// The columns of a blob by name. The element is taken out of the page, so that its text need not be kept.
async function unpack(spec) {
  const element = byId(spec.blob);
  const bytes = bytesOf(element.textContent);
  element.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const buffer = await new Response(stream).arrayBuffer();
  const columns = {};
  let at = 0;
  for (const [name, type, length] of spec.columns) {
    at = Math.ceil(at / 8) * 8;
    columns[name] = new TYPES[type](buffer, at, length);
    at += length * TYPES[type].BYTES_PER_ELEMENT;
  }
  return columns;
}

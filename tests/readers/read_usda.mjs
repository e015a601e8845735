// Reads animation.usda with tinyusdz and compares every point of every frame with the .pc2 beside it.
//   node read_usda.mjs RUN_FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

// The package is built for browsers: it is given what it looks for there.
globalThis.window = globalThis;
process.type = 'renderer';
const home = path.dirname(createRequire(import.meta.url).resolve('tinyusdz'));
const { default: start } = await import(path.join(home, 'tinyusdz.js'));
const usd = await start({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(fs.readFileSync(path.join(home, 'tinyusdz.wasm')), imports)
      .then(({ instance, module }) => done(instance, module));
    return {};
  },
});

const folder = process.argv[2];
const file = fs.readFileSync(path.join(folder, 'animation.usda'));

const layer = new usd.TinyUSDZLoaderNative();
assert(layer.loadAsLayerFromBinary(file, 'animation.usda'), layer.error());
const text = layer.layerToString(); // what the reader has understood, in its own words

for (const line of ['upAxis = "Y"', 'metersPerUnit = 1', 'startTimeCode = 0', 'defaultPrim = "animation"'])
  assert(text.includes(line), line);
const number = (key) => Number(text.match(new RegExp(`${key} = ([-+.0-9e]+)`))[1]);
assert.equal(number('framesPerSecond'), number('timeCodesPerSecond'));
const frames = number('endTimeCode') + 1;

function samples(prim, attribute) {
  const start = prim.indexOf(`${attribute}.timeSamples = {`);
  assert(start >= 0, `${attribute} has samples`);
  const lines = prim.slice(start, prim.indexOf('}', start)).split('\n').slice(1, 1 + frames);
  return lines.map((line) => line.slice(line.indexOf('[')).match(/[-+]?[0-9.]+(e[-+]?[0-9]+)?/g).map(Number));
}

const prims = text.split(/\n {4}def /).slice(1);
assert(prims.length >= 1);
for (const prim of prims) {
  const [, type, id] = prim.match(/^(\w+) "(\w+)"/);
  const points = samples(prim, 'points');
  const extents = samples(prim, 'extent');
  assert.equal(points.length, frames);
  assert(prim.includes('primvars:displayColor'));
  if (type === 'Mesh') assert.equal(samples(prim, 'normals')[frames - 1].length, points[0].length);
  const cache = fs.readFileSync(path.join(folder, 'pc2', `${id}.pc2`));
  const count = cache.readInt32LE(16);
  assert.equal(cache.readInt32LE(28), frames);
  const stride = type === 'BasisCurves' ? 3 : 1; // a wire has three vertices per point of its curve
  assert.equal(points[0].length / 3, count / stride);
  points.forEach((frame, k) => frame.forEach((value, i) => {
    const vertex = Math.floor(i / 3) * stride;
    const want = cache.readFloatLE(32 + 4 * (3 * (count * k + vertex) + (i % 3)));
    assert(Math.abs(value - want) <= 2e-6 * Math.max(1, Math.abs(want)), `${id} frame ${k}: ${value}, not ${want}`);
    assert(value >= extents[k][i % 3] - 1e-5 && value <= extents[k][3 + (i % 3)] + 1e-5, `${id}: outside its extent`);
  }));
}

const scene = new usd.TinyUSDZLoaderNative();
assert(scene.loadFromBinary(file, 'animation.usda'), scene.error());
assert.equal(scene.numMeshes(), prims.filter((prim) => prim.startsWith('Mesh')).length);
console.log(`usda: ${prims.length} prims, ${frames} frames agree with the point caches`);

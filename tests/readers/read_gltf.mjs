// Holds animation.glb against Khronos' validator: no errors, no warnings.
//   node read_gltf.mjs RUN_FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import validator from 'gltf-validator';

const file = path.join(process.argv[2], 'animation.glb');
const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
const { numErrors, numWarnings, messages } = report.issues;
assert.equal(numErrors + numWarnings, 0, JSON.stringify(messages, null, 1));
assert(report.info.animationCount === 1 && report.info.hasMorphTargets);
console.log(`gltf: valid, ${report.info.totalVertexCount} vertices, ${report.info.drawCallCount} bodies`);

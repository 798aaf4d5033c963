import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { nodeProgram } from './node-program.ts';

let folder: string;
/** Programs of a machine: a Node that is too old, and one that is not. */
let old: string;
let current: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-node-program-'));
  [old = '', current = ''] = ['old', 'current'].map((name) => join(folder, name));
  for (const home of [old, current]) mkdirSync(home);
  writeFileSync(join(old, 'node'), '#!/bin/sh\necho v22.1.0\n', { mode: 0o755 });
  symlinkSync(process.execPath, join(current, 'node'));
});
after(() => rmSync(folder, { recursive: true }));

it('API server and node run on the Node of the tests where it is new enough', () => {
  assert.equal(nodeProgram({ versions: { node: '24.1.0' }, from: folder, path: '' }), process.execPath);
});

for (const versions of [
  { node: '22.1.0' },
  { node: '24.1.0', bun: '1.4.5' },
  { node: '24.1.0', deno: '2.9.6' },
])
  it(`they run on another Node beside tests on ${JSON.stringify(versions)}`, () => {
    assert.equal(
      nodeProgram({ versions, from: folder, path: `${old}/none:${current}` }),
      join(current, 'node'),
    );
    for (const path of ['', `${old}:${current}`])
      assert.throws(() => nodeProgram({ versions, from: folder, path }), { code: 'needs-newer-node' });
    const project = join(folder, 'project', 'node_modules', 'node');
    mkdirSync(join(project, 'bin'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{"version":"24.2.0"}');
    writeFileSync(join(project, 'bin', 'node'), '');
    assert.equal(
      nodeProgram({ versions, from: join(folder, 'project', 'test'), path: old }),
      join(project, 'bin/node'),
    );
  });

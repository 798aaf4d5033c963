import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../limits.ts';
import { LowerLayers } from './lower-layers.ts';

test('a layer does not keep a thread by what it looks for in the layers below, however many there are', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-lower-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const roots = ['near', 'far'].map((name) => join(folder, name));
  for (const root of roots) mkdirSync(root);
  writeFileSync(join(folder, 'far/file'), 'x');
  using layers = new LowerLayers(roots);
  assert.equal(
    layers.find(['file'], ({ status }) => status.size),
    1,
  );
  const deep = ['none', ...Array.from({ length: limits.lowerStepsMax / 100 - 1 }, () => 'a')];
  for (let found = 0; found < 49; found++)
    assert.equal(
      layers.find(deep, () => true),
      undefined,
    );
  assert.throws(() => layers.find(deep, () => true), {
    code: 'INVALID_ARGUMENT',
    message: /needs more of the 2 layers below it than may be looked for/,
  });
});

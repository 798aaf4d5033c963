import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMaskedPaths } from './masked-paths.ts';

test('containers do not see how often each processor was slowed for its heat', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'wherry-cpus-'));
  for (const path of ['cpu0/thermal_throttle', 'cpu1', 'cpu12/thermal_throttle', 'cpuidle/thermal_throttle'])
    mkdirSync(join(folder.path, path), { recursive: true });
  const paths = readMaskedPaths(folder.path);
  assert.ok(paths.includes('/proc/kcore'));
  const throttles = paths.filter((path) => path.includes('thermal_throttle'));
  assert.deepEqual(
    throttles.sort(),
    ['cpu0', 'cpu12'].map((cpu) => join(folder.path, cpu, 'thermal_throttle')),
  );
  assert.deepEqual(
    readMaskedPaths(join(folder.path, 'none')),
    paths.filter((path) => !throttles.includes(path)),
  );
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

test('a kubelet tells its version as kubeadm reads it, and runs nothing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'kubelet', '--version']);
  assert.match(stdout, /^Kubernetes v\d+\.\d+\.\d+\n$/);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { needRoot } from '../../test/needs.ts';
import { currentBoot } from './boot.ts';

const program = `import { currentBoot } from '${import.meta.dirname}/boot.ts'; console.log(currentBoot());`;

function bootOfContainer(): string {
  const words = ['--pid', '--fork', '--mount-proc', process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8' });
  assert.ok(stdout, stderr);
  return stdout.trim();
}

test('a boot is the kernel’s, and in a container that of its first process', async () => {
  needRoot();
  const kernel = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  assert.ok(currentBoot().startsWith(kernel));
  const first = bootOfContainer();
  await delay(20);
  const second = bootOfContainer();
  for (const boot of [first, second]) assert.match(boot, new RegExp(`^${kernel}\\.\\d+$`));
  assert.notEqual(first, second);
});

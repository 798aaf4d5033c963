import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import { demandOfKernel } from './kernel-settings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-sysctl-'));
  set('vm/overcommit_memory', '1');
  set('vm/panic_on_oom', '0');
  set('kernel/panic', '10');
  set('kernel/panic_on_oops', '1');
  set('kernel/keys/root_maxkeys', '1000000');
  set('kernel/keys/root_maxbytes', '25000000');
});
afterEach(() => rmSync(folder, { recursive: true }));

function set(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}

test('a kernel that is set as a kubelet wants it is fine with protectKernelDefaults', () => {
  demandOfKernel(folder);
});

test('protectKernelDefaults names each setting of the kernel that differs or can not be read, and how to set it', () => {
  set('kernel/panic', '0');
  rmSync(join(folder, 'vm/overcommit_memory'));
  assert.throws(
    () => demandOfKernel(folder),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      const [first = '', second = '', remedy = '', ...more] = error.problems;
      assert.match(first, /^protectKernelDefaults: vm\.overcommit_memory can't be read: ENOENT/);
      assert.equal(second, 'protectKernelDefaults: kernel.panic is 0, must be 10');
      assert.match(remedy, /sysctl -w vm\.overcommit_memory=1 .*kernel\.keys\.root_maxbytes=25000000/);
      assert.deepEqual(more, []);
      return true;
    },
  );
});

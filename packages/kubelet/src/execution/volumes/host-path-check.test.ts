import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HostPathVolumeSource } from '@wherry/kubeapi';
import { checkHostPath } from './host-path-check.ts';

test('a hostPath that is something else than its type says is refused in upstream’s words', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-host-path-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [file, inside] = [join(folder, 'file'), join(folder, 'inside')];
  writeFileSync(file, '');
  mkdirSync(inside);
  const refusals: [string, HostPathVolumeSource['type'], string][] = [
    [file, 'Directory', 'a directory'],
    [file, 'DirectoryOrCreate', 'a directory'],
    [inside, 'File', 'a file'],
    [inside, 'FileOrCreate', 'a file'],
    [file, 'Socket', 'a socket file'],
    [inside, 'CharDevice', 'a character device'],
    [join(folder, 'none'), 'BlockDevice', 'a block device'],
  ];
  for (const [path, type, what] of refusals)
    await assert.rejects(checkHostPath({ path, type }), {
      message: `hostPath type check failed: ${path} is not ${what}`,
    });
});

test('a hostPath that is there stays as it is, and what is missing is made where its type says so', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-host-path-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'new/deep');
  await checkHostPath({ path, type: '' });
  assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
  for (const type of ['DirectoryOrCreate', 'DirectoryOrCreate', 'Directory'] as const)
    await checkHostPath({ path, type });
  for (const type of ['FileOrCreate', 'FileOrCreate', 'File'] as const)
    await checkHostPath({ path: join(path, 'file'), type });
  assert.ok(statSync(join(path, 'file')).isFile());
  await assert.rejects(checkHostPath({ path: join(folder, 'none/file'), type: 'FileOrCreate' }), /ENOENT/);
});

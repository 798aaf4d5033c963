import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const entry = join(import.meta.dirname, '../bin/wherry.cjs');

test('a node is not begun in a chroot, where what is executed in a pod would be outside of it', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-chroot-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = `
    mount -t tmpfs tmpfs "$1"
    for path in /*; do
      if [ -L "$path" ]; then cp -P "$path" "$1$path"; elif [ -d "$path" ]; then mkdir "$1$path" && mount --rbind "$path" "$1$path"; fi
    done
    exec chroot "$1" "$2" "$3" up --detach --data-dir "$1/node"`;
  const shell = ['sh', '-ec', script, 'sh', folder, process.execPath, entry];
  const { status, stderr } = spawnSync('unshare', ['--mount', ...shell], { encoding: 'utf8' });
  assert.match(
    stderr,
    /^error: this is a chroot, and what is executed in a pod would leave it for the machine/,
  );
  assert.equal(status, 1);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { needRoot } from '../../test/needs.ts';
import { createGroup, enterGroup, processesOf, removeGroup } from './group.ts';
import { detectCgroups, foldersAt } from './layout.ts';

test('a process that enters a group is in it in every tree', async () => {
  needRoot();
  const folders = foldersAt(detectCgroups(), `/wherry-enter-${process.pid}`);
  createGroup(folders);
  const child = spawn('sleep', ['60']);
  try {
    enterGroup(folders, child.pid ?? 0);
    for (const [controller, folder] of folders.controllers)
      assert.deepEqual(processesOf({ controllers: new Map([[controller, folder]]), unified: null }), [
        child.pid,
      ]);
    if (folders.unified !== null)
      assert.deepEqual(processesOf({ controllers: new Map(), unified: folders.unified }), [child.pid]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    removeGroup(folders);
  }
});

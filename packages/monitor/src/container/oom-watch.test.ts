import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { Poller } from '@wherry/linux';
import { killsAbove, OutOfMemoryWatch } from './oom-watch.ts';

test('on version 2 a kill for memory is told by the group above, also when it came and the scope went before anybody looked', async () => {
  const slice = mkdtempSync(join(tmpdir(), 'wherry-slice-'));
  const poller = new Poller();
  try {
    const folders = { controllers: new Map<string, string>(), unified: join(slice, 'c.scope') };
    const kills = (count: number) =>
      writeFileSync(join(slice, 'memory.events'), `max 9\noom_kill ${count}\n`);
    const endOf = async (before: number | undefined) =>
      new OutOfMemoryWatch(folders, { poller, killsAboveBefore: before }).end(systemClock);
    kills(3);
    const before = killsAbove(folders);
    assert.equal(before, 3);
    assert.equal(await endOf(before), false, 'another container of the pod was killed before');
    kills(4);
    assert.equal(await endOf(before), true);
    mkdirSync(folders.unified);
    const watch = new OutOfMemoryWatch(folders, { poller, killsAboveBefore: undefined });
    kills(5);
    assert.equal(await watch.end(systemClock), true, 'a record of before this was counted');
  } finally {
    poller.close();
    rmSync(slice, { recursive: true });
  }
});

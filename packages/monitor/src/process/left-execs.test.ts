import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { Poller } from '@wherry/linux';
import { ExecNames } from './exec-names.ts';
import { endLeftExecs } from './left-execs.ts';

it('leaves the files of the exec calls that run now alone, also those that the OCI runtime is just writing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-left-execs-'));
  const poller = new Poller();
  try {
    const names = new ExecNames();
    const own = names.next();
    const kept = [`.${own}.pid`, `${own}.log`];
    for (const name of [...kept, '1.2-3.log', '.1.2-3.log']) writeFileSync(join(folder, name), '');
    endLeftExecs({
      folder,
      tools: { poller, clock: systemClock },
      graceMs: 0,
      isOurs: (name) => names.isOwn(name),
    });
    assert.deepEqual(readdirSync(folder).sort(), kept);
  } finally {
    poller.close();
    rmSync(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { Poller } from '@wherry/linux';
import { ExecNames } from './exec-names.ts';
import { endLeftExecs } from './left-execs.ts';

/** What stays of these empty files, of which the `old` were written long ago. */
function left(names: ExecNames, { young, old }: Record<'young' | 'old', string[]>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-left-execs-'));
  const poller = new Poller();
  try {
    for (const name of [...young, ...old]) writeFileSync(join(folder, name), '');
    for (const name of old) utimesSync(join(folder, name), 1, 1);
    const isOurs = (name: string) => names.isOwn(name);
    endLeftExecs({ folder, tools: { poller, clock: systemClock }, graceMs: 0, isOurs });
    return readdirSync(folder).sort();
  } finally {
    poller.close();
    rmSync(folder, { recursive: true });
  }
}

it('leaves the files of the exec calls that run now alone, also those that the OCI runtime is just writing', () => {
  const names = new ExecNames();
  const own = names.next();
  const kept = [`.${own}.pid`, `${own}.log`];
  assert.deepEqual(left(names, { young: [...kept, '1.2-3.log', '.1.2-3.log'], old: [] }), kept);
});

it('removes files that have lost the id of their process, and keeps those that may get one yet', () => {
  const files = { old: ['1.2-1.pid', '1.2-2.pid', '1.2-9.log'], young: ['1.2-3.pid'] };
  assert.deepEqual(left(new ExecNames(), files), ['1.2-3.pid']);
});

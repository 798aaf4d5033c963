import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { temporaryFolder } from '../../test/bundle.ts';
import { limits } from '../limits.ts';
import { NotedRecord } from './noted-record.ts';
import { loadRecord, newRecord } from './record.ts';

const { path, remove } = temporaryFolder('noted');
after(remove);

/** A record whose folder is not there yet, so that it cannot be saved. */
function makeUnsaved(id: string) {
  const folder = join(path, id);
  const clock = new FakeClock();
  const lines: string[] = [];
  const logger = createLogger('monitor', { write: (line) => lines.push(line) });
  const request = { id, sandboxId: 's', bundle: '/', terminal: false, stdin: false, stdinOnce: false };
  const record = newRecord({ ...request, logPath: null, killLeftovers: false, start: true });
  const noted = new NotedRecord({ folder, record, clock, logger });
  let isDone = false;
  noted.noteAtLast(() => {
    isDone = true;
  });
  return { folder, clock, lines, noted, isDone: () => isDone };
}

test('what cannot be noted is tried again until it can be, and said once', () => {
  const { folder, clock, lines, isDone } = makeUnsaved('one');
  for (let second = 0; second < 3; second++) clock.advance(limits.recordRetryMs);
  assert.equal(isDone(), false);
  assert.equal(lines.length, 1);
  mkdirSync(folder);
  clock.advance(limits.recordRetryMs);
  assert.equal(isDone(), true);
  assert.equal(loadRecord(folder)?.request.id, 'one');
  assert.equal(clock.pendingTimers, 0);
});

test('what is not noted is done with when its container is removed, and left to the next monitor', () => {
  const removed = makeUnsaved('removed');
  removed.noted.forget();
  assert.equal(removed.isDone(), true);
  const left = makeUnsaved('left');
  left.noted.letGo();
  assert.equal(left.isDone(), false);
  for (const { clock } of [removed, left]) assert.equal(clock.pendingTimers, 0);
});

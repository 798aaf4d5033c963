import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { temporaryFolder } from '../../test/bundle.ts';
import { LogFile } from './log-file.ts';

const { path: folder, remove } = temporaryFolder('log-file');
after(remove);

test('a log that somebody has emptied meanwhile gets no zeros for what was on its way when the monitor was killed', async () => {
  const path = join(folder, 'emptied.log');
  writeFileSync(path, '2026-01-01T00:00:00Z stdout F before\n');
  const { ino: inode } = statSync(path, { bigint: true });
  truncateSync(path);
  const log = new LogFile(path, { clock: systemClock, onError: () => {} });
  assert.equal(log.settle({ inode, offset: 37 }, 60), false);
  const entries = Buffer.from('2026-01-01T00:00:00Z stdout F behind\n');
  await log.append({ entries, contentBytes: 7 }, () => {});
  await log.close();
  assert.equal(readFileSync(path, 'latin1'), entries.toString('latin1'));
});

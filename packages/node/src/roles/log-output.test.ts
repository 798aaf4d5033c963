import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mount, unmount } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { LogOutput } from './log-output.ts';

test('a log on a full disk ends nobody; where it goes on it says how many lines are missing, and why', () => {
  const disk = mkdtempSync(join(tmpdir(), 'wherry-log-'));
  mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=64k' });
  const path = join(disk, 'part.log');
  const descriptor = openSync(path, 'a');
  try {
    const output = new LogOutput('part', descriptor);
    const logger = createLogger('part', { write: (line) => output.write(line) });
    logger.info('before');
    const filler = join(disk, 'filler');
    assert.throws(() => writeFileSync(filler, Buffer.alloc(1 << 20)), { code: 'ENOSPC' });
    // The first fills what is left of the log's last block, and is torn.
    for (let line = 0; line < 3; line++) logger.info('x'.repeat(5_000));
    rmSync(filler);
    logger.info('after');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? '', / "before"$/);
    assert.match(lines[1] ?? '', / info part "x+$/);
    assert.match(
      lines[2] ?? '',
      / warn part "lines of this log could not be written" lines=3 error="ENOSPC: /,
    );
    assert.match(lines[3] ?? '', / "after"$/);
  } finally {
    closeSync(descriptor);
    unmount(disk, { detach: true });
    rmSync(disk, { recursive: true });
  }
});

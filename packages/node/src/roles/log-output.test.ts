import assert from 'node:assert/strict';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mount, unmount } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { LogOutput } from './log-output.ts';

test('a log on a full disk ends nobody; where it goes on it says how many lines are missing, and why', () => {
  const disk = mkdtempSync(join(tmpdir(), 'wherry-log-'));
  mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=64k' });
  const path = join(disk, 'part.log');
  const descriptor = openSync(path, 'a');
  try {
    const output = new LogOutput('part', { descriptor });
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

test('a log of the node’s own begins anew when it is large, and what it had is kept beside it once, no line lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-log-'));
  const path = join(folder, 'part.log');
  const descriptor = openSync(path, 'a', 0o600);
  try {
    const output = new LogOutput('part', { descriptor, path });
    const line = 'x'.repeat(1_000);
    const lines = Math.floor((limits.logBytesMax * 1.5) / (line.length + 10));
    for (let number = 0; number < lines; number++) output.write(`${String(number).padStart(9)} ${line}`);
    assert.ok(statSync(path).size < limits.logBytesMax);
    assert.ok(statSync(`${path}.1`).size <= limits.logBytesMax + 2 * limits.logLookBytes);
    assert.equal(statSync(`${path}.1`).mode & 0o777, 0o600);
    const kept = `${readFileSync(`${path}.1`, 'utf8')}${readFileSync(path, 'utf8')}`;
    const numbers = kept
      .trimEnd()
      .split('\n')
      .map((text) => Number(text.slice(0, 9)));
    assert.deepEqual(
      numbers,
      Array.from({ length: lines }, (_, index) => index),
    );
    for (let number = 0; number < lines; number++) output.write(line);
    assert.deepEqual(readdirSync(folder).sort(), ['part.log', 'part.log.1']);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

test('a file that is not the one that is named is left as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-log-'));
  const [path, other] = [join(folder, 'part.log'), join(folder, 'other')];
  writeFileSync(path, 'somebody’s');
  const descriptor = openSync(other, 'a');
  try {
    writeSync(descriptor, Buffer.alloc(limits.logBytesMax));
    const output = new LogOutput('part', { descriptor, path });
    output.write('a line');
    assert.ok(statSync(other).size > limits.logBytesMax);
    assert.deepEqual(readdirSync(folder).sort(), ['other', 'part.log']);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { UnpackPool } from './unpack-pool.ts';

test('work that comes while all threads end for having been idle is done by a new one', {
  timeout: 20_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-pool-'));
  const clock = new FakeClock();
  const pool = new UnpackPool(clock);
  t.after(async () => {
    await pool.close();
    assert.equal(clock.pendingTimers, 0);
    rmSync(folder, { recursive: true });
  });
  await Promise.all(Array.from({ length: limits.unpackThreadsMax }, () => pool.removeTree(folder, 'none')));
  mkdirSync(join(folder, 'tree'));
  clock.advance(limits.unpackThreadIdleMs);
  await pool.removeTree(folder, 'tree');
  assert.equal(existsSync(join(folder, 'tree')), false);
});

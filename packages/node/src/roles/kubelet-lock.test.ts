import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { tryLockFile } from '@wherry/linux';
import { silentLogger as logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { holdKubeletLock } from './kubelet-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-lock-'));
after(() => rmSync(folder, { recursive: true }));

test('a kubelet waits for the lock of another and holds it until it ends', async () => {
  const clock = new FakeClock();
  const lockFile = join(folder, 'waited-for');
  const other = tryLockFile(lockFile)!;
  const waiting = holdKubeletLock({ lockFile, logger, clock });
  assert.equal(clock.pendingTimers, 1);
  closeSync(other);
  clock.advance(limits.lockRetryMs);
  const lock = await waiting;
  assert.equal(tryLockFile(lockFile), undefined);
  assert.equal(lock.contended, undefined);
  lock[Symbol.dispose]();
  closeSync(tryLockFile(lockFile)!);
});

test('a kubelet that is to end when another comes for its lock is told so', async () => {
  const lockFile = join(folder, 'contended');
  using lock = await holdKubeletLock({ lockFile, exitOnLockContention: true, logger });
  closeSync(openSync(lockFile, 'r'));
  assert.equal(await lock.contended, `another process came for the lock ${lockFile}`);
});

test('a process whose lock another comes for ends, and the other has it', async () => {
  const lockFile = join(folder, 'fought-for');
  const load = (name: string) => JSON.stringify(import.meta.resolve(name));
  const script = `
    import { holdKubeletLock } from ${load('./kubelet-lock.ts')};
    import { runUntilSignal } from ${load('./run-role.ts')};
    import { silentLogger as logger } from '@wherry/telemetry';
    using lock = await holdKubeletLock({ lockFile: ${JSON.stringify(lockFile)}, exitOnLockContention: true, logger });
    console.log('held');
    await runUntilSignal(logger, () => lock[Symbol.dispose](), lock.contended);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...{ cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const ended = once(child, 'exit');
  await once(child.stdout!, 'data');
  assert.equal(tryLockFile(lockFile), undefined);
  assert.deepEqual(await ended, [0, null]);
  closeSync(tryLockFile(lockFile)!);
});

test('ending at who comes for a lock wants a lock', async () => {
  await assert.rejects(
    holdKubeletLock({ exitOnLockContention: true, logger }),
    /^NodeError: --exit-on-lock-contention: .* --lock-file$/,
  );
});

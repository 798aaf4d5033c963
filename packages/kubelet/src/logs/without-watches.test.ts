import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Follows a log while another line is written to it, in a process that has to do it all. */
const follower = (readLog: string, clock: string) => `
  import { appendFile } from 'node:fs/promises';
  import { watch } from 'node:fs';
  const { readContainerLog } = await import(${JSON.stringify(readLog)});
  const { systemClock } = await import(${JSON.stringify(clock)});
  const alive = setInterval(() => {}, 1000);
  let watches = 'watched';
  try { watch('.').close(); } catch { watches = 'no watch'; }
  let shown = '';
  const path = process.argv[1];
  setTimeout(() => appendFile(path, '2026-01-01T00:00:01.000000000Z stdout F two\\n'), 200);
  await readContainerLog(path, { follow: true, timestamps: false }, {
    clock: systemClock,
    isRunning: async () => !shown.includes('two'),
    write: async (bytes) => { shown += Buffer.from(bytes).toString(); },
    signal: AbortSignal.timeout(10_000),
  });
  clearInterval(alive);
  console.log(JSON.stringify({ watches, shown }));
`;

/** A user namespace has inotify limits of its own, so that the machine's are left alone. */
const script = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';

test('90: a log is followed by looking now and then where the kernel gives no more watches', async (context) => {
  const usable = await run('unshare', ['-Ur', 'sh', '-c', script, '-', 'true']).then(
    () => true,
    () => false,
  );
  if (!usable) return context.skip('no user namespaces on this machine');
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-watches-'));
  try {
    const path = join(folder, '0.log');
    await writeFile(path, '2026-01-01T00:00:00.000000000Z stdout F one\n');
    const program = follower(import.meta.resolve('./read-log.ts'), import.meta.resolve('@wherry/clock'));
    const node = [process.execPath, '--input-type=module', '--eval', program, path];
    const { stdout } = await run('unshare', ['-Ur', 'sh', '-c', script, '-', ...node]);
    assert.deepEqual(JSON.parse(stdout), { watches: 'no watch', shown: 'one\ntwo\n' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { closeDescriptor, openPipe, readNow } from '../descriptor/descriptor.ts';
import { Poller, pollEvents } from '../descriptor/poller.ts';
import {
  exitCodeOfDescriptor,
  exitCodeOfZombie,
  identifyProcess,
  isAlive,
  openPidDescriptor,
  reap,
  signalById,
  signalProcess,
} from './process.ts';
import { spawnProgram } from './spawn.ts';

const poller = new Poller();
after(() => poller.close());

const run = (script: string, output: number | 'ignore' = 'ignore') =>
  spawnProgram({
    program: 'sh',
    arguments: ['-c', script],
    environment: process.env,
    stdio: ['ignore', output, 'ignore'],
  });

function ended(descriptor: number): Promise<void> {
  return new Promise((resolve) => {
    const watch = poller.watch(descriptor, pollEvents.readable, () => {
      watch.stop();
      resolve();
    });
  });
}

test('a program’s end is seen by its pid descriptor, and its code before and after it is reaped', async () => {
  const pid = run('exit 42');
  const descriptor = openPidDescriptor(pid);
  const identity = identifyProcess(pid)!;
  await ended(descriptor);
  assert.equal(exitCodeOfZombie(identity), 42);
  assert.equal(isAlive(identity), false);
  assert.deepEqual(reap(pid), { state: 'exited', exitCode: 42 });
  assert.ok([42, null].includes(exitCodeOfDescriptor(descriptor)), 'null before kernel 6.15');
  assert.equal(identifyProcess(pid), null);
  closeDescriptor(descriptor);
});

test('a signal by pid descriptor reaches exactly that process, and gives 128 + signal', async () => {
  const pid = run('sleep 100');
  const descriptor = openPidDescriptor(pid);
  assert.deepEqual(reap(pid), { state: 'running' });
  assert.equal(signalProcess(descriptor, 15), true);
  await ended(descriptor);
  assert.deepEqual(reap(pid), { state: 'exited', exitCode: 143 });
  assert.equal(signalProcess(descriptor, 15), false);
  closeDescriptor(descriptor);
});

test('reaping what is no child says so, and a process group is never reaped', () => {
  assert.deepEqual(reap(1), { state: 'not-a-child' });
  assert.throws(() => reap(-1), RangeError);
});

test('a program starts with default signals, and with no descriptors but its own', async () => {
  const pipe = openPipe();
  const pid = run(
    'grep -E "SigBlk|SigIgn" /proc/self/status; ls /proc/self/fd | wc -l',
    pipe.writeDescriptor,
  );
  const descriptor = openPidDescriptor(pid);
  await ended(descriptor);
  reap(pid);
  const buffer = Buffer.alloc(4096);
  const text = buffer.toString('utf8', 0, readNow(pipe.readDescriptor, buffer) ?? 0);
  assert.match(text, /SigBlk:\s+0+\nSigIgn:\s+0+\n/);
  for (const open of [descriptor, pipe.readDescriptor, pipe.writeDescriptor]) closeDescriptor(open);
});

test('a program that is not there fails with ENOENT', () => {
  const start = () =>
    spawnProgram({
      program: 'no-such-program',
      arguments: [],
      environment: {},
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  assert.throws(start, { code: 'ENOENT', syscall: 'posix_spawnp' });
});

test('a poller watches hundreds of descriptors on one thread, each notice once for each call', async () => {
  const pipes = Array.from({ length: 300 }, () => openPipe({ nonBlocking: true }));
  const threads = () => readFileSync('/proc/self/status', 'latin1').match(/Threads:\s+(\d+)/)?.[1];
  const before = threads();
  let notices = 0;
  const watches = pipes.map(({ readDescriptor }) =>
    poller.watch(readDescriptor, pollEvents.readable, () => notices++),
  );
  for (const { writeDescriptor } of pipes) closeDescriptor(writeDescriptor);
  const deadline = performance.now() + 3000;
  while (notices < pipes.length && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(notices, pipes.length);
  assert.equal(threads(), before);
  for (const watch of watches) watch.stop();
  for (const { readDescriptor } of pipes) closeDescriptor(readDescriptor);
});

test('a signal by id reaches a process or its group; none there is told, and ids of more than one are refused', async () => {
  const pid = spawnProgram({
    program: 'sh',
    arguments: ['-c', 'sleep 60'],
    environment: process.env,
    stdio: ['ignore', 'ignore', 'ignore'],
    ownSession: true,
  });
  const descriptor = openPidDescriptor(pid);
  assert.equal(signalById(-pid, 9), true);
  await ended(descriptor);
  assert.deepEqual(reap(pid), { state: 'exited', exitCode: 137 });
  assert.equal(signalById(pid, 9), false);
  for (const id of [0, -1, 1.5]) assert.throws(() => signalById(id, 9), RangeError);
  closeDescriptor(descriptor);
});

/** Processes that came to the monitor because their own parent ended. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isAdopted, zombieOf } from '@wherry/linux';
import type { ContainerStatus } from '@wherry/monitor-api';
import { needProgram } from '../../linux/test/needs.ts';
import { processOf } from './bundle.ts';
import { Harness, until } from './harness.ts';
import { streams } from './streams.ts';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

const adoptedZombies = () => childrenOf(process.pid).filter((pid) => zombieOf(pid) && isAdopted(pid));

async function exitCodeOf(
  args: string[],
  containerId: string,
  { client }: Harness = harness,
): Promise<number> {
  const { exitCode } = await client.call('exec.sync', {
    containerId,
    process: processOf(args),
    timeoutMs: 10_000,
  });
  return exitCode;
}

/** A process in a container's PID namespace whose parent was another one of this machine, which has ended. */
async function orphanInside(container: ContainerStatus): Promise<number> {
  needProgram('/usr/bin/nsenter', 'util-linux');
  const words = ['--target', `${container.pid}`, '--pid', 'sleep', '1000'];
  const entering = spawn('/usr/bin/nsenter', words, { stdio: 'ignore' });
  await until(() => childrenOf(entering.pid!).length === 1);
  const [inside] = childrenOf(entering.pid!);
  entering.kill('SIGKILL');
  await once(entering, 'exit');
  await until(() => childrenOf(process.pid).includes(inside!));
  return inside!;
}

test('what came from elsewhere is reaped although a call of the OCI runtime is under way', async () => {
  const container = await harness.run(['sleep', '1000']);
  const orphan = await orphanInside(container);
  process.kill(orphan, 'SIGKILL');
  await until(() => zombieOf(orphan) !== null);
  await delay(20); // Clock ticks tell what began when.
  // Prepared, and waiting for its client for 5 s.
  const description = processOf(['true']);
  const prepared = { containerId: container.id, process: description, ...streams() };
  await harness.client.call('stream.exec', prepared);
  assert.equal(await exitCodeOf(['true'], container.id), 0);
  await until(() => zombieOf(orphan) === null, 2_000);
});

test('a container ends although the parent of a process inside of it is the monitor', async () => {
  const container = await harness.run(['sleep', '1000']);
  await orphanInside(container);
  await harness.client.call('container.kill', { id: container.id, signal: 9 });
  const { exitCode } = await harness.client.call('container.wait', { id: container.id });
  assert.equal(exitCode, 137);
});

test('execs leave nothing, one after another and beside each other', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const one = async () => {
    for (let call = 0; call < 10; call++) assert.equal(await exitCodeOf(['true'], id), 0);
  };
  await Promise.all([one(), one(), one()]);
  await until(() => adoptedZombies().length === 0);
});

test('of several monitors in one process none reaps what another one waits for', async () => {
  const other = new Harness();
  await other.start();
  try {
    const [here, there] = [await harness.run(['sleep', '1000']), await other.run(['sleep', '1000'])];
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? exitCodeOf(['sh', '-c', 'exit 7'], here.id)
          : exitCodeOf(['sh', '-c', 'exit 7'], there.id, other),
      ),
    );
    assert.deepEqual(new Set(codes), new Set([7]));
  } finally {
    await other.stop();
  }
});

/** A thousand exec sessions, and a thousand whose client is torn off: right answers, and nothing of them is left. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureExec, createKubeClient, type KubeClient, openExec } from '@wherry/client';
import { footprintOf, openFilesOf, totalOf } from '../bench/memory/footprint.ts';
import { eventually, podOf, TestNode } from './node.ts';

const sessionCount = 1000;
const waveSize = 50;
const fileGrowthMax = 20;
/** Of the memory of all parts at rest before. */
const memoryRatioMax = 1.3;
const restMs = 15_000;
const quietTimeoutMs = 60_000;
const timeoutMs = 900_000;

interface Holdings {
  files: Map<string, number>;
  mebibytes: number;
}

/** Runs `session` for every index, `waveSize` at a time. */
async function inWaves(session: (index: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < sessionCount; start += waveSize) {
    const wave = Array.from(
      { length: Math.min(waveSize, sessionCount - start) },
      (_, index) => start + index,
    );
    await Promise.all(wave.map(session));
  }
}

describe('many exec sessions', { timeout: timeoutMs }, () => {
  let node: TestNode;
  let client: KubeClient;
  let atStart: Holdings;

  before(async () => {
    node = await TestNode.start('sessions');
    await node.apply(podOf('target'));
    client = createKubeClient({ kubeconfig: node.kubeconfig });
    await warmUp(waveSize);
    await sleep(restMs);
    atStart = await holdings();
  });

  after(async () => {
    client.close();
    await node.remove();
  });

  /** The first sessions fill caches that stay. */
  const warmUp = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => finished(index)));

  async function holdings(): Promise<Holdings> {
    const processes = (await node.status()).processes.map(({ role, pid }) => ({ role, pid: pid ?? 0 }));
    return { files: openFilesOf(processes), mebibytes: totalOf(footprintOf(processes)) };
  }

  async function finished(index: number): Promise<void> {
    const command = ['sh', '-c', `echo ${index}; exit ${index % 200}`];
    const answer = await captureExec(client, { namespace: 'default', pod: 'target', command });
    assert.deepEqual(answer, { exitCode: index % 200, stdout: `${index}\n`, stderr: '' });
  }

  async function tornOff(): Promise<void> {
    const controller = new AbortController();
    const options = { namespace: 'default', pod: 'target', stdin: true, stdout: true, stderr: false };
    const session = await openExec(client, { ...options, command: ['cat'], signal: controller.signal });
    session.stdout?.receive({ data() {}, end() {}, closed() {} });
    session.exitCode.catch(() => {});
    controller.abort(new Error('torn off'));
  }

  async function assertNothingLeft(): Promise<void> {
    await eventually('files and processes of the sessions are gone', async () => {
      const { stdout } = await node.kubectl(['exec', 'target', '--', 'ps']);
      if (/\bcat\b/.test(stdout)) return false;
      const { files } = await holdings();
      return [...files].every(([role, count]) => count <= (atStart.files.get(role) ?? 0) + fileGrowthMax);
    });
    const mebibytesMax = memoryRatioMax * atStart.mebibytes;
    await eventually(
      `all parts at rest use at most ${mebibytesMax.toFixed(0)} MiB`,
      async () => (await holdings()).mebibytes <= mebibytesMax,
      quietTimeoutMs,
    );
  }

  it('all end with their output and their exit code, and leave nothing', async () => {
    await inWaves(finished);
    await assertNothingLeft();
  });

  it('leave no process, file or memory behind when their clients are torn off', async () => {
    await inWaves(tornOff);
    await assertNothingLeft();
  });
});

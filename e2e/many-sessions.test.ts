/** A thousand exec sessions, and a thousand whose client is torn off: right answers, and nothing of them is left. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { captureExec, createKubeClient, type KubeClient, openExec } from '@wherry/client';
import { eventually, podOf, TestNode } from './node.ts';

const sessionCount = 1000;
const waveSize = 50;
const fileGrowthMax = 20;
const memoryGrowthMebibytesMax = 200;
const timeoutMs = 900_000;

interface Footprint {
  files: number;
  mebibytes: number;
}

function footprintOf(pid: number): Footprint {
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { files: readdirSync(`/proc/${pid}/fd`).length, mebibytes: Number(rss) / 1024 };
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
  let atStart: Map<string, Footprint>;

  before(async () => {
    node = await TestNode.start('sessions');
    await node.apply(podOf('target'));
    client = createKubeClient({ kubeconfig: node.kubeconfig });
    await warmUp(waveSize);
    atStart = await footprints();
  });

  after(async () => {
    client.close();
    await node.remove();
  });

  /** The first sessions fill caches that stay. */
  const warmUp = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => finished(index)));

  async function footprints(): Promise<Map<string, Footprint>> {
    const { processes } = await node.status();
    return new Map(processes.map(({ role, pid }) => [role, footprintOf(pid ?? 0)]));
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
    await eventually('files, memory and processes of the sessions are gone', async () => {
      const { stdout } = await node.kubectl(['exec', 'target', '--', 'ps']);
      if (/\bcat\b/.test(stdout)) return false;
      const now = await footprints();
      return [...now].every(([role, { files }]) => files <= (atStart.get(role)?.files ?? 0) + fileGrowthMax);
    });
    for (const [role, { mebibytes }] of await footprints()) {
      const growth = mebibytes - (atStart.get(role)?.mebibytes ?? 0);
      assert.ok(growth < memoryGrowthMebibytesMax, `${role} grew by ${growth.toFixed(0)} MiB`);
    }
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

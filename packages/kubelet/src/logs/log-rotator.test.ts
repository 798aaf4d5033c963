import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import { silentLogger } from '@wherry/telemetry';
import type { Ground } from '../ground/ground.ts';
import { LogRotator } from './log-rotator.ts';

/** Rotates the logs of six containers; the runtime needs a turn for each answer. */
async function rotated(containerLogMaxWorkers: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rotator-'));
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const id of ids) {
    mkdirSync(join(folder, id));
    writeFileSync(join(folder, id, '0.log'), 'x'.repeat(100));
  }
  let atOnce = 0;
  let most = 0;
  const reopened: string[] = [];
  const runtime = {
    listContainers: async () => ({ containers: ids.map((id) => ({ id })) }),
    async containerStatus({ containerId }: { containerId: string }) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      if (containerId === 'b') throw new Error('gone');
      const logPath = join(folder, containerId, '0.log');
      return { status: { state: ContainerState.CONTAINER_RUNNING, logPath } };
    },
    reopenContainerLog: async ({ containerId }: { containerId: string }) => void reopened.push(containerId),
  };
  const configuration = { containerLogMaxSize: 50, containerLogMaxFiles: 3, containerLogMaxWorkers };
  const ground = { cri: { runtime }, configuration, clock: new FakeClock(), logger: silentLogger };
  try {
    await new LogRotator({ ground: ground as unknown as Ground }).rotateAll();
    const files = ids.map((id) => readdirSync(join(folder, id)).length);
    return { most, reopened: reopened.sort(), files };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const workers of [1, 4])
  test(`of the logs that are too long ${workers} at once are rotated, each once, and one that fails stops none`, async () => {
    const { most, reopened, files } = await rotated(workers);
    assert.equal(most, workers);
    assert.deepEqual(reopened, ['a', 'c', 'd', 'e', 'f']);
    assert.deepEqual(files, [1, 1, 1, 1, 1, 1]);
  });

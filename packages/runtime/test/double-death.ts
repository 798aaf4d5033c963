import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCriClient } from '@wherry/cri';
import { type KillableProcess, spawnMonitor, spawnReady } from '../../monitor/test/spawn-monitor.ts';
import { startTestNode } from './node.ts';

const runtimeProgram = new URL('./runtime-process.ts', import.meta.url).pathname;
/** What each container writes, a line at a time, and then ends with. */
const lines = 3_000;
const exitCode = 42;
const script = `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; done; exit ${exitCode}`;
const containersPerDeath = 2;

/**
 * Kills monitor and runtime at the same moment while containers write and end, `times` times over, and looks at every
 * exit code and every line afterwards.
 */
export async function surviveDoubleDeaths(subnet: number, times: number): Promise<void> {
  const node = await startTestNode(subnet, {}, { apart: true });
  const parts: { runtime: KillableProcess | null; monitor: KillableProcess | null } = {
    runtime: null,
    monitor: node.monitor,
  };
  try {
    await node.closeRuntime();
    const startBoth = async () => {
      const options = { ...node.runtimeOptions, logger: undefined };
      [parts.monitor, parts.runtime] = await Promise.all([
        parts.monitor ?? spawnMonitor(node.monitorOptions),
        spawnReady(runtimeProgram, JSON.stringify(options)),
      ]);
    };
    await startBoth();
    const cri = createCriClient(join(node.folder, 'runtime/cri.sock'));
    const podSandboxId = await node.runPod();
    const wrong: string[] = [];
    for (let death = 0; death < times; death++) {
      const ids = await Promise.all(
        Array.from({ length: containersPerDeath }, () => node.runScript(podSandboxId, script)),
      );
      await delay(randomInt(200));
      await Promise.all([parts.monitor?.kill(), parts.runtime?.kill()]);
      await delay(300);
      parts.monitor = null;
      await startBoth();
      for (const id of ids) {
        const { exitCode: code, reason, logPath } = await node.ended(id);
        if (code !== exitCode) wrong.push(`death ${death}: ended with ${code} ${reason}`);
        const seen = node
          .log(logPath.split('/').pop() ?? '')
          .trimEnd()
          .split('\n');
        const bad = seen.findIndex((line, index) => !line.endsWith(` stdout F line ${index + 1}`));
        if (seen.length !== lines || bad !== -1)
          wrong.push(`death ${death}: ${seen.length} lines, the first wrong one ${bad} "${seen[bad]}"`);
        await cri.runtime.removeContainer({ containerId: id });
      }
    }
    assert.deepEqual(wrong, []);
    await cri.runtime.removePodSandbox({ podSandboxId });
    cri.close();
  } finally {
    await parts.runtime?.kill();
    await node.restart();
    if (parts.monitor) node.adoptMonitor(parts.monitor);
    await node.close();
  }
}

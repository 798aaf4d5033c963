/** Clients attached to containers that never stop writing: slow ones get everything, stalled ones are told. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, scriptPod, TestNode, transports } from './node.ts';

/** Longer than a container waits for a client that takes nothing. */
const durationMs = 50_000;
const rates = [200_000, 2_000_000];
/** More than what a container may still write while a client is waited for, in lines of 7 bytes and more. */
const trickleLines = 20_000;
const endless = 'i=0; while true; do seq $i $((i + 99999)); i=$((i + 100000)); done';

describe('clients of containers that never stop writing', { concurrency: true, timeout: 180_000 }, () => {
  let node: TestNode;

  before(async () => {
    node = await TestNode.start('attach-slow');
    await node.apply(
      ...rates.flatMap((rate) =>
        transports.map(({ name }) => scriptPod(podName('slow', name, rate), endless)),
      ),
      ...transports.map(({ name }) => scriptPod(podName('stalled', name, 0), endless)),
    );
  });

  after(() => node?.remove());

  const podName = (kind: string, transport: string, rate: number) =>
    `${kind}-${transport.toLowerCase()}-${rate}`;

  for (const { name, env, skip } of transports) {
    for (const rate of rates) {
      it(`118: one that reads ${rate} bytes/s gets every line over ${name}`, { skip }, async () => {
        const child = node.startKubectl(['attach', podName('slow', name, rate)], env);
        const started = performance.now();
        let rest = '';
        let bytes = 0;
        let expected: number | undefined;
        for await (const chunk of child.stdout) {
          bytes += (chunk as Buffer).length;
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          // The first line may be the rest of one.
          for (const line of expected === undefined ? lines.slice(1) : lines) {
            assert.equal(line, String(expected ?? line));
            expected = Number(line) + 1;
          }
          const aheadMs = (bytes / rate) * 1_000 - (performance.now() - started);
          if (aheadMs > 0) await delay(aheadMs);
          if (performance.now() - started > durationMs) break;
        }
        const stillRuns = child.exitCode === null && child.signalCode === null;
        child.kill('SIGKILL');
        assert.ok(stillRuns, 'it was dropped');
        assert.ok(bytes > 0.9 * (durationMs / 1_000) * rate, `${bytes} bytes`);
      });
    }

    it(`118: one that reads nothing is dropped and told over ${name}; its container writes on`, {
      skip,
    }, async () => {
      const pod = podName('stalled', name, 0);
      const child = node.startKubectl(['attach', pod], env);
      let words = '';
      child.stderr.on('data', (chunk) => (words += chunk));
      const lastLine = async () => Number(await node.kubectlOk(['logs', pod, '--tail=1']));
      const linesPerSecond = async () => {
        const [line, started] = [await lastLine(), performance.now()];
        await delay(2_000);
        return ((await lastLine()) - line) / ((performance.now() - started) / 1_000);
      };
      await eventually('all buffers to be full', async () => (await linesPerSecond()) < trickleLines, 60_000);
      await eventually('the container to go on', async () => (await linesPerSecond()) > trickleLines, 60_000);
      await delay(1_000);
      child.stdout.resume();
      await eventually('the end of the session', () => child.exitCode !== null);
      assert.match(words, /the client is more than \d+ bytes behind the container's output/);
      assert.notEqual(child.exitCode, 0);
    });
  }
});

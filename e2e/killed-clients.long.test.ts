/** Clients that are killed in the middle of their input: their commands do not stay behind. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sessionClients } from './faults/clients.ts';
import { eventually, podOf, TestNode } from './node.ts';
import { slowness } from './slowness.ts';

/** Each of the hops is told by what it sends into the connection behind it, every 5 s. */
const noticeMs = 60_000 * slowness;
/** Enough to fill every buffer on the way. */
const fillMs = 4_000;

describe('a client that is killed while its command takes no input', {
  concurrency: true,
  timeout: 200_000,
}, () => {
  let node: TestNode;

  before(async () => {
    node = await TestNode.start('killed');
    await node.apply(podOf('target'));
  });
  after(() => node?.remove());

  for (const [index, client] of sessionClients.entries()) {
    it(`46: leaves no command behind: ${client.name}`, async () => {
      const seconds = String(70_000 + index);
      const running = async () => {
        const processes = await node.kubectlOk(['exec', 'target', '--', 'ps', '-o', 'args']);
        return processes.split('\n').includes(`sleep ${seconds}`);
      };
      const words = ['exec', '-i', 'target', '--', 'sleep', seconds];
      const child = client.start(node.kubeconfig, words);
      child.stdout.resume();
      createReadStream('/dev/zero')
        .on('error', () => {})
        .pipe(child.stdin);
      await eventually('its command', running);
      await delay(fillMs);
      child.kill('SIGKILL');
      await eventually('the end of its command', async () => !(await running()), noticeMs);
      assert.ok(child.killed);
    });
  }
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { processOf } from '../../test/bundle.ts';
import { Harness } from '../../test/harness.ts';
import { connect, type Transport, textOf } from '../../test/session.ts';
import { streams } from '../../test/streams.ts';
import { limits } from '../limits.ts';

const harness = new Harness();
let container = '';

before(async () => {
  await harness.start({});
  container = (await harness.run(['sleep', '1000'])).id;
});
after(() => harness.stop());

/** Runs a command in a terminal whose size is told after a while, or never; gives back what it said. */
async function inTerminal(args: string[], transport: Transport, toldAfterMs?: number): Promise<string> {
  const chosen = streams({ stdin: true, tty: true });
  const process = processOf(args, { terminal: true });
  const { url } = await harness.client.call('stream.exec', { containerId: container, process, ...chosen });
  const session = await connect(url, chosen, transport);
  const output = textOf(session.stdout);
  if (toldAfterMs !== undefined) {
    await delay(toldAfterMs);
    session.resize({ width: 111, height: 33 });
  }
  assert.equal(await session.exitCode, 0);
  return (await output).trim();
}

for (const transport of ['spdy', 'websocket'] as const) {
  test(`a terminal's process starts in the size of its client over ${transport}, also when that comes late`, async () => {
    for (const toldAfterMs of [0, 0, 0, limits.firstSizeWaitMs / 2]) {
      assert.equal(await inTerminal(['stty', 'size'], transport, toldAfterMs), '33 111');
    }
  });

  test(`a client that tells no size over ${transport} does not hold its process up for long`, async () => {
    const began = performance.now();
    assert.equal(await inTerminal(['echo', 'started'], transport), 'started');
    assert.ok(performance.now() - began < 5_000);
  });
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Harness } from '../test/harness.ts';
import { connect } from '../test/session.ts';
import { streams } from '../test/streams.ts';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

const outputBytes = 32 * 1024 ** 2;
const printer = [
  'sh',
  '-c',
  `read x; dd if=/dev/zero bs=65536 count=${outputBytes / 65536} 2>/dev/null; sleep 1000`,
];

async function attach(id: string, transport: 'spdy' | 'websocket') {
  const chosen = streams({ stdin: true });
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  return connect(url, chosen, transport);
}

for (const transport of ['spdy', 'websocket'] as const) {
  test(`a client gets all of a burst, at its own pace, over ${transport}`, { timeout: 30_000 }, async () => {
    const { id } = await harness.run(printer, { stdin: true });
    const client = await attach(id, transport);
    client.exitCode.catch(() => {});
    const whole = new Promise<number>((resolve, reject) => {
      let received = 0;
      client.stdout?.receive({
        data(chunk) {
          received += chunk.length;
          if (received >= outputBytes) resolve(received);
          client.stdout?.pause();
          setImmediate(() => client.stdout?.resume());
        },
        end: () => reject(new Error(`${received} bytes, then the end`)),
        closed: (error) => reject(error ?? new Error('closed')),
      });
    });
    client.stdin?.write(Buffer.from('\n'));
    assert.equal(await whole, outputBytes);
    client.close();
    await harness.client.call('container.kill', { id, signal: 9 });
  });
}

test('a client that is dropped for taking nothing is told so', { timeout: 30_000 }, async () => {
  const { id } = await harness.run(printer, { stdin: true });
  const client = await attach(id, 'spdy');
  client.stdout?.receive({ data() {}, end() {}, closed() {} });
  client.stdout?.pause();
  client.stdin?.write(Buffer.from('\n'));
  await delay(4_000);
  client.stdout?.resume();
  await assert.rejects(client.exitCode, /behind the container's output/);
  await harness.client.call('container.kill', { id, signal: 9 });
});

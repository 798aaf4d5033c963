import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ByteSource } from '@wherry/bytes';
import { limits } from '../src/limits.ts';
import { Harness, slowness, until } from './harness.ts';
import { connect, hashOf, type Transport, textOf } from './session.ts';
import { streams } from './streams.ts';

const harness = new Harness();
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const attachPatienceMs = 2_000;

/** 32 MiB in lines of 1 KiB: far more than a client may be behind. */
const burstBytes = 32 * 1024 ** 2;
const burst = Buffer.alloc(burstBytes);
for (let at = 0; at < burstBytes; at += 1024)
  burst.write(`${randomBytes(768).toString('base64').slice(1)}\n`, at);
const burstHash = sha256(burst);

before(async () => {
  writeFileSync(join(harness.folder, 'rootfs', 'burst'), burst);
  await harness.start({ attachPatienceMs });
});
after(() => harness.stop());

/** Every way a client may come: its name, how it connects, and what it offers. */
const ways: [string, Transport, string?][] = [
  ['SPDY', 'spdy'],
  ['WebSocket v4', 'websocket', 'v4.channel.k8s.io'],
  ['WebSocket v5', 'websocket', 'v5.channel.k8s.io'],
];

/** Prints the burst when it reads a line, and then does `then`. */
const printer = (then: string) => ['sh', '-c', `read line; cat /burst; ${then}`];

async function attach(id: string, transport: Transport, protocol?: string) {
  const chosen = streams({ stdin: true });
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  return connect(url, chosen, transport, protocol === undefined ? undefined : [protocol]);
}

/** Settles with the hash of the first `burstBytes`, although the stream goes on. Rests once, after the first chunk. */
function hashOfBurst(source: ByteSource | null, restMs = 0): Promise<string> {
  const hash = createHash('sha256');
  let received = 0;
  return new Promise((resolve, reject) => {
    source?.receive({
      data(chunk) {
        hash.update(chunk);
        received += chunk.length;
        if (received >= burstBytes) resolve(hash.copy().digest('hex'));
        if (received > chunk.length) return;
        source.pause();
        setTimeout(() => source.resume(), restMs);
      },
      end: () => reject(new Error(`${received} bytes, then the end`)),
      closed: (error) => reject(error ?? new Error(`${received} bytes, then closed`)),
    });
  });
}

const logHash = (id: string) =>
  sha256(
    harness
      .log(id)
      .map(({ content }) => `${content}\n`)
      .join(''),
  );

for (const [name, transport, protocol] of ways) {
  // WebSocket v4 has no end of input.
  const hasEnd = protocol !== 'v4.channel.k8s.io';
  test(`a client whose input ends leaves a process that reads on, over ${name}`, {
    skip: !hasEnd,
    timeout: 30_000 * slowness,
  }, async () => {
    for (const request of [{ terminal: true, stdinOnce: true }, { terminal: false }]) {
      const { id } = await harness.run(['sh', '-c', 'while read word; do echo got $word; done'], {
        stdin: true,
        ...request,
      });
      for (const word of ['one', 'two']) {
        const client = await attach(id, transport, protocol);
        const seen = textOf(client.stdout);
        client.stdin?.write(Buffer.from(`${word}\n`));
        await until(() => harness.log(id).some(({ content }) => content.startsWith(`got ${word}`)));
        client.stdin?.end();
        assert.match(await seen, new RegExp(`got ${word}`));
        assert.equal(await client.exitCode, 0);
      }
      await harness.client.call('container.kill', { id, signal: 9 });
    }
  });

  test(`a client gets every byte of a burst while its container lives, over ${name}`, async () => {
    const { id } = await harness.run(printer('sleep 1000'), { stdin: true });
    const client = await attach(id, transport, protocol);
    const received = hashOfBurst(client.stdout);
    client.stdin?.write(Buffer.from('\n'));
    assert.equal(await received, burstHash);
    client.close();
    await harness.client.call('container.kill', { id, signal: 9 });
  });

  test(`a client gets every byte of a burst its container ends with, over ${name}`, async () => {
    const { id } = await harness.run(printer('exit 0'), { stdin: true });
    const client = await attach(id, transport, protocol);
    client.stdin?.write(Buffer.from('\n'));
    assert.deepEqual(await hashOf(client.stdout), { hash: burstHash, bytes: burstBytes });
    assert.equal(await client.exitCode, 0);
    assert.equal(logHash(id), burstHash);
  });

  test(`a client that takes nothing is told that it was dropped; log and siblings are whole, over ${name}`, async () => {
    const { id } = await harness.run(printer('sleep 1000'), { stdin: true });
    const stalled = await attach(id, transport, protocol);
    const sibling = await attach(id, 'spdy');
    let taken = 0;
    stalled.stdout?.receive({
      data(chunk) {
        taken += chunk.length;
      },
      end() {},
      closed() {},
    });
    stalled.stdout?.pause();
    const received = hashOfBurst(sibling.stdout);
    const started = performance.now();
    sibling.stdin?.write(Buffer.from('\n'));
    assert.equal(await received, burstHash);
    const heldUpMs = performance.now() - started;
    assert.ok(heldUpMs < attachPatienceMs + 5_000 * slowness, `held up for ${heldUpMs} ms: more than once`);
    await until(() => harness.log(id).length === burstBytes / 1024);
    assert.equal(logHash(id), burstHash);
    stalled.stdout?.resume();
    const failure = `error attaching to container: the client is more than ${limits.attachBacklogBytesMax} bytes behind`;
    await assert.rejects(stalled.exitCode, (error: Error) => error.message.includes(failure));
    assert.ok(taken < burstBytes, 'it was not behind at all');
    sibling.close();
    await harness.client.call('container.kill', { id, signal: 9 });
  });

  test(`a client that rests for less than the patience with it loses nothing, over ${name}`, async () => {
    const { id } = await harness.run(printer('sleep 1000'), { stdin: true });
    const client = await attach(id, transport, protocol);
    const received = hashOfBurst(client.stdout, attachPatienceMs / 2);
    client.stdin?.write(Buffer.from('\n'));
    assert.equal(await received, burstHash);
    client.close();
    await harness.client.call('container.kill', { id, signal: 9 });
  });
}

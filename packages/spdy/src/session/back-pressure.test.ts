import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, pump } from '@wherry/bytes';
import { acceptor } from '../../test/acceptor.ts';
import { bench, sessionPair, settle } from '../../test/raw-peer.ts';
import { encodePing } from '../frames/encode.ts';

describe('back-pressure', () => {
  it('15. sends and receives 64 MiB without any WINDOW_UPDATE', async () => {
    const { client } = sessionPair({
      server: {
        onStream(stream) {
          stream.reply();
          pump(stream, stream);
        },
      },
    });
    const stream = await client.createStream({});
    const back = collect(stream, { bytesMax: 65 * 1024 * 1024 });
    const chunk = Buffer.alloc(1024 * 1024, 7);
    for (let index = 0; index < 64; index++) if (!stream.write(chunk)) await stream.drained();
    stream.end();
    assert.equal((await back).length, 64 * 1024 * 1024);
  });

  it('16. a stalled stream stops neither pings nor other streams, within its bound', async () => {
    const { streams, onStream } = acceptor();
    const { client, server } = sessionPair({ server: { onStream } });
    const stalled = await client.createStream({ name: 'stalled' });
    const lively = await client.createStream({ name: 'lively' });
    stalled.write(Buffer.alloc(1024 * 1024));
    const arrived = collect(streams[1]!);
    for (let index = 0; index < 32; index++) if (!lively.write(Buffer.alloc(65_536))) await lively.drained();
    lively.end();
    assert.equal((await arrived).length, 2 * 1024 * 1024);
    await client.ping();
    assert.equal(server.heldBytes, 1024 * 1024);
  });

  it('16. past the bound the transport is paused, and goes on when the reader does', async () => {
    const { streams, onStream } = acceptor();
    const { client, server } = sessionPair({ server: { onStream } });
    const stalled = await client.createStream({});
    let written = 0;
    const stuck = new AbortController();
    setTimeout(() => stuck.abort(), 50);
    await assert.rejects(async () => {
      for (;;) {
        written += 65_536;
        if (!stalled.write(Buffer.alloc(65_536))) await stalled.drained({ signal: stuck.signal });
      }
    });
    assert.ok(
      server.heldBytes >= 1024 * 1024 && server.heldBytes <= 1024 * 1024 + 65_536,
      String(server.heldBytes),
    );
    assert.ok(written <= 2 * 1024 * 1024, `${written} bytes were taken`);
    const ping = client.ping();
    stalled.end();
    assert.equal((await collect(streams[0]!)).length, written);
    await ping;
    assert.equal(server.heldBytes, 0);
  });

  it('bounds what all streams together hold', async () => {
    const { onStream } = acceptor();
    const limits = { sessionReceiveBytesMax: 300_000 };
    const { client, server } = sessionPair({ server: { onStream, limits } });
    for (let index = 0; index < 20; index++) {
      const stream = await Promise.race([client.createStream({}), settle(20)]);
      if (!stream) break;
      stream.write(Buffer.alloc(60_000));
      await settle();
    }
    assert.ok(server.heldBytes > 300_000 && server.heldBytes <= 360_000, String(server.heldBytes));
  });

  it('goes on when a stalled stream is reset', async () => {
    const { streams, onStream } = acceptor();
    const { client, server } = sessionPair({ server: { onStream } });
    const stalled = await client.createStream({});
    stalled.write(Buffer.alloc(2 * 1024 * 1024));
    await settle();
    const ping = client.ping();
    streams[0]?.reset();
    await ping;
    assert.equal(server.heldBytes, 0);
    await assert.rejects(collect(stalled), { code: 'reset' });
  });

  it('does not pile up pongs for a peer that pings without reading', async () => {
    const { peer, session } = bench('server', { onStream: (stream) => stream.reply() });
    peer.channel.pause();
    const batch = Buffer.concat(Array.from({ length: 1000 }, (_, index) => encodePing(1 + 2 * index)));
    let sent = 0;
    const stuck = new AbortController();
    setTimeout(() => stuck.abort(), 100);
    await assert.rejects(async () => {
      for (; sent < 10_000; sent++) {
        if (!peer.channel.write(batch)) await peer.channel.drained({ signal: stuck.signal });
        await settle(1);
      }
    });
    assert.ok(sent < 200, `${sent} batches of 12 kB were answered into the void`);
    session.abort(new Error('test over'));
  });
});

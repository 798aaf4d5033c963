import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, iterate } from '@wherry/bytes';
import { acceptor, listen } from '../../test/acceptor.ts';
import { bench, sessionPair, settle } from '../../test/raw-peer.ts';
import { encodeData, encodeRstStream } from '../frames/encode.ts';

describe('ending streams', () => {
  it('7. ignores DATA, replies, headers and resets of an unknown stream', async () => {
    const { peer } = bench('server', { onStream: (stream) => stream.reply() });
    peer.send(encodeData(9, Buffer.from('?'), true), encodeRstStream(9, 5));
    peer.reply(9);
    peer.open(1);
    await settle();
    assert.deepEqual(peer.lines, ['SYN_REPLY 1']);
  });

  it('8. half-closes by FIN: the other direction still delivers 1 MiB', async () => {
    const { streams, onStream } = acceptor();
    const { client } = sessionPair({ server: { onStream } });
    const stream = await client.createStream({});
    stream.end();
    const back = collect(stream);
    await settle();
    assert.ok(streams[0]);
    assert.equal((await collect(streams[0])).length, 0);
    for (let index = 0; index < 16; index++) streams[0].write(Buffer.alloc(65_536, index));
    streams[0].end();
    assert.equal((await back).length, 1024 * 1024);
    assert.equal(await stream.closed, null);
    assert.equal(client.streamCount, 0);
  });

  it('9. ends both directions at once on a local reset, frees the stream and ignores late frames', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    peer.open(1);
    peer.send(encodeData(1, Buffer.from('unread'), false));
    await settle();
    streams[0]?.reset();
    const events = listen(streams[0]!);
    peer.send(encodeData(1, Buffer.from('late'), true));
    await settle();
    assert.deepEqual(events, ['<cancelled>']);
    assert.deepEqual(peer.lines, ['SYN_REPLY 1', 'RST_STREAM 1 5']);
    assert.equal(session.streamCount, 0);
    assert.equal(session.heldBytes, 0);
  });

  it('104. puts only the FIN on the wire for close, then reset', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    peer.open(1);
    await settle();
    streams[0]?.end();
    streams[0]?.reset();
    await settle();
    assert.deepEqual(peer.lines, ['SYN_REPLY 1', 'DATA 1 0 fin']);
    assert.equal(session.streamCount, 0);
  });

  it('104. delivers what was queued before a received RST, then tells the reset', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    peer.send(encodeData(1, Buffer.from('the last words'), false), encodeRstStream(1, 5));
    await settle();
    assert.ok(streams[0]);
    const events = listen(streams[0]);
    await settle();
    assert.deepEqual(events, ['the last words', '<reset>']);
    assert.equal(streams[0].receivedReset, 5);
    assert.throws(() => streams[0]?.write(Buffer.from('x')), { name: 'ChannelClosedError' });
  });

  it('104. gives a reader that iterates the last words before it throws the reset', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    peer.send(encodeData(1, Buffer.from('the last words'), false), encodeRstStream(1, 5));
    await settle();
    const words: string[] = [];
    const reading = (async () => {
      for await (const chunk of iterate(streams[0]!)) words.push(Buffer.from(chunk).toString());
    })();
    await assert.rejects(reading, { code: 'reset' });
    assert.deepEqual(words, ['the last words']);
  });

  it('103. tells a FIN and a later reset apart: what was ended in order stays so', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    peer.send(encodeData(1, Buffer.from('status'), true), encodeRstStream(1, 5));
    await settle();
    assert.ok(streams[0]);
    assert.equal(Buffer.from(await collect(streams[0])).toString(), 'status');
  });
});

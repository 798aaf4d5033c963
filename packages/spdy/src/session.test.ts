import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, iterate, pump } from '@wherry/bytes';
import { bench, sessionPair, settle } from '../test/raw-peer.ts';
import type { SpdyStream } from './contract.ts';
import { encodeData, encodeGoAway, encodePing, encodeRstStream } from './encode.ts';
import { resetStatus } from './frame.ts';

/** Accepts every stream and keeps it. */
function acceptor() {
  const streams: SpdyStream[] = [];
  return {
    streams,
    onStream(stream: SpdyStream) {
      streams.push(stream);
      stream.reply();
    },
  };
}

/** Attaches a receiver that writes down what it is told. */
function listen(stream: SpdyStream): string[] {
  const events: string[] = [];
  stream.receive({
    data: (chunk) => events.push(Buffer.from(chunk).toString()),
    end: () => events.push('<end>'),
    closed: (error) => events.push(error ? `<${'code' in error ? error.code : error.name}>` : '<closed>'),
  });
  return events;
}

describe('opening streams', () => {
  it('3. compresses in the order in which it writes, under 100 concurrent creations', async () => {
    const { streams, onStream } = acceptor();
    const { client } = sessionPair({ server: { onStream } });
    const headers = Array.from({ length: 100 }, (_, index) => ({ streamType: 'data', port: String(index) }));
    const created = await Promise.all(headers.map((header) => client.createStream(header)));
    assert.deepEqual(
      streams.map((stream) => [stream.id, stream.headers.get('port')]),
      created.map((stream, index) => [stream.id, String(index)]),
    );
  });

  it('4. gives odd ids rising by 2 as a client, even ones as a server', async () => {
    const client = bench('client');
    client.session.createStream({}).catch(() => {});
    client.session.createStream({}).catch(() => {});
    const server = bench('server');
    server.session.createStream({}).catch(() => {});
    await settle();
    assert.deepEqual(client.peer.lines, ['SYN_STREAM 1 {}', 'SYN_STREAM 3 {}']);
    assert.deepEqual(server.peer.lines, ['SYN_STREAM 2 {}']);
  });

  it('4. rejects a lower id, a repeated one and one of the wrong parity with RST 1', async () => {
    const { peer, session } = bench('server', { onStream: (stream) => stream.reply() });
    peer.open(5);
    peer.open(3);
    peer.open(5);
    peer.open(8);
    peer.open(7);
    await settle();
    const resets = ['RST_STREAM 3 1', 'RST_STREAM 5 1', 'RST_STREAM 8 1'];
    assert.deepEqual(peer.lines, ['SYN_REPLY 5', ...resets, 'SYN_REPLY 7']);
    assert.equal(session.streamCount, 2);
  });

  it('5. answers SYN_STREAM with an empty SYN_REPLY', async () => {
    const { peer } = bench('server', { onStream: (stream) => stream.reply() });
    peer.open(1, { streamtype: 'error' });
    await settle();
    assert.deepEqual(peer.lines, ['SYN_REPLY 1']);
  });

  it('5. fails a creation after 30 s without a reply, and resets the stream', async () => {
    const { session, peer, clock } = bench('client');
    const creation = session.createStream({});
    const failed = assert.rejects(creation, { code: 'reply-timeout' });
    await clock.advanceAsync(29_999);
    assert.equal(session.streamCount, 1);
    await clock.advanceAsync(1);
    await failed;
    await settle();
    assert.deepEqual(peer.lines, ['SYN_STREAM 1 {}', 'RST_STREAM 1 5']);
    assert.equal(session.streamCount, 0);
    assert.equal(clock.pendingTimers, 0);
  });

  it('gives up a creation by signal', async () => {
    const { session, peer, clock } = bench('client');
    const controller = new AbortController();
    const creation = session.createStream({}, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await assert.rejects(creation, /changed my mind/);
    await settle();
    assert.deepEqual(peer.lines, ['SYN_STREAM 1 {}', 'RST_STREAM 1 5']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('tells the creator of a rejected stream that it was reset', async () => {
    const { client } = sessionPair({ server: { onStream: (stream) => stream.reset(resetStatus.cancel) } });
    await assert.rejects(client.createStream({}), { code: 'reset', status: 5 });
    assert.equal(client.streamCount, 0);
  });

  it('refuses streams when nobody takes them, or too many are open', async () => {
    const nobody = bench('server');
    nobody.peer.open(1);
    const crowded = bench('server', { onStream: (stream) => stream.reply(), limits: { streamsMax: 1 } });
    crowded.peer.open(1);
    crowded.peer.open(3);
    await settle();
    assert.deepEqual(nobody.peer.lines, ['RST_STREAM 1 3']);
    assert.deepEqual(crowded.peer.lines, ['SYN_REPLY 1', 'RST_STREAM 3 3']);
  });

  it('106. resets a stream whose handler throws, and answers the next', async () => {
    let count = 0;
    const { peer, session } = bench('server', {
      onStream(stream) {
        if (count++ === 0) throw new Error('no such container');
        stream.reply();
      },
    });
    peer.open(1);
    peer.open(3);
    await settle();
    assert.deepEqual(peer.lines, ['RST_STREAM 1 6', 'SYN_REPLY 3']);
    assert.equal(session.streamCount, 1);
  });

  it('6. never sends DATA before the SYN_REPLY: the acceptor must reply, the creator has no stream yet', async () => {
    let accepted: SpdyStream | undefined;
    const { peer } = bench('server', {
      onStream(stream) {
        accepted = stream;
      },
    });
    peer.open(1);
    await settle();
    assert.throws(() => accepted?.write(Buffer.from('early')), { code: 'invalid-state' });
    assert.throws(() => accepted?.end(), { code: 'invalid-state' });
    accepted?.reply();
    accepted?.write(Buffer.from('now'));
    await settle();
    assert.deepEqual(peer.lines, ['SYN_REPLY 1', 'DATA 1 3']);
    assert.throws(() => accepted?.reply(), { code: 'invalid-state' });
  });

  it('100. keeps DATA that came right behind SYN_STREAM for the acceptor', async () => {
    let accepted: SpdyStream | undefined;
    const { peer } = bench('server', {
      onStream(stream) {
        accepted = stream;
      },
    });
    peer.open(1);
    peer.send(encodeData(1, Buffer.alloc(100_000, 'x'), false), encodeData(1, Buffer.from('!'), true));
    await settle();
    assert.ok(accepted);
    accepted.reply();
    assert.equal((await collect(accepted)).length, 100_001);
  });

  it('100. tolerates a peer that drops what comes before its reply, and keeps what comes before ours', async () => {
    const { session, peer } = bench('client');
    const creation = session.createStream({});
    await settle();
    peer.send(encodeData(1, Buffer.from('early'), false));
    peer.reply(1);
    peer.send(encodeData(1, Buffer.from(' late'), true));
    assert.equal(Buffer.from(await collect(await creation)).toString(), 'early late');
  });

  it('takes FIN in SYN_STREAM and SYN_REPLY as the sender’s FIN', async () => {
    const { session, peer } = bench('client');
    const creation = session.createStream({}, { fin: true });
    await settle();
    peer.reply(1, true);
    const events = listen(await creation);
    await settle();
    assert.deepEqual(peer.lines, ['SYN_STREAM 1 {} fin']);
    assert.deepEqual(events, ['<end>', '<closed>']);
    assert.equal(session.streamCount, 0);
  });
});

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

describe('the connection', () => {
  it('10. echoes a ping of foreign parity byte for byte, and its own pong ends the wait', async () => {
    const { session, peer, clock } = bench('client');
    peer.send(encodePing(4));
    await settle();
    const roundTrip = session.ping();
    await settle();
    assert.deepEqual(peer.lines, ['PING 4', 'PING 1']);
    clock.advance(7);
    peer.send(encodePing(1));
    assert.equal(await roundTrip, 7);
  });

  it('107. survives a second pong, a pong of an unknown id and a reset after the creation timed out', async () => {
    const { session, peer, clock } = bench('client');
    const roundTrip = session.ping();
    await settle();
    peer.send(encodePing(1), encodePing(1), encodePing(99));
    await roundTrip;
    const creation = assert.rejects(session.createStream({}), { code: 'reply-timeout' });
    await clock.advanceAsync(30_000);
    await creation;
    peer.send(encodeRstStream(1, 5));
    peer.reply(1);
    await settle();
    const again = session.ping();
    await settle();
    peer.send(encodePing(3));
    await again;
  });

  it('sends pings at the interval, but none while one is unanswered', async () => {
    const { peer, clock } = bench('client', { pingIntervalMs: 5000 });
    await clock.advanceAsync(15_000);
    assert.deepEqual(peer.lines, ['PING 1']);
    peer.send(encodePing(1));
    await settle();
    await clock.advanceAsync(5000);
    assert.deepEqual(peer.lines, ['PING 1', 'PING 3']);
  });

  it('11. takes SETTINGS, WINDOW_UPDATE and HEADERS without effect', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    peer.sendHex('800300040000000c 00000001 00000004 00000064', '8003000900000008 00000000 7fffffff');
    peer.sendHex('8003000900000008 00000001 00000001');
    const reply = peer.encoder.synReply({ streamId: 1, headers: { late: 'header' }, fin: false });
    reply.writeUInt16BE(8, 2);
    peer.send(reply, encodeData(1, Buffer.from('still here'), true));
    await settle();
    assert.ok(streams[0]);
    assert.equal(Buffer.from(await collect(streams[0])).toString(), 'still here');
    assert.deepEqual(peer.lines, ['SYN_REPLY 1']);
  });

  it('12. ends the connection on an unknown control type, and tells the streams', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    peer.open(1);
    await settle();
    peer.sendHex('800300050000000400000000');
    await settle();
    assert.deepEqual(peer.lines, ['SYN_REPLY 1', 'GOAWAY 1 1']);
    assert.deepEqual(peer.ends, ['end']);
    assert.equal((await streams[0]?.closed)?.name, 'SpdyError');
    peer.channel.end();
    assert.match(String(await session.closed), /unknown type 5/);
  });

  it('13. resets what is open, says GOAWAY with the last id, ends the transport, and then says nothing more', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    for (const id of [1, 3, 5]) peer.open(id);
    await settle();
    streams[1]?.end();
    session.close();
    session.close();
    peer.open(7);
    peer.send(encodePing(1));
    await settle();
    const replies = ['SYN_REPLY 1', 'SYN_REPLY 3', 'SYN_REPLY 5'];
    assert.deepEqual(peer.lines, [
      ...replies,
      'DATA 3 0 fin',
      'RST_STREAM 1 5',
      'RST_STREAM 5 5',
      'GOAWAY 5 0',
    ]);
    assert.deepEqual(peer.ends, ['end']);
    assert.throws(() => streams[0]?.write(Buffer.from('x')), { name: 'ChannelClosedError' });
    await assert.rejects(session.createStream({}), { code: 'session-closed' });
    peer.channel.end();
    assert.equal(await session.closed, null);
  });

  it('13. stops reading at the peer’s GOAWAY; what came before is delivered', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    peer.open(1);
    peer.send(encodeData(1, Buffer.from('before'), false), encodeGoAway(0, 0));
    peer.send(encodeData(1, Buffer.from('behind'), true));
    peer.open(3);
    await settle();
    assert.ok(streams[0]);
    const events = listen(streams[0]);
    await settle();
    assert.deepEqual(events, ['before', '<going-away>']);
    assert.equal(streams.length, 1);
    await assert.rejects(session.ping(), { code: 'going-away' });
  });

  it('105. closes the transport without a GOAWAY of its own when the peer says GOAWAY', async () => {
    const { peer, session } = bench('client');
    const creation = assert.rejects(session.createStream({}), { code: 'going-away' });
    peer.send(encodeGoAway(0, 0));
    await creation;
    await settle();
    assert.deepEqual(peer.lines, ['SYN_STREAM 1 {}']);
    assert.deepEqual(peer.ends, ['end']);
    peer.channel.end();
    assert.equal(await session.closed, null);
  });

  it('takes the end of the transport without a GOAWAY for a failure', async () => {
    const { streams, onStream } = acceptor();
    const { peer, session } = bench('server', { onStream });
    peer.open(1);
    await settle();
    peer.channel.end();
    assert.equal(((await streams[0]!.closed) as { code?: string }).code, 'transport-closed');
    assert.match(String(await session.closed), /without a GOAWAY/);
  });

  it('tears the transport down when the peer does not close it in time', async () => {
    const { peer, session, clock } = bench('server');
    session.close();
    await clock.advanceAsync(5000);
    assert.equal(await session.closed, null);
    await settle();
    assert.deepEqual(peer.ends, ['end', 'broken']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('aborts at once and gives the reason to everybody who waits', async () => {
    const { session, peer } = bench('client', { pingIntervalMs: 5000, idleTimeoutMs: 60_000 });
    const reason = new Error('pulled the plug');
    const creation = assert.rejects(session.createStream({}), reason);
    const ping = assert.rejects(session.ping(), reason);
    session.abort(reason);
    await Promise.all([creation, ping]);
    assert.equal(await session.closed, reason);
    await settle();
    assert.deepEqual(peer.ends, ['broken']);
  });

  it('17. resets the idle timeout on pings and fires without them', async () => {
    const { session, peer, clock } = bench('server', { idleTimeoutMs: 1000 });
    for (let index = 0; index < 5; index++) {
      await clock.advanceAsync(900);
      peer.send(encodePing(1 + 2 * index));
      await settle();
    }
    assert.equal(peer.lines.length, 5);
    await clock.advanceAsync(1000);
    await settle();
    assert.equal(peer.lines.at(-1), 'GOAWAY 0 0');
    peer.channel.end();
    assert.equal(((await session.closed) as { code?: string }).code, 'idle-timeout');
  });

  it('101. sends each frame in one write, header and payload of a long one in one tick', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    await settle();
    peer.chunks = 0;
    streams[0]?.write(Buffer.alloc(2000));
    await settle();
    assert.equal(peer.chunks, 1);
    streams[0]?.write(Buffer.alloc(60_000));
    await settle();
    assert.equal(peer.chunks, 3);
  });

  it('cuts long writes into frames that a Go peer can allocate', async () => {
    const { streams, onStream } = acceptor();
    const { peer } = bench('server', { onStream });
    peer.open(1);
    await settle();
    streams[0]?.write(Buffer.alloc(65_536 * 2 + 1));
    await settle();
    assert.deepEqual(peer.lines.slice(1), ['DATA 1 65536', 'DATA 1 65536', 'DATA 1 1']);
  });

  it('102. says nothing before the first stream', async () => {
    const { peer, clock } = bench('server', { pingIntervalMs: 5000 });
    await settle();
    assert.deepEqual(peer.lines, []);
    const client = bench('client', { pingIntervalMs: 5000 });
    await settle();
    assert.deepEqual(client.peer.lines, []);
    assert.equal(clock.pendingTimers, 1);
  });
});

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
    const stuck = AbortSignal.timeout(50);
    await assert.rejects(async () => {
      for (;;) {
        written += 65_536;
        if (!stalled.write(Buffer.alloc(65_536))) await stalled.drained({ signal: stuck });
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
    const stuck = AbortSignal.timeout(100);
    await assert.rejects(async () => {
      for (; sent < 10_000; sent++) {
        if (!peer.channel.write(batch)) await peer.channel.drained({ signal: stuck });
        await settle(1);
      }
    });
    assert.ok(sent < 200, `${sent} batches of 12 kB were answered into the void`);
    session.abort(new Error('test over'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect } from '@wherry/bytes';
import { acceptor, listen } from '../../test/acceptor.ts';
import { bench, settle } from '../../test/raw-peer.ts';
import { encodeData, encodeGoAway, encodePing, encodeRstStream } from '../frames/encode.ts';

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
    assert.equal(clock.pendingTimers, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect } from '@wherry/bytes';
import { acceptor, listen } from '../../test/acceptor.ts';
import { bench, sessionPair, settle } from '../../test/raw-peer.ts';
import { encodeData } from '../frames/encode.ts';
import { resetStatus } from '../frames/frame.ts';
import type { SpdyStream } from './contract.ts';

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

  it('sends no SYN_REPLY where a relay has sent it, and lets the stream be written to', async () => {
    const onStream = (stream: SpdyStream) => {
      stream.reply({ fin: stream.id === 3 });
      if (stream.id === 1) stream.write(Buffer.from('hello'));
    };
    const { peer } = bench('server', { sendsReplies: false, onStream });
    peer.open(1);
    peer.open(3);
    await settle();
    assert.deepEqual(peer.lines, ['DATA 1 5', 'DATA 3 0 fin']);
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

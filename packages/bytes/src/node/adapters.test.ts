import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { it } from 'node:test';
import { type ChannelEnds, describeByteChannel } from '../channel-suite.ts';
import { collect } from '../collect.ts';
import { fromDuplex, fromReadable, fromWritable } from './adapters.ts';

async function socketPair(
  listen: (server: Server) => void,
  dial: (server: Server) => Socket,
): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const listening = new Promise((resolve) => server.once('listening', resolve));
  listen(server);
  await listening;
  const left = dial(server);
  await new Promise((resolve) => left.once('connect', resolve));
  const right = await accepted;
  server.close();
  return [left, right];
}

const tcpPair = () =>
  socketPair(
    (server) => server.listen(0, '127.0.0.1'),
    (server) => connect((server.address() as AddressInfo).port, '127.0.0.1'),
  );

describeByteChannel('fromDuplex on TCP', async () => {
  const [left, right] = await tcpPair();
  return {
    left: fromDuplex(left),
    right: fromDuplex(right),
    cleanup() {
      left.destroy();
      right.destroy();
    },
  };
});

describeByteChannel('fromDuplex on a unix socket', unixEnds, { tellsReset: false });

async function unixEnds(): Promise<ChannelEnds> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-bytes-'));
  const path = join(folder, 'socket');
  const [left, right] = await socketPair(
    (server) => server.listen(path),
    () => connect(path),
  );
  return {
    left: fromDuplex(left),
    right: fromDuplex(right),
    async cleanup() {
      left.destroy();
      right.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

it('gathers the writes of one tick into one packet of chunks', async () => {
  const batches: number[] = [];
  const writable = new Writable({
    writev(chunks, done) {
      batches.push(chunks.length);
      done();
    },
  });
  const sink = fromWritable(writable);
  for (let index = 0; index < 5; index++) sink.write(Buffer.from([index]));
  sink.end();
  assert.equal(await sink.closed, null);
  assert.deepEqual(batches, [5]);
});

it('reads a one-way stream to its end', async () => {
  const source = fromReadable(Readable.from([Buffer.from('one '), Buffer.from('way')]));
  assert.equal(Buffer.from(await collect(source)).toString(), 'one way');
  assert.equal(await source.closed, null);
});

it('tells the error of a stream that breaks', async () => {
  const stream = new PassThrough();
  const source = fromReadable(stream);
  const reason = new Error('disk gone');
  stream.destroy(reason);
  await assert.rejects(collect(source), reason);
  assert.equal(await source.closed, reason);
});

it('calls a stream that vanishes without an end a reset', async () => {
  const stream = new PassThrough();
  const channel = fromDuplex(stream);
  stream.destroy();
  const error = await channel.closed;
  assert.equal(error?.name, 'ChannelClosedError');
});

it('a Node stream of text is sent as UTF-8, and one of other objects is an error', async () => {
  const text = await collect(fromReadable(Readable.from(['h\u00e9', 'llo'])));
  assert.equal(Buffer.from(text).toString(), 'h\u00e9llo');
  await assert.rejects(
    collect(fromReadable(Readable.from([{ a: 1 }]))),
    /gave object: neither bytes nor text/,
  );
});

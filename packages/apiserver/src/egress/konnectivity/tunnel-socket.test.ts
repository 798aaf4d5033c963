import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { limits, periods } from '../../limits.ts';
import { decodePacket, encodePacket, type Packet, packetType } from './packets.ts';
import { TunnelSocket } from './tunnel-socket.ts';

const random = 2n ** 62n + 1n;
const connectId = 7n;

/** A socket with what the proxy has got of it; packets pass the wire's form both ways. */
function dialling() {
  const clock = new FakeClock();
  const got: Packet[] = [];
  const stream = { isPaused: false, isClosed: false };
  const socket = new TunnelSocket(
    {
      send(packet, sent) {
        got.push(decodePacket(encodePacket(packet)));
        queueMicrotask(() => sent());
      },
      pause() {
        stream.isPaused = true;
      },
      resume() {
        stream.isPaused = false;
      },
      close() {
        stream.isClosed = true;
      },
    },
    { address: '10.0.0.1:10250', random, clock },
  );
  socket.on('error', () => {});
  const tell = (packet: Packet) => socket.receive(decodePacket(encodePacket(packet)));
  const data = (text: string) =>
    tell({ type: packetType.data, data: { connectId, error: '', data: Buffer.from(text) } });
  const answer = (error = '') =>
    tell({ type: packetType.dialResponse, dialResponse: { error, connectId, random } });
  const close = (error = '') => tell({ type: packetType.closeResponse, closeResponse: { error, connectId } });
  return { clock, got, stream, socket, tell, data, answer, close };
}

async function connected() {
  const all = dialling();
  all.answer();
  await all.socket.dialled;
  return all;
}

const typesOf = (packets: readonly Packet[]) => packets.map(({ type }) => type);

test('a dial names its other end, and is answered by its number alone', async () => {
  const { got, socket, tell, answer } = dialling();
  assert.deepEqual(got[0]?.dialRequest, { protocol: 'tcp', address: '10.0.0.1:10250', random });
  tell({ type: packetType.dialResponse, dialResponse: { error: 'no', connectId: 9n, random: 1n } });
  answer();
  await socket.dialled;
});

test('a dial that fails says what the agent says, and leaves nothing', async () => {
  const { stream, socket, answer } = dialling();
  answer('dial tcp 10.0.0.1:10250: connect: connection refused');
  await assert.rejects(socket.dialled, {
    message: 'dial tcp 10.0.0.1:10250: connect: connection refused',
    stage: 'proxy',
  });
  assert.ok(socket.destroyed && stream.isClosed);
});

test('a dial that nobody waits for any more is taken back', async () => {
  const { got, socket, stream } = dialling();
  socket.destroy(new Error('the client has gone'));
  await assert.rejects(socket.dialled, { message: 'the client has gone' });
  await new Promise(setImmediate);
  assert.deepEqual(got[1]?.closeDial, { random });
  assert.ok(stream.isClosed);
});

test('a dial whose proxy goes away, or gives it up, fails', async () => {
  const lost = dialling();
  lost.socket.lose(new Error('tunnel closed'));
  await assert.rejects(lost.socket.dialled, { message: 'tunnel closed' });
  const closed = dialling();
  closed.tell({ type: packetType.dialClose, closeDial: { random } });
  await assert.rejects(closed.socket.dialled, { message: 'dial closed' });
});

test('bytes pass both ways, large ones in pieces, and those of other connections do not', async () => {
  const { got, socket, tell, data } = await connected();
  const bytes = Buffer.alloc(limits.egressPacketBytesMax * 2 + 1, 'x');
  await new Promise((written) => socket.write(bytes, written));
  const pieces = got.flatMap((packet) => (packet.data ? [packet.data.data.length] : []));
  assert.deepEqual(pieces, [limits.egressPacketBytesMax, limits.egressPacketBytesMax, 1]);
  tell({ type: packetType.data, data: { connectId: 8n, error: '', data: Buffer.from('not mine') } });
  data('mine');
  assert.equal(String(await once(socket, 'data').then(([chunk]) => chunk)), 'mine');
});

test('what came before the end is read before it', async () => {
  const { socket, stream, data, close } = await connected();
  data('one ');
  data('two');
  close();
  assert.ok(stream.isClosed);
  const read: Buffer[] = [];
  for await (const chunk of socket) read.push(chunk as Buffer);
  assert.equal(Buffer.concat(read).toString(), 'one two');
});

test('an end that the agent gives a reason for is an error', async () => {
  const { socket, close } = await connected();
  close('read tcp: connection reset by peer');
  const [error] = await once(socket, 'error');
  assert.match((error as Error).message, /reset by peer/);
});

test('a proxy that goes away ends the connection with an error, never as if it were over', async () => {
  const { socket, stream } = await connected();
  socket.lose(new Error('tunnel closed'));
  const [error] = await once(socket, 'error');
  assert.equal((error as Error).message, 'tunnel closed');
  assert.ok(stream.isClosed);
});

test('who reads slowly slows the stream down, and loses the connection when he reads nothing at all', async () => {
  const { clock, socket, stream, data } = await connected();
  const fill = () => {
    while (!stream.isPaused) data('x');
  };
  fill();
  assert.equal(socket.readableLength, 0, 'nothing is handed on unasked');
  await clock.advance(periods.egressReadMs - 1);
  socket.once('data', () => socket.pause());
  await new Promise(setImmediate);
  assert.ok(!stream.isPaused, 'it goes on once somebody reads');
  for (let index = 0; index < 1e5 && !stream.isPaused; index += 1) data('x'.repeat(1_000));
  const held = socket.readableLength;
  assert.ok(held < socket.readableHighWaterMark + 1_000, `${held} bytes are handed on`);
  await clock.advance(periods.egressReadMs);
  assert.ok(socket.destroyed);
});

test('a connection that is closed here is closed there, and the stream stays until the proxy says so', async () => {
  const { clock, got, socket, stream, close } = await connected();
  socket.destroy();
  assert.deepEqual(typesOf(got), [packetType.dialRequest, packetType.closeRequest]);
  assert.ok(!stream.isClosed);
  close();
  assert.ok(stream.isClosed);
  assert.equal(clock.pendingTimers, 0);
});

test('a proxy that never says so is waited for no longer than its time', async () => {
  const { clock, socket, stream } = await connected();
  socket.destroy();
  await clock.advance(periods.egressCloseMs);
  assert.ok(stream.isClosed);
});

test('one direction that has ended leaves the other its time, as long as something comes', async () => {
  const { clock, got, socket, data } = await connected();
  socket.resume();
  socket.end();
  await once(socket, 'finish');
  await clock.advance(periods.egressSilenceMs - 1);
  data('more');
  await clock.advance(periods.egressSilenceMs - 1);
  assert.deepEqual(typesOf(got), [packetType.dialRequest]);
  await clock.advance(1);
  assert.deepEqual(typesOf(got), [packetType.dialRequest, packetType.closeRequest]);
});

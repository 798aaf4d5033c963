/**
 * Numbered bytes through the whole node and back, hashed on the way out and on the way in:
 *
 *   node bench/soak.ts [--gibibytes 4] [--transport websocket|spdy] [exec] [forward]
 *
 * exec sends them into `cat` and reads them back; forward does the same through an echo server in the pod. So each
 * moves that much in either direction. Fails when a byte is missing, doubled or changed.
 */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import type { ByteSink, ByteSource } from '@wherry/bytes';
import { createKubeClient, type KubeClient, openExec, portForward } from '@wherry/client';
import { MeasuredNode, podManifest } from './node.ts';
import { mebibytesPerSecond } from './statistics.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gibibytes: { type: 'string', default: '4' },
    transport: { type: 'string', default: 'websocket' },
  },
});
const transport = values.transport === 'spdy' ? 'spdy' : 'websocket';
const pieceBytes = 1024 ** 2;
const pieceCount = Math.round(Number(values.gibibytes) * 1024);
const totalBytes = pieceCount * pieceBytes;
const wants = (part: string) => positionals.length === 0 || positionals.includes(part);

/** Pseudo-random pieces, each of which begins with its number. */
function* pieces(): Generator<Buffer> {
  const piece = Buffer.alloc(pieceBytes);
  let state = 1;
  for (let at = 0; at < pieceBytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    piece.writeUInt32LE(state, at);
  }
  for (let number = 0; number < pieceCount; number++) {
    const copy = Buffer.from(piece);
    copy.writeUInt32LE(number, 0);
    yield copy;
  }
}

interface Tally {
  hash: Hash;
  bytes: number;
}

const newTally = (): Tally => ({ hash: createHash('sha256'), bytes: 0 });

function count(tally: Tally, chunk: Uint8Array): void {
  tally.hash.update(chunk);
  tally.bytes += chunk.length;
}

function report(what: string, sent: Tally, received: Tally, startedMs: number): void {
  const [out, back] = [sent.hash.digest('hex'), received.hash.digest('hex')];
  const rate = mebibytesPerSecond(received.bytes, performance.now() - startedMs);
  console.log(`${what}: ${received.bytes} bytes each way at ${rate.toFixed(0)} MiB/s, SHA-256 ${back}`);
  if (sent.bytes !== totalBytes || received.bytes !== totalBytes || out !== back)
    throw new Error(
      `${what}: ${sent.bytes} bytes (${out}) were sent and ${received.bytes} (${back}) came back`,
    );
}

async function send(sink: ByteSink, tally: Tally): Promise<void> {
  for (const piece of pieces()) {
    count(tally, piece);
    if (!sink.write(piece)) await sink.drained();
  }
  sink.end();
}

function receive(source: ByteSource, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    source.receive({
      data: (chunk) => count(tally, chunk),
      end: resolve,
      closed: (error) => (error ? reject(error) : resolve()),
    });
  });
}

async function throughExec(client: KubeClient): Promise<void> {
  const [sent, received] = [newTally(), newTally()];
  const streams = { stdin: true, stdout: true, stderr: false };
  const target = { namespace: 'default', pod: 'soak', command: ['cat'], transport } as const;
  const session = await openExec(client, { ...target, ...streams });
  const startedMs = performance.now();
  await Promise.all([send(session.stdin!, sent), receive(session.stdout!, received)]);
  const exitCode = await session.exitCode;
  report(`exec over ${transport}`, sent, received, startedMs);
  if (exitCode !== 0) throw new Error(`cat ended with exit code ${exitCode}`);
}

async function throughForward(client: KubeClient): Promise<void> {
  const [sent, received] = [newTally(), newTally()];
  await using forward = await portForward(client, {
    target: { kind: 'pod', name: 'soak', namespace: 'default' },
    ports: [{ local: 0, remote: 9000 }],
    addresses: ['127.0.0.1'],
    transport,
  });
  const port = forward.listeners[0]?.localPort ?? 0;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const startedMs = performance.now();
  socket.on('data', (chunk: Buffer) => count(received, chunk));
  const ended = once(socket, 'end');
  for (const piece of pieces()) {
    count(sent, piece);
    if (!socket.write(piece)) await once(socket, 'drain');
  }
  socket.end();
  await ended;
  report(`port-forward over ${transport}`, sent, received, startedMs);
}

/** Memory of the node's processes in MiB, to see that none grows with what passes through. */
async function memory(node: MeasuredNode): Promise<string> {
  const sizes = (await node.processes()).map(({ role, pid }) => {
    const kibibytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return `${role} ${(kibibytes / 1024).toFixed(0)}`;
  });
  return `most memory in MiB: ${sizes.join(', ')}`;
}

const node = await MeasuredNode.start();
const client = createKubeClient({ kubeconfig: node.kubeconfig });
try {
  const echo = podManifest('soak', ['sh', '-c', 'while true; do nc -l -p 9000 -e cat; done']);
  await node.request('POST', '/api/v1/namespaces/default/pods', echo);
  await node.kubectl(['wait', '--for=condition=Ready', 'pod/soak', '--timeout=60s']);
  if (wants('exec')) await throughExec(client);
  if (wants('forward')) await throughForward(client);
  console.log(await memory(node));
} finally {
  client.close();
  await node.close();
}

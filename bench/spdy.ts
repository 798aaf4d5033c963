/**
 * SPDY alone, beside the Go library (moby/spdystream) in the same run: both sides of each row take turns.
 *
 *   node bench/spdy.ts [MiB per transfer] [rounds]
 */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type ByteChannel, channelPair, fromDuplex } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { createSpdySession, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { buildGoPeer } from '../conformance/peers/go-peer.ts';
import { percentile, timed } from './statistics.ts';

const run = promisify(execFile);
const serveArgument = 'serve';

async function pour(stream: SpdyStream, total: number): Promise<void> {
  const chunk = Buffer.alloc(32 * 1024);
  for (let left = total; left > 0; left -= chunk.length) if (!stream.write(chunk)) await stream.drained();
  stream.end();
}

/** Counts what comes until the end. */
function drain(stream: SpdyStream): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let bytes = 0;
  stream.receive({
    data(chunk) {
      bytes += chunk.length;
    },
    end: () => resolve(bytes),
    closed: (error) => reject(error ?? new Error('closed before the end')),
  });
  return promise;
}

/** The same behaviours as the Go peer's server. */
function serveSession(transport: ByteChannel): SpdySession {
  return createSpdySession({
    transport,
    role: 'server',
    clock: systemClock,
    onStream(stream) {
      stream.reply();
      const behaviour = stream.headers.get('behaviour');
      if (behaviour === 'source') pour(stream, Number(stream.headers.get('bytes')));
      if (behaviour === 'sink') {
        drain(stream).then((bytes) => {
          stream.write(Buffer.from(String(bytes)));
          stream.end();
        });
      }
      if (behaviour === 'echo') {
        stream.receive({
          data: (chunk) => stream.write(chunk),
          end: () => stream.end(),
          closed() {},
        });
      }
    },
  });
}

/** This file as the wherry server process. */
async function serve(): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    serveSession(fromDuplex(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log((server.address() as AddressInfo).port);
  process.on('disconnect', () => process.exit(0));
}

async function portOf(server: ChildProcess): Promise<number> {
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  return Number(line);
}

/** One transfer by our client; returns MB/s as seen here. */
async function transfer(
  session: SpdySession,
  scenario: 'upload' | 'download',
  bytes: number,
): Promise<number> {
  const behaviour = scenario === 'upload' ? 'sink' : 'source';
  const stream = await session.createStream({ behaviour, bytes: String(bytes) });
  const startedMs = performance.now();
  const drained = drain(stream);
  if (scenario === 'upload') await pour(stream, bytes);
  await drained;
  const megabytes = bytes / 1e6 / ((performance.now() - startedMs) / 1000);
  stream.end();
  return megabytes;
}

async function dial(port: number): Promise<SpdySession> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return createSpdySession({ transport: fromDuplex(socket), role: 'client', clock: systemClock });
}

async function byWherry(port: number, scenario: 'upload' | 'download', bytes: number): Promise<number> {
  const session = await dial(port);
  const megabytes = await transfer(session, scenario, bytes);
  session.close();
  return megabytes;
}

async function byGo(binary: string, port: number, scenario: string, bytes: number): Promise<number> {
  const { stdout } = await run(binary, ['client', `127.0.0.1:${port}`, scenario, String(bytes)]);
  return Number(stdout.trim().split(' ').at(-1));
}

async function throughput(binary: string, ports: Record<string, number>, bytes: number, rounds: number) {
  console.log('| MB/s, p50 | client → server | server → client |\n| --- | --- | --- |');
  const rows = new Map<string, Record<'upload' | 'download', number[]>>();
  for (let round = 0; round < rounds; round++) {
    for (const [server, port] of Object.entries(ports)) {
      for (const scenario of ['upload', 'download'] as const) {
        for (const client of ['wherry', 'Go']) {
          const name = `${client} client, ${server} server`;
          const row = rows.get(name) ?? { upload: [], download: [] };
          rows.set(name, row);
          row[scenario].push(
            client === 'Go'
              ? await byGo(binary, port, scenario, bytes)
              : await byWherry(port, scenario, bytes),
          );
        }
      }
    }
  }
  for (const [name, { upload, download }] of rows) {
    console.log(
      `| ${name} | ${percentile(upload, 0.5).toFixed(0)} | ${percentile(download, 0.5).toFixed(0)} |`,
    );
  }
}

async function inProcess(bytes: number, rounds: number): Promise<void> {
  const [near, far] = channelPair();
  serveSession(far);
  const session = createSpdySession({ transport: near, role: 'client', clock: systemClock });
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await transfer(session, 'upload', bytes));
  console.log(`\nin one process, no socket: ${(percentile(samples, 0.5) / 1000).toFixed(1)} GB/s`);
}

async function latency(ports: Record<string, number>): Promise<void> {
  console.log('\n| wherry client, µs p50 | ping | open, echo a word, close |\n| --- | --- | --- |');
  for (const [server, port] of Object.entries(ports)) {
    const session = await dial(port);
    const pings = await timed(2000, () => session.ping());
    const streams = await timed(2000, async () => {
      const stream = await session.createStream({ behaviour: 'echo' });
      stream.write(Buffer.from('word'));
      stream.end();
      await drain(stream);
    });
    const microseconds = (samplesMs: number[]) => (percentile(samplesMs, 0.5) * 1000).toFixed(0);
    console.log(`| ${server} server | ${microseconds(pings)} | ${microseconds(streams)} |`);
    session.close();
  }
}

async function measure(): Promise<void> {
  const bytes = Number(process.argv[2] ?? 512) * 1024 * 1024;
  const rounds = Number(process.argv[3] ?? 5);
  const binary = await buildGoPeer('spdypeer');
  const ours = fork(import.meta.filename, [serveArgument], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const theirs = spawn(binary, [serveArgument], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const ports = { wherry: await portOf(ours), Go: await portOf(theirs) };
    await throughput(binary, ports, bytes, rounds);
    await latency(ports);
    await inProcess(bytes, rounds);
  } finally {
    ours.disconnect();
    theirs.stdin?.end();
  }
}

await (process.argv[2] === serveArgument ? serve() : measure());

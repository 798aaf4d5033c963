import type { ByteSink, ByteSource } from '@wherry/bytes';
import { mebibytesPerSecond, percentile, timed } from '../statistics.ts';
import type { ForwardRoad, Road } from './road.ts';

/** What the container prints for each that is asked for. */
export const blockBytes = 64 * 1024;

/** Fast ends: busybox head and wc move little at a time and would be what is measured. */
const source = (blocks: string | number) => `dd if=/dev/zero bs=${blockBytes} count=${blocks} 2>/dev/null`;
/** The shell stays, and with it its stdout: containerd ends the input of a process that has none. */
const sink = (blocks: number) =>
  `dd of=/dev/null bs=${blockBytes} count=${blocks} iflag=fullblock 2>/tmp/sink-$$; cat /tmp/sink-$$; rm /tmp/sink-$$`;
const blocksOf = (bytes: number) => Math.ceil(bytes / blockBytes);

/** What the attached container runs: it prints as many blocks as each line of its input says, and a newline. */
export const attachScript = `while read count; do ${source('$count')}; echo; done`;

/** The ports of {@link serveScript}. */
export const servedPorts = [9000, 9001, 9002];

/** What the measured pod serves: a source of `bytes` on 9000, a sink that tells what it got on 9001, an echo on 9002. */
export const serveScript = (bytes: number) =>
  [
    `nc -ll -p 9000 -e sh -c '${source(blocksOf(bytes))}' &`,
    `nc -ll -p 9001 -e sh -c '${sink(blocksOf(bytes))}' &`,
    'nc -ll -p 9002 -e cat &',
    'wait',
  ].join(' ');

/** How many bytes the sink says that it got. */
const told = (answer: string) => Number(/^(\d+)\+0 records in/.exec(answer)?.[1] ?? 0) * blockBytes;

const piece = new Uint8Array(blockBytes);

/** Reads until `bytes` came or the source ends; gives back how many. */
function count(source: ByteSource, bytes = Number.POSITIVE_INFINITY): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    source.receive({
      data(chunk) {
        received += chunk.length;
        if (received >= bytes) resolve(received);
      },
      end: () => resolve(received),
      closed: (error) => (error ? reject(error) : resolve(received)),
    });
  });
}

async function send(sink: ByteSink, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!sink.write(piece.slice(0, Math.min(left, piece.length)))) await sink.drained();
  }
}

function expect(actual: number, wanted: number, what: string): void {
  if (actual !== wanted) throw new Error(`${what}: ${actual} of ${wanted} bytes arrived`);
}

/** MiB/s of a command's output. */
export async function execOutput(road: Road, bytes: number): Promise<number> {
  const session = await road.exec(['sh', '-c', source(blocksOf(bytes))], { stdout: true });
  const before = performance.now();
  const received = await count(session.stdout!);
  const rate = mebibytesPerSecond(bytes, performance.now() - before);
  if ((await session.exitCode) !== 0) throw new Error(`${road.entry}: dd failed`);
  expect(received, bytes, `${road.entry}, ${road.transport}, stdout`);
  return rate;
}

/** MiB/s of a command's input. WebSocket v4 can't end it, so the command counts its blocks. */
export async function execInput(road: Road, bytes: number): Promise<number> {
  const streams = { stdin: true, stdout: true };
  const session = await road.exec(['sh', '-c', sink(blocksOf(bytes))], streams);
  const before = performance.now();
  const answer = text(session.stdout!);
  void send(session.stdin!, bytes).catch(() => {});
  const said = await answer;
  expect(told(said), bytes, `${road.entry}, ${road.transport}, stdin: "${said}"`);
  const rate = mebibytesPerSecond(bytes, performance.now() - before);
  await session.exitCode;
  return rate;
}

async function text(source: ByteSource): Promise<string> {
  let all = '';
  await new Promise<void>((resolve, reject) => {
    source.receive({
      data: (chunk) => {
        all += Buffer.from(chunk).toString();
      },
      end: resolve,
      closed: (error) => (error ? reject(error) : resolve()),
    });
  });
  return all;
}

/** Milliseconds of `true` from the first request to its exit code, p50. */
export async function execLatency(road: Road, rounds: number): Promise<number> {
  const samples = await timed(rounds, async () => {
    const session = await road.exec(['true'], { stdout: true });
    await count(session.stdout!);
    if ((await session.exitCode) !== 0) throw new Error(`${road.entry}: true failed`);
  });
  return percentile(samples, 0.5);
}

/** MiB/s of a running container's output. */
export async function attachOutput(road: Road, bytes: number): Promise<number> {
  const session = await road.attach({ stdin: true, stdout: true });
  session.exitCode.catch(() => {});
  const before = performance.now();
  const wanted = bytes + 1;
  const received = count(session.stdout!, wanted);
  session.stdin!.write(Buffer.from(`${blocksOf(bytes)}\n`));
  expect(await received, wanted, `${road.entry}, ${road.transport}, attach`);
  const rate = mebibytesPerSecond(bytes, performance.now() - before);
  session.close();
  return rate;
}

/** Milliseconds from the first request until an attached container's first bytes, p50. */
export async function attachLatency(road: Road, rounds: number): Promise<number> {
  const samples = await timed(rounds, async () => {
    const session = await road.attach({ stdin: true, stdout: true });
    session.exitCode.catch(() => {});
    const first = count(session.stdout!, 1);
    session.stdin!.write(Buffer.from('1\n'));
    await first;
    session.close();
  });
  return percentile(samples, 0.5);
}

/** MiB/s from a port of the pod. */
export async function forwardOutput(road: ForwardRoad, bytes: number): Promise<number> {
  const forward = await road.open();
  try {
    const channel = await forward.dial(9000);
    const before = performance.now();
    expect(await count(channel, bytes), bytes, `${road.entry}, ${road.transport}, from the port`);
    return mebibytesPerSecond(bytes, performance.now() - before);
  } finally {
    forward.close();
  }
}

/** MiB/s to a port of the pod, which counts blocks: containerd gives up an answer that comes a second after a FIN. */
export async function forwardInput(road: ForwardRoad, bytes: number): Promise<number> {
  const forward = await road.open();
  try {
    const channel = await forward.dial(9001);
    const before = performance.now();
    const answer = text(channel);
    await send(channel, bytes);
    expect(told(await answer), bytes, `${road.entry}, ${road.transport}, to the port`);
    return mebibytesPerSecond(bytes, performance.now() - before);
  } finally {
    forward.close();
  }
}

/** Milliseconds of a new connection with one byte there and back inside an open forward, p50. */
export async function forwardLatency(road: ForwardRoad, rounds: number): Promise<number> {
  const forward = await road.open();
  try {
    const samples = await timed(rounds, async () => {
      const channel = await forward.dial(9002);
      const echo = count(channel, 1);
      channel.write(Buffer.from('x'));
      await echo;
      channel.end();
    });
    return percentile(samples, 0.5);
  } finally {
    forward.close();
  }
}

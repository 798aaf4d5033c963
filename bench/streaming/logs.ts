import { setTimeout as delay } from 'node:timers/promises';
import type { ByteSink } from '@wherry/bytes';
import { logs } from '@wherry/client';
import { type MeasuredNode, podManifest } from '../node.ts';
import { mebibytesPerSecond, percentile, timed } from '../statistics.ts';
import { blockBytes } from './measures.ts';
import type { Road } from './road.ts';
import type { Targets } from './targets.ts';

const lineBytes = 98;
const pod = 'bench-lines';
/** Time for `logs -f` to have begun. */
const settleMs = 1_000;

/** MiB/s of `logs -f` over a log of `lines` lines that is there already, and of one that is being written. */
export async function followThroughput(
  node: MeasuredNode,
  { client }: Targets,
  lines: number,
): Promise<{ stored: number; live: number }> {
  const script = `yes ${'x'.repeat(lineBytes - 1)} | head -n ${lines}; sleep 86400`;
  await node.request('POST', '/api/v1/namespaces/default/pods', podManifest(pod, ['sh', '-c', script]));
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=60s']);
  const live = await follow(client, lines * lineBytes);
  const stored = await follow(client, lines * lineBytes);
  return { live, stored };
}

async function follow(client: Targets['client'], bytes: number): Promise<number> {
  const before = performance.now();
  let received = 0;
  for await (const chunk of logs(client, { namespace: 'default', pod, follow: true, resume: false })) {
    received += chunk.length;
    if (received >= bytes) break;
  }
  if (received !== bytes) throw new Error(`logs -f: ${received} of ${bytes} bytes arrived`);
  return mebibytesPerSecond(bytes, performance.now() - before);
}

/** Milliseconds from a line typed into a container until the block that it asks for is out of `logs -f`, p50. */
export async function followLatency({ client }: Targets, road: Road, rounds: number): Promise<number> {
  const session = await road.attach({ stdin: true, stdout: true });
  session.exitCode.catch(() => {});
  session.stdout?.receive({ data() {}, end() {}, closed() {} });
  const controller = new AbortController();
  const follower = logs(client, {
    namespace: 'default',
    pod: 'bench',
    container: 'attach',
    follow: true,
    tailLines: 0,
    resume: false,
    signal: controller.signal,
  });
  try {
    await settle(session.stdin!, follower);
    return percentile(await timed(rounds, () => typed(session.stdin!, follower)), 0.5);
  } finally {
    controller.abort(new Error('measured'));
    await follower.return().catch(() => {});
    session.close();
  }
}

/** The container prints one block, and all of it comes out again. */
function typed(stdin: ByteSink, follower: AsyncGenerator<Uint8Array>): Promise<void> {
  stdin.write(Buffer.from('1\n'));
  return readBlock(follower, follower.next());
}

/** Once a first block is through, the follower is there. */
async function settle(stdin: ByteSink, follower: AsyncGenerator<Uint8Array>): Promise<void> {
  const first = follower.next();
  await delay(settleMs);
  stdin.write(Buffer.from('1\n'));
  await readBlock(follower, first);
}

async function readBlock(
  follower: AsyncGenerator<Uint8Array>,
  first: Promise<IteratorResult<Uint8Array>>,
): Promise<void> {
  for (let next = await first, received = 0; ; next = await follower.next()) {
    if (next.done) throw new Error('logs -f ended');
    received += next.value.length;
    if (received > blockBytes) return;
  }
}

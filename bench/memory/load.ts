/** A working day of a node in a few minutes: exec sessions, pods that come and go, and bytes that stream through. */
import { setTimeout as sleep } from 'node:timers/promises';
import { captureExec, type KubeClient, kinds, openExec } from '@wherry/client';

const sessionsAtOnce = 20;
const podsAtOnce = 20;
const bytesPerStream = 512 * 1024 ** 2;
const pollMs = 100;
const podsTimeoutMs = 300_000;
const transports = ['websocket', 'spdy'] as const;

export interface Load {
  sessions: number;
  pods: number;
  gigabytes: number;
}

export interface LoadTarget {
  client: KubeClient;
  /** A running pod of the namespace "default" whose image has busybox's commands. */
  pod: string;
  /** Manifest of a further pod of that name, which runs until it is deleted. */
  manifest(name: string): object;
}

/** Puts the whole load on a node, one kind after the other, and calls `step` after each. */
export async function putLoad(
  target: LoadTarget,
  load: Load,
  step: (what: string) => void = () => {},
): Promise<void> {
  await runSessions(target, load.sessions);
  step(`${load.sessions} exec sessions`);
  await makeAndRemovePods(target, load.pods);
  step(`${load.pods} pods made and gone`);
  await streamBytes(target, load.gigabytes * 1e9);
  step(`${load.gigabytes} GB streamed`);
}

/** Runs `act` for 0 to `count` - 1, so many at once. */
async function inWaves(count: number, atOnce: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const transportOf = (index: number) => transports[index % transports.length] ?? 'websocket';

/** Short commands, over both transports by turns; each must answer with its own output and code. */
function runSessions({ client, pod }: LoadTarget, count: number): Promise<void> {
  return inWaves(count, sessionsAtOnce, async (index) => {
    const command = ['sh', '-c', `echo ${index}; exit ${index % 200}`];
    const transport = transportOf(index);
    const answer = await captureExec(client, { namespace: 'default', pod, command, transport });
    if (answer.stdout !== `${index}\n` || answer.exitCode !== index % 200)
      throw new Error(`session ${index} answered ${JSON.stringify(answer)}`);
  });
}

async function makeAndRemovePods({ client, manifest }: LoadTarget, count: number): Promise<void> {
  const pods = client.resource(kinds.pods);
  for (let first = 0; first < count; first += podsAtOnce) {
    const size = Math.min(podsAtOnce, count - first);
    const names = Array.from({ length: size }, (_, index) => `load-${first + index}`);
    const present = async () =>
      (await pods.listAll({ namespace: 'default' })).items.filter(({ metadata }) =>
        names.includes(metadata?.name ?? ''),
      );
    await Promise.all(names.map((name) => pods.create(manifest(name) as never, { namespace: 'default' })));
    await until('the pods run', async () =>
      (await present()).every((pod) => (pod as { status?: { phase?: string } }).status?.phase === 'Running'),
    );
    await Promise.all(
      names.map((name) => pods.delete({ namespace: 'default', name }, { gracePeriodSeconds: 0 })),
    );
    await until('the pods are gone', async () => (await present()).length === 0);
  }
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + podsTimeoutMs;
  while (!(await look())) {
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${podsTimeoutMs / 1000} s`);
    await sleep(pollMs);
  }
}

/** Half of the bytes out of the pod and half into it, over both transports by turns. */
async function streamBytes(target: LoadTarget, bytes: number): Promise<void> {
  for (let done = 0, index = 0; done < bytes; done += bytesPerStream, index++) {
    const size = Math.min(bytesPerStream, bytes - done);
    const transport = transportOf(index >> 1);
    await (index % 2 === 0 ? readFrom(target, size, transport) : writeTo(target, size, transport));
  }
}

type Transport = (typeof transports)[number];

async function readFrom({ client, pod }: LoadTarget, size: number, transport: Transport): Promise<void> {
  const command = ['head', '-c', String(size), '/dev/zero'];
  const streams = { stdin: false, stdout: true, stderr: false };
  const session = await openExec(client, { namespace: 'default', pod, command, transport, ...streams });
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    session.stdout?.receive({
      data: (chunk) => {
        received += chunk.length;
      },
      end: resolve,
      closed: (error) => (error ? reject(error) : resolve()),
    });
  });
  await session.exitCode;
  if (received !== size) throw new Error(`${received} of ${size} bytes came out over ${transport}`);
}

async function writeTo({ client, pod }: LoadTarget, size: number, transport: Transport): Promise<void> {
  const command = ['sh', '-c', `test $(wc -c) = ${size}`];
  const streams = { stdin: true, stdout: false, stderr: false };
  const session = await openExec(client, { namespace: 'default', pod, command, transport, ...streams });
  const piece = Buffer.alloc(1024 ** 2);
  for (let sent = 0; sent < size; sent += piece.length) {
    const rest = piece.subarray(0, Math.min(piece.length, size - sent));
    if (!session.stdin?.write(rest)) await session.stdin?.drained();
  }
  session.stdin?.end();
  if ((await session.exitCode) !== 0) throw new Error(`not all of ${size} bytes went in over ${transport}`);
}

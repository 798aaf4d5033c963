import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RouteNetlink } from '@wherry/linux';
import { startTestNode, type TestNode } from './node.ts';

const gateway = '10.85.11.1';
const bytes = 2_000_000;
/** 8 Mbit/s are 1,000,000 bytes a second; what may come at once is a tenth of that. */
const limited = '8M';
/** A transfer at the rate takes two seconds; one that never begins or ends fails its test. */
const transferTimeoutMs = 60_000;
const secondsAtRate = (bytes - 100_000) / 1_000_000;

const limitedBy = (direction: 'ingress' | 'egress', rate = limited) => ({
  annotations: { [`kubernetes.io/${direction}-bandwidth`]: rate },
});

suite('a pod with a limit of bandwidth', () => {
  let node: TestNode;
  before(async () => {
    node = await startTestNode(11);
  });
  after(() => node.close());

  const makePod = async (change = {}, container = {}) => {
    const id = await node.runPod(change);
    return { id, container: await node.runScript(id, 'sleep 1000', container) };
  };

  /** Seconds in which a pod takes 2 MB from the machine, or gives them to it. */
  async function seconds(pod: { container: string }, direction: 'ingress' | 'egress'): Promise<number> {
    const signal = AbortSignal.timeout(transferTimeoutMs);
    await using server = await listen(signal, direction === 'ingress' ? Buffer.alloc(bytes) : undefined);
    const nc = `nc ${gateway} ${server.port}`;
    const script = direction === 'ingress' ? `${nc} | wc -c` : `head -c ${bytes} /dev/zero | ${nc}`;
    const startedMs = performance.now();
    const [output] = await Promise.all([node.output(pod.container, 'sh', '-c', script), server.done]);
    if (direction === 'ingress') assert.equal(output.trim(), `${bytes}`);
    else assert.equal(await server.done, bytes, output);
    return (performance.now() - startedMs) / 1000;
  }

  const detours = () => {
    using routes = new RouteNetlink();
    return routes.links().filter(({ kind, alias }) => kind === 'ifb' && alias === node.bridgeName);
  };

  test('gets at its rate, and sends as fast as others', async () => {
    const pod = await makePod(limitedBy('ingress'));
    const slow = await seconds(pod, 'ingress');
    assert.ok(slow > secondsAtRate * 0.9 && slow < secondsAtRate * 2, `${slow} s`);
    const fast = await seconds(pod, 'egress');
    assert.ok(fast < secondsAtRate / 2, `${fast} s`);
  });

  test('sends at its rate, also after it took away all limits that it can reach, and gets as fast as others', async () => {
    const security = { capabilities: { addCapabilities: ['NET_ADMIN'] } };
    const pod = await makePod(limitedBy('egress'), { linux: { securityContext: security } });
    const { info } = await node.cri.runtime.podSandboxStatus({ podSandboxId: pod.id, verbose: true });
    const space: string = JSON.parse(info['info'] ?? '').namespaces.net;
    const inside = execFileSync('nsenter', [`--net=${space}`, 'tc', 'qdisc', 'show'], { encoding: 'utf8' });
    assert.doesNotMatch(inside, /tbf|ingress/, 'what limits it is on the machine');
    const slow = await seconds(pod, 'egress');
    assert.ok(slow > secondsAtRate * 0.9 && slow < secondsAtRate * 2, `${slow} s`);
    const fast = await seconds(pod, 'ingress');
    assert.ok(fast < secondsAtRate / 2, `${fast} s`);
  });

  test('is held to it by other pods too, keeps it over a restart of the runtime, and leaves nothing', async () => {
    const pod = await makePod(limitedBy('egress'));
    const before = detours().length;
    await node.restart();
    assert.equal(detours().length, before);
    const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId: pod.id });
    const other = await makePod();
    const reached = await node.output(
      other.container,
      'ping',
      '-c',
      '1',
      '-W',
      '2',
      status?.network?.ip ?? '',
    );
    assert.match(reached, /1 packets received/);
    const slow = await seconds(pod, 'egress');
    assert.ok(slow > secondsAtRate * 0.9, `${slow} s`);
    for (const { id } of (await node.cri.runtime.listPodSandbox()).items)
      await node.cri.runtime.removePodSandbox({ podSandboxId: id });
    for (let tries = 0; detours().length > 0 && tries < 100; tries++) await delay(100);
    assert.deepEqual(detours(), []);
  });

  test('may have any rate from 1k to 1P', async () => {
    for (const rate of ['1k', '40G', '1P'])
      await node.runPod({
        annotations: { ...limitedBy('ingress', rate).annotations, ...limitedBy('egress', rate).annotations },
      });
    await assert.rejects(
      node.runPod(limitedBy('ingress', '1')),
      /ingress-bandwidth: "1": want bits per second/,
    );
  });
});

/** A server on the machine that sends what it is given, or counts what it gets, to one client. */
async function listen(
  signal: AbortSignal,
  content: Buffer | undefined,
): Promise<{
  port: number;
  done: Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const server: Server = createServer({ allowHalfOpen: true }).listen(0, gateway);
  await once(server, 'listening');
  const done = (async () => {
    const [socket] = (await once(server, 'connection', { signal })) as [Socket];
    addAbortSignal(signal, socket);
    if (content) {
      socket.resume().end(content);
      await once(socket, 'close');
      return content.byteLength;
    }
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).byteLength;
    socket.end();
    return received;
  })();
  return {
    port: (server.address() as { port: number }).port,
    done,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

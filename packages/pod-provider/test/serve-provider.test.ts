import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import {
  ContainerEventType,
  ContainerState,
  type CriClient,
  createCriClient,
  isCriError,
  NamespaceMode,
} from '@wherry/cri';
import { type PodProvider, type ProvidedUsage, serveProvider } from '../src/index.ts';
import { MemoryProvider } from './memory-provider.ts';

const metadata = { name: 'web', namespace: 'default', uid: 'u' };

async function served(t: TestContext, provider: PodProvider, clock = new FakeClock()) {
  const folder = mkdtempSync(join(tmpdir(), 'provider-'));
  const socketPath = join(folder, 'cri.sock');
  const running = await serveProvider({ provider, socketPath, clock });
  const client = createCriClient(socketPath);
  t.after(async () => {
    client.close();
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client, clock, folder, running };
}

async function sandboxOf({ runtime }: CriClient, folder: string): Promise<string> {
  const { podSandboxId } = await runtime.runPodSandbox({ config: { metadata, logDirectory: folder } });
  return podSandboxId;
}

async function containerOf(client: CriClient, podSandboxId: string, more: object = {}): Promise<string> {
  await client.images.pullImage({ image: { image: 'demo:1' } });
  const image = { image: 'demo:1' };
  const { containerId } = await client.runtime.createContainer({
    podSandboxId,
    config: { metadata: { name: 'c' }, image, logPath: 'c.log', ...more },
  });
  return containerId;
}

const stateOf = async ({ runtime }: CriClient, containerId: string) =>
  (await runtime.containerStatus({ containerId })).status;

const isOver = async (client: CriClient, id: string) => {
  for (;;) {
    const status = await stateOf(client, id);
    if (status?.state === ContainerState.CONTAINER_EXITED) return status;
  }
};

test('a container has what the kubelet said, writes its log in whole lines, and tells its exit code', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  const { network } = (await client.runtime.podSandboxStatus({ podSandboxId: sandbox })).status ?? {};
  assert.deepEqual([network?.ip, network?.additionalIps], ['10.0.0.1', [{ ip: 'fd00::1' }]]);
  const id = await containerOf(client, sandbox, {
    command: ['run'],
    args: ['fast'],
    envs: [{ key: 'A', value: Buffer.from('b') }],
  });
  await client.runtime.startContainer({ containerId: id });
  const [container] = provider.containers;
  assert.deepEqual(
    [container?.name, container?.pod.name, container?.command, container?.args],
    ['c', 'web', ['run'], ['fast']],
  );
  assert.deepEqual(container?.environment, { A: 'b' });
  const process = await provider.process(1);
  process.io.stdout.write('one\ntw');
  process.io.stdout.write('o\n');
  process.io.stderr.write('no end');
  process.exit(3);
  const { exitCode, reason } = await isOver(client, id);
  assert.deepEqual([exitCode, reason], [3, 'Error']);
  const lines = readFileSync(join(folder, 'c.log'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\S+ /, ''));
  assert.deepEqual(lines.toSorted(), ['', 'stderr P no end', 'stdout F one', 'stdout F two']);
});

test('a process that can not be followed to its end counts as 255, and its error is the message', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  (await provider.process(1)).fail(new Error('the machine was lost'));
  const { exitCode, message } = await isOver(client, id);
  assert.deepEqual([exitCode, message], [255, 'the machine was lost']);
});

test('a refused start leaves a container that has ended, and says why with the code of the refusal', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  provider.startFailure = Object.assign(new Error('no room'), { code: 'RESOURCE_EXHAUSTED' });
  await assert.rejects(
    client.runtime.startContainer({ containerId: id }),
    (error) => isCriError(error, 'RESOURCE_EXHAUSTED') && /no room/.test(String(error)),
  );
  const { exitCode, reason } = await isOver(client, id);
  assert.deepEqual([exitCode, reason], [128, 'StartError']);
  await assert.rejects(client.runtime.startContainer({ containerId: id }), /was started before/);
});

test('a container that heeds no request to end is killed when its grace is over', async (t) => {
  const provider = new MemoryProvider();
  provider.heeds = [9];
  const { client, folder, clock } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  const process = await provider.process(1);
  const stopped = client.runtime.stopContainer({ containerId: id, timeout: 30 });
  while (process.signals.length === 0) await new Promise(setImmediate);
  await clock.advanceAsync(29_000);
  assert.deepEqual(process.signals, [15]);
  await clock.advanceAsync(1_000);
  await stopped;
  assert.deepEqual(process.signals, [15, 9]);
  assert.equal((await isOver(client, id)).exitCode, 137);
});

test('a log goes on in a new file once the old one has been put away', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  const process = await provider.process(1);
  const log = join(folder, 'c.log');
  await new Promise((resolve) => process.io.stdout.write('before\n', resolve));
  renameSync(log, `${log}.1`);
  await client.runtime.reopenContainerLog({ containerId: id });
  await new Promise((resolve) => process.io.stdout.write('after\n', resolve));
  assert.match(readFileSync(`${log}.1`, 'utf8'), /stdout F before\n$/);
  assert.match(readFileSync(log, 'utf8'), /^\S+ stdout F after\n$/);
});

test('a command gives its output and its code; one that takes too long is asked to end, killed, and told', async (t) => {
  const provider = new MemoryProvider();
  provider.heeds = [9];
  const { client, folder, clock } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  const quick = client.runtime.execSync({ containerId: id, cmd: ['quick'] });
  const first = await provider.process(2);
  first.io.stdout.write('out');
  first.io.stderr.write('err');
  first.exit(4);
  const { stdout, stderr, exitCode } = await quick;
  assert.deepEqual([String(Buffer.from(stdout)), String(Buffer.from(stderr)), exitCode], ['out', 'err', 4]);
  const slow = client.runtime.execSync({ containerId: id, cmd: ['slow'], timeout: 1 });
  const second = await provider.process(3);
  const told = assert.rejects(slow, (error) => isCriError(error, 'DEADLINE_EXCEEDED'));
  await clock.advanceAsync(1_000);
  assert.deepEqual(second.signals, [15]);
  await clock.advanceAsync(2_000);
  assert.deepEqual(second.signals, [15, 9]);
  await told;
});

test('a pod that is over takes its containers along, once', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  const id = await containerOf(client, sandbox);
  await client.runtime.startContainer({ containerId: id });
  await client.runtime.stopPodSandbox({ podSandboxId: sandbox });
  assert.equal((await isOver(client, id)).exitCode, 137);
  assert.deepEqual(provider.stopped, ['web']);
  await assert.rejects(containerOf(client, sandbox), (error) => isCriError(error, 'FAILED_PRECONDITION'));
  await client.runtime.removePodSandbox({ podSandboxId: sandbox });
  await client.runtime.removePodSandbox({ podSandboxId: sandbox });
  assert.deepEqual((await client.runtime.listContainers({})).containers, []);
  assert.deepEqual((await client.runtime.listPodSandbox({})).items, []);
});

test('a pod that is over waits for a start that is under way, and ends what came of it', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  const id = await containerOf(client, sandbox);
  const hold = Promise.withResolvers<void>();
  provider.startsAfter = hold.promise;
  const started = client.runtime.startContainer({ containerId: id });
  const removed = client.runtime.removePodSandbox({ podSandboxId: sandbox });
  await client.runtime.version({});
  hold.resolve();
  await Promise.all([started, removed]);
  assert.deepEqual((await provider.process(1)).signals, [9]);
});

test('a start that is no longer wanted is told so', async (t) => {
  const provider = new MemoryProvider();
  provider.heedsSignals = true;
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  const id = await containerOf(client, sandbox);
  provider.startsAfter = new Promise(() => {});
  const refused = assert.rejects(client.runtime.startContainer({ containerId: id }), /is to end/);
  await client.runtime.version({});
  await client.runtime.stopContainer({ containerId: id, timeout: 30 });
  await refused;
  assert.equal((await isOver(client, id)).reason, 'StartError');
});

test('a command that has not begun when its time is over is told of, and killed when it begins', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder, clock } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  const hold = Promise.withResolvers<void>();
  provider.commandsAfter = hold.promise;
  const slow = client.runtime.execSync({ containerId: id, cmd: ['slow'], timeout: 1 });
  const told = assert.rejects(slow, (error) => isCriError(error, 'DEADLINE_EXCEEDED'));
  await client.runtime.version({});
  await clock.advanceAsync(1_000);
  await told;
  hold.resolve();
  const late = await provider.process(2);
  while (late.signals.length === 0) await client.runtime.version({});
  assert.deepEqual(late.signals, [9]);
});

test('a runtime that closes leaves behind what its provider does not end', async (t) => {
  const provider = new MemoryProvider();
  provider.heeds = [];
  const { client, folder, clock, running } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  client.close();
  let isClosed = false;
  const closing = running.close().then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    await clock.advanceAsync(1_000);
    await new Promise(setImmediate);
  }
  await closing;
  assert.deepEqual((await provider.process(1)).signals, [9]);
  assert.deepEqual(provider.stopped, ['web']);
});

test('a command ends with the container that it runs in', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  await client.runtime.startContainer({ containerId: id });
  const ran = client.runtime.execSync({ containerId: id, cmd: ['wait'] });
  const command = await provider.process(2);
  (await provider.process(1)).exit(0);
  assert.equal((await ran).exitCode, 137);
  assert.deepEqual(command.signals, [9]);
});

test('a pod that can not be made leaves nothing', async (t) => {
  const provider = Object.assign(new MemoryProvider(), {
    startPod: () => Promise.reject(new Error('no address is free')),
  });
  const { client, folder } = await served(t, provider);
  await assert.rejects(sandboxOf(client, folder), /no address is free/);
  assert.deepEqual((await client.runtime.listPodSandbox({})).items, []);
});

test('starts and ends are told as they come, with the pod they are of', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const id = await containerOf(client, await sandboxOf(client, folder));
  const events = client.runtime.getContainerEvents({})[Symbol.asyncIterator]();
  const next = events.next();
  // The stream is open once the server has answered something that was asked behind it.
  await client.runtime.version({});
  await client.runtime.startContainer({ containerId: id });
  (await provider.process(1)).exit(0);
  const told = [(await next).value, (await events.next()).value];
  assert.deepEqual(
    told.map((event) => [
      event?.containerId,
      event?.containerEventType,
      event?.podSandboxStatus?.metadata?.name,
    ]),
    [
      [id, ContainerEventType.CONTAINER_STARTED_EVENT, 'web'],
      [id, ContainerEventType.CONTAINER_STOPPED_EVENT, 'web'],
    ],
  );
  await events.return?.();
});

test('figures are those of the provider, of a pod the sum', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  for (const _ of [1, 2])
    await client.runtime.startContainer({ containerId: await containerOf(client, sandbox) });
  const { stats } = await client.runtime.listPodSandboxStats({});
  assert.equal(stats[0]?.linux?.memory?.workingSetBytes?.value, 2_048);
  assert.equal(stats[0]?.linux?.cpu?.usageCoreNanoSeconds?.value, 10_000);
  assert.equal((await client.runtime.listContainerStats({})).stats.length, 2);
});

test('what nobody says is left out: of a container, and of a pod of which a part is known', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  for (const _ of [1, 2])
    await client.runtime.startContainer({ containerId: await containerOf(client, sandbox) });
  Object.assign(await provider.process(2), { usage: undefined });
  const [pod] = (await client.runtime.listPodSandboxStats({})).stats;
  assert.deepEqual([pod?.linux?.cpu, pod?.linux?.memory], [undefined, undefined]);
  const [known, unknown] = pod?.linux?.containers ?? [];
  assert.equal(known?.memory?.workingSetBytes?.value, 1_024);
  assert.deepEqual([unknown?.cpu, unknown?.memory], [undefined, undefined]);
});

test('figures that are none keep no others back, and what was said before stands', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  for (const _ of [1, 2])
    await client.runtime.startContainer({ containerId: await containerOf(client, sandbox) });
  const wrong = await provider.process(1);
  const told = async () =>
    (await client.runtime.listContainerStats({})).stats.map(({ cpu, memory }) => [
      cpu?.usageCoreNanoSeconds?.value,
      memory?.usageBytes?.value,
    ]);
  wrong.answer = () => ({ cpuNs: 7n, memoryBytes: 1.5 });
  assert.deepEqual(await told(), [
    [7, 2],
    [5_000, 1_024],
  ]);
  const none = [
    { cpuNs: -1n, memoryBytes: 1 },
    { cpuNs: 2n ** 64n, memoryBytes: 1 },
    { cpuNs: 9, memoryBytes: 1 },
    { cpuNs: 9n, memoryBytes: Number.NaN },
    { cpuNs: 9n, memoryBytes: -1 },
    { cpuNs: 9n, memoryBytes: Number.POSITIVE_INFINITY },
    { cpuNs: 9n },
  ];
  for (const figures of none) {
    wrong.answer = () => figures as ProvidedUsage;
    assert.deepEqual(await told(), [
      [7, 2],
      [5_000, 1_024],
    ]);
  }
});

test('a pod of the node’s network is told no address but what its provider says', async (t) => {
  const namespaceOptions = { network: NamespaceMode.NODE };
  const config = { metadata, linux: { securityContext: { namespaceOptions } } };
  for (const [provider, ip] of [
    [Object.assign(new MemoryProvider(), { startPod: undefined }) as PodProvider, ''],
    [new MemoryProvider(), '10.0.0.1'],
  ] as const) {
    const { client } = await served(t, provider);
    const { podSandboxId } = await client.runtime.runPodSandbox({ config });
    assert.equal((await client.runtime.podSandboxStatus({ podSandboxId })).status?.network?.ip, ip);
  }
});

test('a provider that does not say what one container takes keeps no other figures back, and what it said stands', async (t) => {
  const provider = new MemoryProvider();
  const { client, folder, clock } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  for (const _ of [1, 2])
    await client.runtime.startContainer({ containerId: await containerOf(client, sandbox) });
  await client.runtime.listContainerStats({});
  const [silent, failing] = [await provider.process(1), await provider.process(2)];
  silent.answer = () => new Promise(() => {});
  failing.answer = () => Promise.reject(new Error('away'));
  for (const _ of ['asked', 'asked again']) {
    let stats: Awaited<ReturnType<typeof client.runtime.listContainerStats>>['stats'] | undefined;
    const asking = client.runtime.listContainerStats({}).then((answer) => {
      stats = answer.stats;
    });
    while (!stats) {
      await client.runtime.version({});
      await clock.advanceAsync(500);
    }
    await asking;
    assert.deepEqual(
      stats.map(({ cpu }) => cpu?.usageCoreNanoSeconds?.value),
      [5_000, 5_000],
    );
  }
});

test('figures are of those that a filter chooses', async (t) => {
  const { client, folder } = await served(t, new MemoryProvider());
  const sandbox = await sandboxOf(client, folder);
  const id = await containerOf(client, sandbox);
  await client.runtime.startContainer({ containerId: id });
  const containerStats = async (filter: object) =>
    (await client.runtime.listContainerStats({ filter })).stats;
  const podSandboxStats = async (filter: object) =>
    (await client.runtime.listPodSandboxStats({ filter })).stats;
  for (const [figures, filter, count] of [
    [containerStats, { id }, 1],
    [containerStats, { podSandboxId: 'another' }, 0],
    [containerStats, { labelSelector: { no: 'such' } }, 0],
    [podSandboxStats, { id: sandbox }, 1],
    [podSandboxStats, { id: 'another' }, 0],
    [podSandboxStats, { labelSelector: { no: 'such' } }, 0],
  ] as const)
    assert.equal((await figures(filter)).length, count, JSON.stringify(filter));
});

test('images are known once they were asked for, by every name, until they are removed', async (t) => {
  const { client } = await served(t, new MemoryProvider());
  await assert.rejects(client.images.pullImage({ image: { image: 'other' } }), (error) =>
    isCriError(error, 'NOT_FOUND'),
  );
  assert.equal((await client.images.imageStatus({ image: { image: 'demo:1' } })).image, undefined);
  const { imageRef } = await client.images.pullImage({ image: { image: 'demo:1' } });
  for (const name of ['demo:1', imageRef])
    assert.equal((await client.images.imageStatus({ image: { image: name } })).image?.id, imageRef);
  await client.images.removeImage({ image: { image: 'demo:1' } });
  assert.deepEqual((await client.images.listImages({})).images, []);
});

test('a provider that runs no commands and connects to no ports says so by its name', async (t) => {
  const memory = new MemoryProvider();
  const provider = {
    ...{ name: 'bare', version: '1' },
    image: (name: string) => memory.image(name),
    start: (...words: Parameters<MemoryProvider['start']>) => memory.start(...words),
  };
  const { client, folder } = await served(t, provider);
  const sandbox = await sandboxOf(client, folder);
  assert.equal(
    (await client.runtime.podSandboxStatus({ podSandboxId: sandbox })).status?.network?.ip,
    '127.0.0.1',
  );
  const id = await containerOf(client, sandbox);
  await client.runtime.startContainer({ containerId: id });
  await assert.rejects(
    client.runtime.execSync({ containerId: id, cmd: ['a'] }),
    /bare runs no commands in containers/,
  );
});

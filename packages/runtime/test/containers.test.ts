import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  ContainerEventType,
  ContainerState,
  MountPropagation,
  Signal,
  SupplementalGroupsPolicy,
} from '@wherry/cri';
import { readMountInfo } from '@wherry/linux';
import { startTestRegistry } from '../../images/test/registry.ts';
import { startTestNode, type TestNode } from './node.ts';

suite('containers', () => {
  let node: TestNode;
  let pod: string;
  before(async () => {
    node = await startTestNode(2);
    pod = await node.runPod();
  });
  after(() => node.close());

  const status = async (containerId: string) =>
    (await node.cri.runtime.containerStatus({ containerId })).status;
  const create = async (config: object) =>
    (
      await node.cri.runtime.createContainer({
        podSandboxId: pod,
        config: { image: { image: 'box' }, ...config },
      })
    ).containerId;

  for (const [script, exitCode, reason] of [
    ['exit 0', 0, 'Completed'],
    ['exit 7', 7, 'Error'],
    ['kill -9 $$; sleep 1', 137, 'Error'],
  ] as const) {
    test(`"${script}" ends with ${exitCode} and ${reason}`, async () => {
      const script_ = script.includes('kill') ? 'sh -c "kill -9 \\$\\$"; exit $?' : script;
      const ended = await node.ended(await node.runScript(pod, script_));
      assert.deepEqual([ended.exitCode, ended.reason], [exitCode, reason]);
    });
  }

  test('a missing program fails the start and leaves the container ended with its path in the message', async () => {
    const containerId = await create({
      metadata: { name: 'missing', attempt: 0 },
      command: ['/no/such/program'],
    });
    await assert.rejects(node.cri.runtime.startContainer({ containerId }), /no such file/i);
    const shown = await status(containerId);
    assert.equal(shown?.state, ContainerState.CONTAINER_EXITED);
    assert.deepEqual([shown?.exitCode, shown?.reason], [128, 'StartError']);
    assert.match(shown?.message ?? '', /\/no\/such\/program/);
  });

  test('a container starts once', async () => {
    const containerId = await node.runScript(pod, 'sleep 1000');
    await assert.rejects(
      node.cri.runtime.startContainer({ containerId }),
      /is running, so it cannot be started/,
    );
  });

  test('a repeated request gets the container of the first, until that was started', async () => {
    const config = { metadata: { name: 'twin', attempt: 0 }, command: ['sleep', '1000'] };
    const [one, two] = await Promise.all([create(config), create(config)]);
    assert.equal(one, two);
    await assert.rejects(create({ ...config, command: ['other'] }), { code: 'ALREADY_EXISTS' });
    await node.cri.runtime.startContainer({ containerId: one });
    await assert.rejects(create(config), { code: 'ALREADY_EXISTS' });
  });

  test('a container that cannot be made leaves no folder, no mount and its name free', async () => {
    const traces = () => [
      readdirSync(join(node.folder, 'runtime/containers')).length,
      readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(node.folder)).length,
    ];
    const before = traces();
    const metadata = { name: 'unmade', attempt: 0 };
    const linux = { securityContext: { runAsUsername: 'no-such-user' } };
    await assert.rejects(create({ metadata, command: ['true'], linux }), /no-such-user/);
    assert.deepEqual(traces(), before);
    await create({ metadata, command: ['true'] });
  });

  test('times come in order', async () => {
    const id = await node.runScript(pod, 'exit 0');
    await node.ended(id);
    const shown = await status(id);
    assert.ok(
      shown &&
        shown.createdAt > 0n &&
        shown.createdAt <= shown.startedAt &&
        shown.startedAt <= shown.finishedAt,
    );
  });

  test('stop asks first, and a second stop with less patience kills earlier', async () => {
    const stubborn = await node.runScript(pod, 'trap "" TERM; while true; do sleep 1; done');
    const started = performance.now();
    const patient = node.cri.runtime.stopContainer({ containerId: stubborn, timeout: 60 });
    await node.cri.runtime.stopContainer({ containerId: stubborn, timeout: 1 });
    await patient;
    assert.ok(performance.now() - started < 10_000);
    assert.equal((await status(stubborn))?.exitCode, 137);
  });

  test("the request's stop signal is used and told", async () => {
    const id = await node.runScript(pod, 'trap "exit 42" USR1; while true; do sleep 0.1; done', {
      stopSignal: Signal.SIGNAL_SIGUSR1,
    });
    assert.equal((await status(id))?.stopSignal, Signal.SIGNAL_SIGUSR1);
    await node.cri.runtime.stopContainer({ containerId: id, timeout: 20 });
    assert.equal((await status(id))?.exitCode, 42);
  });

  test('stopping and removing unknown containers succeeds, their status is not found', async () => {
    await node.cri.runtime.stopContainer({ containerId: 'none', timeout: 1 });
    await node.cri.runtime.removeContainer({ containerId: 'none' });
    await assert.rejects(status('none'), { code: 'NOT_FOUND' });
  });

  test('a process that takes more memory than allowed is told as OOMKilled', async () => {
    const limit = 15 * 1024 * 1024;
    const resources = { memoryLimitInBytes: limit, memorySwapLimitInBytes: limit };
    const id = await node.runScript(pod, 'exec dd if=/dev/zero of=/dev/null bs=20M', {
      linux: { resources },
    });
    const { exitCode, reason } = await node.ended(id);
    assert.deepEqual([exitCode, reason], [137, 'OOMKilled']);
  });

  test('users, groups and rights are what the request says', async () => {
    const securityContext = {
      runAsUsername: 'user',
      supplementalGroups: [77],
      supplementalGroupsPolicy: SupplementalGroupsPolicy.Merge,
      noNewPrivs: true,
      capabilities: { dropCapabilities: ['ALL'] },
    };
    const id = await node.runScript(pod, 'sleep 1000', { linux: { securityContext } });
    assert.match(await node.output(id, 'id'), /uid=1000\S* gid=1000\S* groups=77,1000\S*,5000/);
    const shown = await node.output(id, 'cat', '/proc/self/status');
    assert.match(shown, /NoNewPrivs:\t1/);
    assert.match(shown, /CapBnd:\t0000000000000000/);
    assert.deepEqual((await status(id))?.user?.linux, {
      uid: 1000,
      gid: 1000,
      supplementalGroups: [77, 1000, 5000],
    });
  });

  test("writing to /dev/stdout reaches the log, also for a user who isn't root", async () => {
    const linux = { securityContext: { runAsUser: { value: 1000 } } };
    await node.ended(await node.runScript(pod, 'echo said > /dev/stdout', { linux, logPath: 'stdout.log' }));
    assert.match(node.log('stdout.log'), /stdout F said\n/);
  });

  test("the kubelet's mount of /etc/hosts wins over ours, and a linked host path mounts its target", async () => {
    const hosts = join(node.folder, 'hosts');
    writeFileSync(hosts, '1.2.3.4 theirs\n');
    mkdirSync(join(node.folder, 'target'));
    writeFileSync(join(node.folder, 'target/file'), 'through the link');
    symlinkSync(join(node.folder, 'target'), join(node.folder, 'link'));
    const mounts = [
      { hostPath: hosts, containerPath: '/etc/hosts' },
      { hostPath: join(node.folder, 'link'), containerPath: '/data', readonly: true },
    ];
    const id = await node.runScript(pod, 'sleep 1000', { mounts });
    assert.equal(
      await node.output(id, 'cat', '/etc/hosts', '/data/file'),
      '1.2.3.4 theirs\nthrough the link',
    );
    assert.match(await node.output(id, 'sh', '-c', 'touch /data/x; true'), /Read-only/);
    const told = (await status(id))?.mounts.map(({ hostPath, containerPath }) => ({
      hostPath,
      containerPath,
    }));
    assert.deepEqual(
      told,
      mounts.map(({ hostPath, containerPath }) => ({ hostPath, containerPath })),
    );
  });

  test('recursive read-only is refused unless it is readonly and private', async () => {
    for (const change of [
      { readonly: false },
      { readonly: true, propagation: MountPropagation.PROPAGATION_BIDIRECTIONAL },
    ]) {
      const mounts = [{ hostPath: '/tmp', containerPath: '/m', recursiveReadOnly: true, ...change }];
      await assert.rejects(create({ metadata: { name: 'rro', attempt: 0 }, command: ['true'], mounts }));
    }
  });

  test('an image is mounted read-only, its programs run, and a wrong sub path is told by its word', async () => {
    const image = { image: 'box' };
    const mount = { image, containerPath: '/image', readonly: true };
    const id = await node.runScript(pod, 'sleep 1000', { mounts: [mount] });
    assert.equal(await node.output(id, '/image/bin/echo', 'runs'), 'runs\n');
    assert.match(await node.output(id, 'sh', '-c', 'touch /image/x; true'), /Read-only/);
    const bad = { ...mount, imageSubPath: 'nowhere' };
    await assert.rejects(
      create({ metadata: { name: 'sub', attempt: 0 }, command: ['true'], mounts: [bad] }),
      /^CriError: ImageVolumeMountFailed/,
    );
  });

  test('an OCI artifact is mounted with its files under their titles, and is not run', async () => {
    const blobs = [Buffer.from('{}'), Buffer.from('weights')];
    const [config, model] = blobs.map((bytes) => ({
      ...{ mediaType: 'application/x.part', size: bytes.length },
      digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    }));
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const layers = [{ ...model, annotations: { 'org.opencontainers.image.title': 'models/small.bin' } }];
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers }));
    const registry = await startTestRegistry({ image: { type, manifest, blobs } });
    try {
      const name = `${registry.host}/a/b:v1`;
      const { imageRef } = await node.cri.images.pullImage({ image: { image: name } });
      const { image } = await node.cri.images.imageStatus({ image: { image: name } });
      assert.equal(image?.id, imageRef);
      assert.ok((image?.size ?? 0) > 0);
      const mounts = [{ image: { image: imageRef }, containerPath: '/artifact', readonly: true }];
      const id = await node.runScript(pod, 'sleep 1000', { mounts });
      assert.equal(await node.output(id, 'cat', '/artifact/models/small.bin'), 'weights');
      assert.match(await node.output(id, 'sh', '-c', 'touch /artifact/x; true'), /Read-only/);
      const below = [{ ...mounts[0], imageSubPath: 'models' }];
      const other = await node.runScript(pod, 'sleep 1000', { mounts: below });
      assert.equal(await node.output(other, 'cat', '/artifact/small.bin'), 'weights');
      const run = { metadata: { name: 'artifact', attempt: 0 }, image: { image: name }, command: ['true'] };
      await assert.rejects(create(run), /OCI artifact of the type "application\/x\.part": .* not be run/);
    } finally {
      registry.close();
    }
  });

  test('limits change while a container runs, and before it is started', async () => {
    const running = await node.runScript(pod, 'sleep 1000');
    const limit = 32 * 1024 * 1024;
    await node.cri.runtime.updateContainerResources({
      containerId: running,
      linux: { memoryLimitInBytes: limit },
    });
    assert.equal((await status(running))?.resources?.linux?.memoryLimitInBytes, limit);
    const created = await create({ metadata: { name: 'later', attempt: 0 }, command: ['sleep', '1000'] });
    await node.cri.runtime.updateContainerResources({
      containerId: created,
      linux: { memoryLimitInBytes: limit },
    });
    await node.cri.runtime.startContainer({ containerId: created });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { stats } = await node.cri.runtime.containerStats({ containerId: created });
    assert.equal(stats?.memory?.availableBytes?.value, limit - (stats?.memory?.workingSetBytes?.value ?? 0));
  });

  test('limits of a container that has ended change in its status alone; an unknown one is refused', async () => {
    const { runtime } = node.cri;
    const containerId = await node.runScript(pod, 'exit 0');
    await node.ended(containerId);
    await runtime.updateContainerResources({ containerId, linux: { memoryLimitInBytes: 1 << 25 } });
    assert.equal((await status(containerId))?.resources?.linux?.memoryLimitInBytes, 1 << 25);
    for (const linux of [undefined, {}])
      await assert.rejects(runtime.updateContainerResources({ containerId: 'absent', linux }), {
        code: 'NOT_FOUND',
      });
  });

  test('verbose answers have configurations where containerd has them', async () => {
    const { runtime, images } = node.cri;
    const containerId = await node.runScript(pod, 'exit 0');
    await node.ended(containerId);
    const parsed = ({ info }: { info: Record<string, string> }) => JSON.parse(info['info'] ?? '');
    const container = parsed(await runtime.containerStatus({ containerId, verbose: true }));
    assert.equal(container.pid, 0, 'its number may be that of another process by now');
    assert.equal(container.config.metadata.name, (await status(containerId))?.metadata?.name);
    assert.ok(container.runtimeSpec.process.args.includes('exit 0'));
    const sandbox = parsed(await runtime.podSandboxStatus({ podSandboxId: pod, verbose: true }));
    const spaces: { type: string; path: string }[] = sandbox.runtimeSpec.linux.namespaces;
    assert.equal(spaces.find(({ type }) => type === 'network')?.path, sandbox.namespaces.net);
    assert.ok(sandbox.config.metadata.uid);
    const image = parsed(await images.imageStatus({ image: { image: 'box' }, verbose: true }));
    assert.equal(image.imageSpec.os, 'linux');
    assert.ok(Array.isArray(image.imageSpec.rootfs.diff_ids));
  });

  test('an update of oom_score_adj reaches every process of a container, and one that is not started yet', async () => {
    const script = 'sleep 1000 & sleep 1000 & exec sleep 1000';
    const running = await node.runScript(pod, script);
    await node.cri.runtime.updateContainerResources({ containerId: running, linux: { oomScoreAdj: 321 } });
    const scores = await node.output(
      running,
      'sh',
      '-c',
      'cat /proc/1/oom_score_adj /proc/[0-9]*/oom_score_adj',
    );
    assert.ok(scores.trim().split('\n').length >= 4);
    // The command itself is started by the runtime as the container was; it came after the update.
    const sleepers = await node.output(
      running,
      'sh',
      '-c',
      'for p in $(pidof sleep); do cat /proc/$p/oom_score_adj; done',
    );
    assert.deepEqual(sleepers.trim().split('\n'), ['321', '321', '321']);
    const created = await create({ metadata: { name: 'scored', attempt: 0 }, command: ['sleep', '1000'] });
    await node.cri.runtime.updateContainerResources({ containerId: created, linux: { oomScoreAdj: 432 } });
    await node.cri.runtime.startContainer({ containerId: created });
    assert.equal(await node.output(created, 'cat', '/proc/1/oom_score_adj'), '432\n');
  });

  test('an update that fails leaves the oom_score_adj of every process as it was', async () => {
    const scores = (id: string) =>
      node.output(id, 'sh', '-c', 'for p in $(pidof sleep); do cat /proc/$p/oom_score_adj; done');
    const running = await node.runScript(pod, 'sleep 1000 & exec sleep 1000');
    const before = await scores(running);
    const change = { oomScoreAdj: 654, cpusetCpus: '100000' };
    await assert.rejects(node.cri.runtime.updateContainerResources({ containerId: running, linux: change }));
    assert.equal(await scores(running), before);
    assert.ok(!before.includes('654'));
    assert.notEqual((await status(running))?.resources?.linux?.oomScoreAdj, 654);
    // What was refused does not stand in the way of the next.
    await node.cri.runtime.updateContainerResources({ containerId: running, linux: { oomScoreAdj: 655 } });
    assert.equal(await scores(running), '655\n655\n');
  });

  test('events tell created, started, stopped and deleted in order, each with the pod', async () => {
    const stop = new AbortController();
    const seen: ContainerEventType[] = [];
    const reading = (async () => {
      for await (const event of node.cri.runtime.getContainerEvents({}, { signal: stop.signal })) {
        assert.equal(event.podSandboxStatus?.id, pod);
        seen.push(event.containerEventType);
        if (event.containerEventType !== ContainerEventType.CONTAINER_DELETED_EVENT) continue;
        const told = event.containersStatuses.map((status) => status.id);
        assert.ok(!told.includes(event.containerId), 'what is gone is in no list');
        return;
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const id = await node.runScript(pod, 'exit 0');
    await node.ended(id);
    await node.cri.runtime.removeContainer({ containerId: id });
    await reading;
    stop.abort();
    assert.deepEqual(seen, [0, 1, 2, 3]);
  });

  test('a runtime that was away tells the same lists, and the true exit code of what ended meanwhile', async () => {
    const short = await node.runScript(pod, 'sleep 1.2; exit 9');
    const long = await node.runScript(pod, 'sleep 1000');
    const lists = async () => [
      (await node.cri.runtime.listPodSandbox()).items,
      (
        await node.cri.runtime.listContainers({
          filter: { state: { state: ContainerState.CONTAINER_EXITED } },
        })
      ).containers,
    ];
    const before = await lists();
    const restarted = node.restart();
    await restarted;
    assert.equal((await node.ended(short)).exitCode, 9);
    assert.equal((await status(long))?.state, ContainerState.CONTAINER_RUNNING);
    assert.equal(await node.output(long, 'echo', 'still'), 'still\n');
    const exited = new Set((await lists())[1]?.map(({ id }) => id));
    assert.ok(before[1]?.every(({ id }) => exited.has(id)));
    assert.deepEqual((await lists())[0], before[0]);
  });
});

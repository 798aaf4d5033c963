import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ContainerConfig, type Input, NamespaceMode } from '@wherry/cri';
import { createImageClient, packTree } from '@wherry/images';
import { checkpointProblem } from '../../linux/test/needs.ts';
import { makeCheckpointLayout } from './checkpoint-layout.ts';
import { startTestNode, type TestNode } from './node.ts';

const skip = checkpointProblem();
let node: TestNode;
let archive = '';

const lines = (name: string) => node.log(name).split('\n').slice(0, -1);
const numbers = (name: string) => lines(name).map((line) => Number(line.split(' ').at(-1)));
const folderOf = (id: string) => join(node.folder, 'runtime/containers', id);

async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !condition(); ) {
    if (performance.now() > end) throw new Error(`still not so: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const script = `echo made > /made; rm /etc/group; trap "exit 9" TERM
  i=0; while sleep 0.1; do i=$((i+1)); echo $i; done`;

before(async () => {
  node = await startTestNode(39);
  if (skip) return;
  archive = join(node.folder, 'counter.tar');
  const podSandboxId = await node.runPod();
  const containerId = await node.runScript(podSandboxId, script, { logPath: 'first.log' });
  await until(() => existsSync(join(node.folder, 'logs/first.log')) && lines('first.log').length > 3);
  await node.cri.runtime.checkpointContainer({ containerId, location: archive, timeout: 60 });
  await node.cri.runtime.removePodSandbox({ podSandboxId });
});
after(() => node?.close());

/** A container of that checkpoint, in a pod of its own. */
async function restored(image: string, name: string, change: Input<ContainerConfig> = {}): Promise<string> {
  return node.runScript(await node.runPod(), 'exit 77', {
    ...{ metadata: { name, attempt: 0 }, logPath: `${name}.log`, image: { image } },
    ...change,
  });
}

const containers = async () => (await node.cri.runtime.listContainers()).containers.length;
const left = () => readdirSync(join(node.folder, 'runtime/containers')).sort();

/** The archive's files, changed, as an archive of their own. */
async function changedArchive(name: string, change: (folder: string) => void): Promise<string> {
  const folder = join(node.folder, name);
  mkdirSync(folder);
  execFileSync('tar', ['-C', folder, '-xf', archive]);
  change(folder);
  const path = `${folder}.tar`;
  execFileSync('tar', ['-C', folder, '-cf', path, ...readdirSync(folder)]);
  rmSync(folder, { recursive: true });
  return path;
}

describe('a container is brought back', { skip }, () => {
  test('from an archive, in another pod: it goes on, with its files and its log', async () => {
    const id = await restored(archive, 'back');
    const before = numbers('back.log').length;
    assert.ok(before >= 4, 'its log begins with what it had logged');
    await until(() => lines('back.log').length > before + 3);
    const counted = numbers('back.log');
    assert.deepEqual(
      [...new Set(counted)],
      counted.map((_, at) => at + 1).slice(0, new Set(counted).size),
      'it goes on where it was',
    );
    assert.equal(await node.output(id, 'cat', '/made'), 'made\n');
    assert.match(await node.output(id, 'ls', '/etc/group'), /No such file/);
    const { status } = await node.cri.runtime.containerStatus({ containerId: id });
    assert.equal(status?.image?.image, 'docker.io/library/box:latest');
    assert.equal(status?.state, 1);
    const { info } = await node.cri.runtime.containerStatus({ containerId: id, verbose: true });
    const { pid } = JSON.parse(info['info'] ?? '');
    const { containers: listed } = await node.cri.runtime.listContainers({ filter: { id } });
    const { podSandboxId = '' } = listed[0] ?? {};
    const pod = (await node.cri.runtime.podSandboxStatus({ podSandboxId, verbose: true })).info;
    const { namespaces } = JSON.parse(pod['info'] ?? '');
    for (const name of ['net', 'ipc', 'uts'])
      assert.equal(
        statSync(`/proc/${pid}/ns/${name}`).ino,
        statSync(namespaces[name]).ino,
        `of the new pod: ${name}`,
      );
    assert.deepEqual(
      readdirSync(folderOf(id)).filter((name) => name.startsWith('restore')),
      [],
    );
    await node.cri.runtime.stopContainer({ containerId: id, timeout: 10 });
    assert.equal((await node.ended(id)).exitCode, 9);
  });

  test('again and again from one archive, and is checkpointed itself', async () => {
    const id = await restored(archive, 'again');
    const next = join(node.folder, 'next.tar');
    await until(() => lines('again.log').length > 10);
    await node.cri.runtime.checkpointContainer({ containerId: id, location: next, timeout: 60 });
    const reached = numbers('again.log').at(-1)!;
    const second = await restored(next, 'second');
    await until(() => numbers('second.log').at(-1)! > reached + 2);
    assert.equal(await node.output(second, 'cat', '/made'), 'made\n');
  });

  test('survives a runtime that ends and comes again', async () => {
    const id = await restored(archive, 'kept');
    await node.restart();
    const before = lines('kept.log').length;
    await until(() => lines('kept.log').length > before + 2);
    assert.equal(await node.output(id, 'cat', '/made'), 'made\n');
  });

  test('from an image only where such images are trusted', async () => {
    const layout = makeCheckpointLayout(join(node.folder, 'layout'), archive, 'counter:1');
    await createImageClient(join(node.folder, 'runtime/images.sock')).load(packTree(layout));
    const before = [await containers(), left()];
    await assert.rejects(restored('counter:1', 'distrusted'), {
      code: 'FAILED_PRECONDITION',
      message: /image "counter:1" is a checkpoint of a container: .* --restore-checkpoint-images/,
    });
    assert.deepEqual([await containers(), left()], before);
    node.runtimeOptions.restoresCheckpointImages = true;
    await node.restart();
    const id = await restored('counter:1', 'trusted');
    await until(() => lines('trusted.log').length > 8);
    assert.equal(await node.output(id, 'cat', '/made'), 'made\n');
    const { status } = await node.cri.runtime.containerStatus({ containerId: id });
    assert.equal(status?.image?.image, 'docker.io/library/box:latest');
  });

  const hostile: [string, (folder: string) => void, RegExp][] = [
    [
      'a link to a file of the machine',
      (folder) => {
        rmSync(join(folder, 'checkpoint/pages-1.img'));
        symlinkSync('/etc/shadow', join(folder, 'checkpoint/pages-1.img'));
      },
      /"checkpoint\/pages-1\.img" is no regular file/,
    ],
    [
      'a link in place of its images',
      (folder) => {
        cpSync(join(folder, 'checkpoint'), join(node.folder, 'elsewhere'), { recursive: true });
        rmSync(join(folder, 'checkpoint'), { recursive: true });
        symlinkSync(join(node.folder, 'elsewhere'), join(folder, 'checkpoint'));
      },
      /it has no folder "checkpoint"/,
    ],
    ['no configuration', (folder) => rmSync(join(folder, 'config.dump')), /it has no file "config\.dump"/],
    [
      'an image that is not here',
      (folder) => {
        const rootfsImageRef = `box@sha256:${'0'.repeat(64)}`;
        writeFileSync(join(folder, 'config.dump'), JSON.stringify({ rootfsImageRef }));
      },
      /made from the image "box@sha256:0+" .* not on this machine; pull it first/,
    ],
    [
      'deleted files as CRI-O lists them',
      (folder) => writeFileSync(join(folder, 'deleted.files'), '["etc/group"]'),
      /"deleted\.files" lists files, as CRI-O's checkpoints do/,
    ],
  ];
  for (const [what, change, words] of hostile) {
    test(`not from an archive with ${what}, of which nothing is left`, async () => {
      const path = await changedArchive(what.replaceAll(' ', '-'), change);
      const before = [await containers(), left()];
      await assert.rejects(restored(path, 'hostile'), (error: Error) => {
        assert.ok(error.message.startsWith(`checkpoint "${path}": `), error.message);
        assert.match(error.message, words);
        return true;
      });
      assert.deepEqual([await containers(), left()], before);
    });
  }

  test('without the log of its archive, where that is a link (CVE-2026-53489)', async () => {
    const path = await changedArchive('linked-log', (folder) => {
      rmSync(join(folder, 'container.log'));
      symlinkSync('/etc/passwd', join(folder, 'container.log'));
    });
    await restored(path, 'linked');
    await until(() => lines('linked.log').length > 2);
    assert.ok(numbers('linked.log').every((number) => number > 0));
  });

  test('not in a pod with users of its own', async () => {
    const mappings = [{ hostId: 500_000, containerId: 0, length: 65_536 }];
    const usernsOptions = { mode: NamespaceMode.POD, uids: mappings, gids: mappings };
    const linux = { securityContext: { namespaceOptions: { usernsOptions } } };
    const podSandboxId = await node.runPod({ linux });
    await assert.rejects(
      node.runScript(podSandboxId, 'exit 77', { image: { image: archive }, linux }),
      /has users of its own \(hostUsers: false\), where none can be restored/,
    );
  });

  test('not by images that CRIU refuses: why is said, and nothing of them is left', async () => {
    const path = await changedArchive('broken', (folder) => rmSync(join(folder, 'checkpoint/pages-1.img')));
    const podSandboxId = await node.runPod();
    const config = { metadata: { name: 'broken', attempt: 0 }, image: { image: path } };
    const { containerId } = await node.cri.runtime.createContainer({ podSandboxId, config });
    await assert.rejects(node.cri.runtime.startContainer({ containerId }), {
      code: 'UNKNOWN',
      message: /^runc restore: criu failed: [^\n]*; CRIU says: .*Restoring FAILED/,
    });
    const { status } = await node.cri.runtime.containerStatus({ containerId });
    assert.deepEqual([status?.state, status?.reason], [2, 'StartError']);
    assert.deepEqual(
      readdirSync(folderOf(containerId)).filter((name) => name.startsWith('restore')),
      [],
    );
    await node.cri.runtime.removeContainer({ containerId });
    assert.ok(!existsSync(folderOf(containerId)));
  });
});

test('an archive that is not there, or is none, is no container', async () => {
  const podSandboxId = await node.runPod();
  const create = (image: string) =>
    node.cri.runtime.createContainer({
      podSandboxId,
      config: { metadata: { name: 'none', attempt: 0 }, image: { image } },
    });
  await assert.rejects(create('/no/such/archive.tar'), /checkpoint "\/no\/such\/archive\.tar": ENOENT/);
  const path = join(node.folder, 'text.tar');
  writeFileSync(path, 'x'.repeat(1024));
  await assert.rejects(create(path), { code: 'INVALID_ARGUMENT' });
});

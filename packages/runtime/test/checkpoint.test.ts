import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkpointProblem } from '../../linux/test/needs.ts';
import { HeldOciRuntime } from '../../monitor/test/held-oci-runtime.ts';
import { startTestNode, type TestNode } from './node.ts';

const skip = checkpointProblem();
let node: TestNode;
let oci: HeldOciRuntime;
let folder = '';

before(async () => {
  const ociRuntime = (at: string) => {
    oci = new HeldOciRuntime(at);
    return oci.program;
  };
  node = await startTestNode(38, {}, { ociRuntime });
  folder = join(node.folder, 'checkpoints');
  mkdirSync(folder);
});
after(() => node?.close());

const script = `echo made > /made; rm /etc/group; ln /made /linked
  i=0; while sleep 0.1; do i=$((i+1)); echo $i; done`;
const lines = (name: string) => node.log(name).split('\n').slice(0, -1);
const lineCount = (name: string) => lines(name).length;

async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !condition(); ) {
    if (performance.now() > end) throw new Error(`still not so: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A container that counts, under the name of its log. */
async function counting(podSandboxId: string, name: string): Promise<string> {
  const containerId = await node.runScript(podSandboxId, script, {
    ...{ metadata: { name, attempt: 0 }, logPath: `${name}.log` },
  });
  await until(() => existsSync(join(node.folder, 'logs', `${name}.log`)) && lineCount(`${name}.log`) > 3);
  return containerId;
}

const tar = (...words: string[]) => execFileSync('tar', words, { encoding: 'utf8' });
const folderOf = (id: string) => join(node.folder, 'runtime/containers', id);

describe('CheckpointContainer', { skip }, () => {
  test('writes an archive as containerd and checkpointctl know it, and the container goes on', async () => {
    const podSandboxId = await node.runPod();
    const containerId = await counting(podSandboxId, 'counter');
    const location = join(folder, 'counter.tar');
    await node.cri.runtime.checkpointContainer({ containerId, location, timeout: 60 });
    const count = lineCount('counter.log');
    await until(() => lineCount('counter.log') > count + 2);
    assert.equal(await node.output(containerId, 'cat', '/made'), 'made\n');

    assert.equal(statSync(location).mode & 0o777, 0o600);
    const names = tar('-tf', location).split('\n');
    for (const name of ['checkpoint/inventory.img', 'checkpoint/pages-1.img', 'config.dump', 'spec.dump'])
      assert.ok(names.includes(name), `${name} in ${names}`);
    for (const name of [
      'status.dump',
      'status',
      'rootfs-diff.tar',
      'container.log',
      'dump.log',
      'stats-dump',
    ])
      assert.ok(names.includes(name), `${name} in ${names}`);
    const read = (name: string) => tar('-xOf', location, name);
    const config = JSON.parse(read('config.dump'));
    assert.deepEqual(
      [config.id, config.name, config.rootfsImageName, config.restored],
      [containerId, 'counter', 'docker.io/library/box:latest', false],
    );
    assert.match(config.rootfsImageRef, /sha256:[0-9a-f]{64}$/);
    const spec = JSON.parse(read('spec.dump'));
    assert.equal(spec.annotations['io.kubernetes.cri.container-name'], 'counter');
    assert.equal(spec.annotations['io.kubernetes.cri.sandbox-namespace'], 'default');
    assert.equal(JSON.parse(read('status.dump')).id, containerId);
    const logged = read('container.log').split('\n').slice(0, -1);
    assert.deepEqual(logged, lines('counter.log').slice(0, logged.length));
    execFileSync('tar', ['-C', folder, '-xf', location, 'rootfs-diff.tar']);
    const diff = tar('-tvf', join(folder, 'rootfs-diff.tar'));
    assert.match(diff, / etc\/\.wh\.group$/m);
    assert.match(diff, /(made link to linked|linked link to made)$/m);

    assert.ok(!existsSync(join(folderOf(containerId), 'checkpoint')), 'nothing is left in its folder');
    assert.deepEqual(readdirSync(folder).sort(), ['counter.tar', 'rootfs-diff.tar']);
  });

  test('replaces what was at its location, and two at once are one too many', async () => {
    const containerId = await counting(await node.runPod(), 'twice');
    const location = join(folder, 'twice.tar');
    const ask = () => node.cri.runtime.checkpointContainer({ containerId, location, timeout: 60 });
    await ask();
    const before = statSync(location).ino;
    const outcomes = await Promise.allSettled([ask(), ask()]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    assert.match(String(refused?.reason), /is being checkpointed already/);
    assert.notEqual(statSync(location).ino, before);
  });

  test('says what CRIU cannot do, leaves no archive, and the container goes on', async () => {
    const podSandboxId = await node.runPod();
    const name = 'connected';
    const connected =
      'nc -l -p 99 -e cat & sleep 0.5; nc 127.0.0.1 99 < /dev/zero > /dev/null & sleep 0.5; echo on; sleep 100';
    const containerId = await node.runScript(podSandboxId, connected, {
      ...{ metadata: { name, attempt: 0 }, logPath: `${name}.log` },
    });
    await until(() => existsSync(join(node.folder, 'logs', `${name}.log`)) && lineCount(`${name}.log`) > 0);
    const location = join(folder, 'connected.tar');
    await assert.rejects(node.cri.runtime.checkpointContainer({ containerId, location, timeout: 60 }), {
      code: 'UNKNOWN',
      message: /^checkpointing container "[0-9a-f]+" failed: .*CRIU says: .*[Cc]onnected TCP socket/s,
    });
    assert.ok(!existsSync(location));
    assert.ok(!existsSync(join(folderOf(containerId), 'checkpoint')));
    assert.equal(await node.output(containerId, 'echo', 'there'), 'there\n');
  });

  test('is over at its timeout, and the container goes on', async () => {
    const containerId = await counting(await node.runPod(), 'late');
    const location = join(folder, 'late.tar');
    oci.hold('checkpoint', 'after');
    const late = assert.rejects(node.cri.runtime.checkpointContainer({ containerId, location, timeout: 1 }), {
      code: 'DEADLINE_EXCEEDED',
      message: /was not checkpointed within 1 s/,
    });
    await oci.reached('checkpoint', 'after');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    oci.release('checkpoint', 'after');
    await late;
    const count = lineCount('late.log');
    await until(() => lineCount('late.log') > count + 2);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('late')),
      [],
    );
  });
});

test('CheckpointContainer refuses what does not run, and a location that is no path', async () => {
  const podSandboxId = await node.runPod();
  const containerId = await node.runScript(podSandboxId, 'true');
  await node.ended(containerId);
  const ask = (id: string, location: string) =>
    node.cri.runtime.checkpointContainer({ containerId: id, location, timeout: 5 });
  await assert.rejects(ask(containerId, join(folder, 'x.tar')), {
    code: 'FAILED_PRECONDITION',
    message: /is in CONTAINER_EXITED state\. only CONTAINER_RUNNING containers can be checkpointed/,
  });
  await assert.rejects(ask('none', join(folder, 'x.tar')), { code: 'NOT_FOUND' });
  const running = await node.runScript(podSandboxId, 'sleep 1000');
  await assert.rejects(ask(running, 'x.tar'), { code: 'INVALID_ARGUMENT', message: /want an absolute path/ });
});

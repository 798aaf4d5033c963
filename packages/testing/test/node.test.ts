import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { startNode, type TestNode } from '@wherry/testing';
import { busyboxImage, sleepingPod } from './busybox.ts';
import { leftIn, startProgram, tracesOfHost, untilNothingIsLeft } from './machine.ts';

const folderOf = (node: TestNode) => dirname(dirname(node.kubeconfig.path));

describe('startNode', { timeout: 170_000 }, () => {
  let left: TestNode;
  let right: TestNode;
  before(async () => {
    [left, right] = await Promise.all([
      startNode({ images: [busyboxImage()], manifests: [sleepingPod('web')] }),
      startNode({ images: [busyboxImage()], manifests: [sleepingPod('web')] }),
    ]);
  });
  after(() => Promise.all([left?.close(), right?.close()]));

  it('runs pods whose commands, logs and ports are at hand', async () => {
    const pod = await left.waitFor<Pod>('Pod/web', 'Ready');
    assert.equal(pod.spec?.nodeName, left.nodeName);
    const answer = await left.exec(pod, ['sh', '-c', 'busybox cat; busybox echo no >&2; exit 3'], {
      stdin: 'in',
    });
    assert.deepEqual(answer, { exitCode: 3, stdout: 'in', stderr: 'no\n' });
    assert.equal(await left.logs('web'), 'hello\n');
    await using forward = await left.forward('default/web', 'http');
    const page = await fetch(`${forward.url}/bin/sh`);
    assert.equal(page.status, 200);
    assert.ok((await page.arrayBuffer()).byteLength > 0);
  });

  it('runs several side by side, with names, ports and addresses of their own', async () => {
    const pods = [await left.waitFor<Pod>('Pod/web', 'Ready'), await right.waitFor<Pod>('Pod/web', 'Ready')];
    const [first, second] = pods.map(({ status }) => status?.podIP?.replace(/\.\d+$/, ''));
    assert.notEqual(first, second);
    assert.notEqual(left.nodeName, right.nodeName);
    assert.equal(folderOf(left), folderOf(right), 'one process holds both');
    assert.notEqual(left.client.access.server, right.client.access.server);
  });

  it('ends and starts pods as a restore wants it', async () => {
    const pods = right.client.resource(kinds.pods);
    await right.waitFor('Pod/web', 'Ready');
    const before = await right.snapshot();
    await right.apply(sleepingPod('later'));
    await right.waitFor('Pod/later', 'Ready');
    await pods.delete({ name: 'web' });
    await right.waitFor('Pod/web', 'delete');
    await right.restore(before);
    await assert.rejects(pods.get({ name: 'later' }), /not found/);
    await right.waitFor<Pod>('Pod/web', () => true);
    const lived = async () => (await right.exec('web', ['sh', '-c', 'busybox echo back'])).stdout;
    for (;;) {
      const said = await lived().catch(() => undefined);
      if (said === 'back\n') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it('tells of an image that is none', async () => {
    await assert.rejects(left.load('/nowhere.tar'), /there is no such file or folder/);
    await assert.rejects(left.load(import.meta.filename), { code: 'failed' });
  });

  it('leaves nothing when the test process is killed', async () => {
    const program = join(import.meta.dirname, 'waiting-program.ts');
    const { child, ended, said } = await startProgram<{ folder: string }>(program, ['node', 'api']);
    const during = await tracesOfHost(said.folder);
    const some = ['processes', 'mounts', 'cgroups', 'interfaces', 'tables', 'files', 'podRanges'];
    assert.deepEqual(
      leftIn(during).filter((name) => name !== 'runFiles'),
      some,
    );
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(leftIn(await untilNothingIsLeft(said.folder, during.interfaces, 30_000)), []);
  });
});

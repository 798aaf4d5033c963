import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { startNode, type TestNode } from '@wherry/testing';
import { runInChroot } from '../../linux/test/in-chroot.ts';
import { runWithoutRights } from '../../linux/test/without-rights.ts';
import { busyboxImage, sleepingPod } from './busybox.ts';
import { leftIn, startProgram, tracesOfHost, untilNothingIsLeft, type Waiting } from './machine.ts';

const folderOf = (node: TestNode) => dirname(dirname(node.kubeconfig.path));

describe('startNode', { timeout: 170_000 }, () => {
  let left: TestNode;
  let right: TestNode;
  before(async () => {
    [left, right] = await Promise.all([
      startNode({ images: [busyboxImage()], manifests: [sleepingPod('web')] }),
      startNode({ nodes: 2, images: [busyboxImage()], manifests: [sleepingPod('web')] }),
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

  it('has several nodes of one cluster, where pods go elsewhere when theirs is drained', async () => {
    const { client, nodeNames } = right;
    const [first = '', second = ''] = nodeNames;
    assert.equal(right.nodeName, first);
    const ready = await client.list('Node').toArray();
    assert.deepEqual(ready.map(({ metadata }) => metadata.name).sort(), [first, second].sort());
    const { spec: template } = sleepingPod('any');
    const app = { app: 'wanderer' };
    await client.patch({ kind: 'Node', name: first }, { spec: { unschedulable: true } });
    await right.apply({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'wanderer' } },
      spec: { selector: { matchLabels: app }, template: { metadata: { labels: app }, spec: template } },
    });
    const runs = async (node: string) => {
      for (;;) {
        const pods = await client.list('Pod', { labelSelector: 'app=wanderer' }).toArray();
        const pod = pods.find(({ spec, metadata }) => spec?.nodeName === node && !metadata.deletionTimestamp);
        if (pod) return await right.waitFor<Pod>(pod as Pod, 'Ready');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const before = await runs(second);
    await client.patch({ kind: 'Node', name: first }, { spec: { unschedulable: null } });
    await client.patch({ kind: 'Node', name: second }, { spec: { unschedulable: true } });
    const { name, namespace } = before.metadata;
    await client
      .resource(kinds.pods)
      .create(
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
        { name, namespace, subresource: 'eviction' },
      );
    await right.waitFor(before, 'delete');
    const after = await runs(first);
    // Ready is what has begun, and it may not have said anything yet.
    while ((await right.logs(after)) === '') await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await right.logs(after), 'hello\n');
    const { stdout } = await right.exec(after, ['sh', '-c', 'busybox hostname']);
    assert.equal(stdout, `${after.metadata.name}\n`);
    assert.notEqual(after.status?.podIP?.split('.')[2], before.status?.podIP?.split('.')[2]);
  });

  it('tells of a wait in vain why, and what the containers have said last', async () => {
    const running = (command: string, more: object = {}) => ({
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image: 'busybox:test', command: ['sh', '-c', command], ...more }],
    });
    const podOf = (name: string, spec: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec,
    });
    const exec = { command: ['sh', '-c', 'busybox echo no table yet; exit 1'] };
    const labels = { app: 'late' };
    await left.apply([
      podOf('crashing', running('busybox echo no database; busybox sleep 0.2; exit 3')),
      podOf('late', running('busybox sleep 999', { readinessProbe: { exec, periodSeconds: 1 } })),
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'late' } },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: running('exit 4', { envFrom: [{ secretRef: { name: 'x' } }] }),
          },
        },
      },
    ]);
    await left.waitFor<Pod>(
      'Pod/crashing',
      (pod) => (pod.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
    );
    const told = async (target: string, condition: string) => {
      const failed = await left.waitFor(target, condition, { timeoutMs: 2_500 }).catch((error) => error);
      assert.equal(failed.code, 'timed-out');
      return failed.message as string;
    };
    const [crashing, late, deployment] = await Promise.all([
      told('Pod/crashing', 'jsonpath={.status.phase}=Succeeded'),
      told('Pod/late', 'Ready'),
      told('Deployment/late', 'Available'),
    ]);
    assert.match(crashing, /ended with exit code 3 \(Error\)/);
    assert.match(crashing, /\n {2}container main said last:\n {4}no database$/);
    assert.match(
      late,
      /\n {2}it waits for probe of container main \(Unhealthy\): Readiness probe failed: no table yet$/,
    );
    assert.match(deployment, /\n {2}pod late-\S+:\n {2}it waits for container main .*secret "x" not found$/);
  });

  it('refuses a number of nodes that is none', async () => {
    await assert.rejects(startNode({ nodes: 0 }), { code: 'bad-argument', message: /"nodes" is 0/ });
  });

  const program = `
    import { startNode } from '@wherry/testing';
    const { code, message } = await startNode().catch((error) => error);
    console.log(code, message);`;
  const words = [process.execPath, '--input-type=module', '-e', program];

  it('says what is missing where root has not got its rights, as in a container as it comes', () => {
    const { stdout, stderr } = runWithoutRights(words, import.meta.dirname);
    assert.match(stdout, /^needs-root a node needs CAP_SYS_ADMIN .* or use startApiServer$/m, stderr);
  });

  it('is not begun in a chroot, where what is executed in a pod would be outside of it', () => {
    const { stdout, stderr } = runInChroot(words, import.meta.dirname);
    assert.match(stdout, /^failed this is a chroot, .*pivot_root$/m, stderr);
  });

  it('tells of an image that is none', async () => {
    await assert.rejects(left.load('/nowhere.tar'), /there is no such file or folder/);
    await assert.rejects(left.load(import.meta.filename), { code: 'failed' });
  });

  it('ends forwards that nobody has closed when it is closed', async () => {
    const { url, close } = await left.forward('web', 'http');
    await left.close();
    await assert.rejects(fetch(url), (error: Error) => /ECONNREFUSED/.test(String(error.cause)));
    await close();
  });

  it('leaves nothing when the test process is killed', async () => {
    const program = join(import.meta.dirname, 'waiting-program.ts');
    const { child, ended, said } = await startProgram<Waiting>(program, ['nodes', 'api']);
    const during = await tracesOfHost(said.folder, said.ids);
    const some = ['processes', 'mounts', 'cgroups', 'interfaces', 'tables', 'files', 'podRanges'];
    assert.deepEqual(
      leftIn(during).filter((name) => name !== 'runFiles'),
      some,
    );
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(
      leftIn(await untilNothingIsLeft(said.folder, [...said.ids, ...during.interfaces], 30_000)),
      [],
    );
  });
});

/** A node whose control groups are systemd's, under a real systemd: slices of pods and scopes of containers, from first to last. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { detectCgroups } from '@wherry/linux';
import { eventually, podOf } from '../node.ts';
import { slowness, stretched } from '../slowness.ts';
import { SystemdMachine } from './machine.ts';

const isUnified = detectCgroups().version === 'v2';
const mebibyte = 1 << 20;
const waitMs = stretched(60_000);
let machine: SystemdMachine;
/** The node's own slice. */
let root = '';

const shell = async (script: string) =>
  (await machine.said(['sh', '-c', script], { timeoutMs: waitMs })).trim();
const kubectl = (words: readonly string[], stdin?: string) =>
  machine.said(['kubectl', '--kubeconfig', '/var/lib/wherry/kubeconfig', ...words], {
    timeoutMs: waitMs,
    ...(stdin !== undefined && { stdin }),
  });
const apply = (object: object) => kubectl(['apply', '-f', '-'], JSON.stringify(object));
const property = (unit: string, name: string) => shell(`systemctl show --value --property ${name} '${unit}'`);
const unitsLike = async (pattern: string) =>
  (await shell(`systemctl list-units --all --plain --no-legend '${pattern}' | cut -d ' ' -f 1`))
    .split('\n')
    .filter(Boolean);

/** A file of a unit's control group, as the kernel has it. */
async function file(unit: string, controller: string, name: string): Promise<string> {
  const group = await property(unit, 'ControlGroup');
  return shell(`cat '/sys/fs/cgroup/${isUnified ? '' : controller}${group}/${name}'`);
}
const memoryLimit = (unit: string) =>
  file(unit, 'memory', isUnified ? 'memory.max' : 'memory.limit_in_bytes').then(Number);

async function sliceOf(name: string): Promise<string> {
  const uid = (await kubectl(['get', 'pod', name, '-o', 'jsonpath={.metadata.uid}'])).trim();
  const [slice, ...others] = await unitsLike(`*pod${uid.replaceAll('-', '_')}.slice`);
  assert.ok(slice !== undefined && others.length === 0, `slices of ${name}: ${slice} ${others}`);
  return slice;
}

async function scopeOf(name: string, container = 'main'): Promise<string> {
  const path = `jsonpath={.status.containerStatuses[?(@.name=="${container}")].containerID}`;
  const id = (await kubectl(['get', 'pod', name, '-o', path])).replace('wherry://', '').trim();
  return `wherry-${id}.scope`;
}

async function ready(name: string): Promise<void> {
  const waiting = ['wait', '--for=condition=Ready', `pod/${name}`, `--timeout=${waitMs / 2_000}s`];
  try {
    await kubectl(waiting);
  } catch (error) {
    throw new Error(await kubectl(['describe', 'pod', name]), { cause: error });
  }
}

before(async () => {
  machine = await SystemdMachine.boot();
  const config = {
    apiVersion: 'wherry/v1alpha1',
    kind: 'Node',
    kubelet: { cgroupDriver: 'systemd', podPidsLimit: 99 },
  };
  await shell(`echo '${JSON.stringify(config)}' >/tmp/node.yaml`);
  const patience = ['--ready-timeout', String(60 * slowness)];
  await machine.wherry('up', '--config', '/tmp/node.yaml', '--detach', ...patience);
  const tree = await shell(
    'mkdir -p /tmp/tree/bin; cp "$(command -v busybox)" /tmp/tree/bin/; for word in sh sleep cat dd tail head; do ln -s busybox /tmp/tree/bin/$word; done; echo /tmp/tree',
  );
  await machine.wherry('image', 'build', 'wherry-test', '--from', tree);
});
after(() => machine?.[Symbol.asyncDispose]());

test('a pod is a slice below its class, each container a scope in it, with the limits of the pod and of the container', async () => {
  const resources = { requests: { cpu: '100m', memory: '16Mi' }, limits: { cpu: '500m', memory: '64Mi' } };
  const pod = podOf('held', { resources });
  pod.spec.containers.push({ ...pod.spec.containers[0], name: 'beside' } as (typeof pod.spec.containers)[0]);
  await apply(pod);
  await apply(podOf('lean', {}, { shareProcessNamespace: true }));
  await ready('held');
  await ready('lean');
  const slice = await sliceOf('held');
  [root = ''] = (await property(slice, 'ControlGroup')).split('/').filter(Boolean);
  const parts = root.replace('.slice', '');
  assert.match(slice, new RegExp(`^${parts}-kubepods-burstable-pod[0-9a-f_]+\\.slice$`));
  assert.equal(await property(slice, 'Slice'), `${parts}-kubepods-burstable.slice`);
  assert.equal(await property(slice, 'ActiveState'), 'active');
  assert.equal(await property(slice, isUnified ? 'MemoryMax' : 'MemoryLimit'), String(128 * mebibyte));
  assert.equal(await property(slice, 'CPUQuotaPerSecUSec'), '1s');
  assert.equal(await property(slice, 'TasksMax'), '99');
  assert.equal(await memoryLimit(slice), 128 * mebibyte);
  for (const container of ['main', 'beside']) {
    const scope = await scopeOf('held', container);
    assert.equal(await property(scope, 'Slice'), slice);
    assert.equal(await property(scope, 'ActiveState'), 'active');
    assert.equal(await memoryLimit(scope), 64 * mebibyte);
    const [pid = ''] = (await file(scope, 'memory', 'cgroup.procs')).split('\n');
    assert.match(await shell(`tr '\\0' ' ' </proc/${pid}/cmdline`), /^sleep 100000/);
  }
  // One that holds the processes' namespace stands beside the container.
  const lean = await sliceOf('lean');
  assert.match(lean, /-besteffort-pod/);
  const scopes = await unitsLike('wherry-*.scope');
  const slices = await Promise.all(scopes.map((scope) => property(scope, 'Slice')));
  assert.deepEqual(slices.filter((each) => each === lean).length, 2);
});

test('what systemd is told stays when it reads its units again', async () => {
  const [slice, scope] = [await sliceOf('held'), await scopeOf('held')];
  await shell('systemctl daemon-reload');
  assert.equal(await memoryLimit(slice), 128 * mebibyte);
  assert.equal(await memoryLimit(scope), 64 * mebibyte);
  assert.equal(await file(slice, 'pids', 'pids.max'), '99');
});

test('a command that is run in a container is in its scope', async () => {
  const said = await kubectl(['exec', 'held', '-c', 'main', '--', 'cat', '/proc/self/cgroup']);
  // Of version 2 a container sees its own group as the root.
  if (isUnified) assert.equal(said.trim(), '0::/');
  else
    for (const controller of ['memory', 'pids', 'cpu'])
      assert.ok(
        said.includes(`:${controller}:${await property(await scopeOf('held'), 'ControlGroup')}\n`),
        said,
      );
});

test('a resize changes the scope and the slice, in the kernel and in what systemd keeps', async () => {
  const resources = { requests: { cpu: '200m', memory: '32Mi' }, limits: { cpu: '1', memory: '96Mi' } };
  const patch = JSON.stringify({ spec: { containers: [{ name: 'main', resources }] } });
  await kubectl(['patch', 'pod', 'held', '--subresource', 'resize', '--patch', patch]);
  const [slice, scope] = [await sliceOf('held'), await scopeOf('held')];
  await eventually('the new limit', async () => (await memoryLimit(scope)) === 96 * mebibyte, waitMs);
  await eventually('that of the pod', async () => (await memoryLimit(slice)) === 160 * mebibyte, waitMs);
  assert.equal(await property(slice, isUnified ? 'MemoryMax' : 'MemoryLimit'), String(160 * mebibyte));
  await eventually(
    'its processors',
    async () => /^1\.50*s$/.test(await property(slice, 'CPUQuotaPerSecUSec')),
    waitMs,
  );
  await shell('systemctl daemon-reload');
  assert.equal(await memoryLimit(slice), 160 * mebibyte);
  assert.equal(await memoryLimit(scope), 96 * mebibyte);
});

test('the kubelet tells what slices and scopes use', async () => {
  const [node = ''] = (await kubectl(['get', 'nodes', '-o', 'name'])).trim().split('\n');
  const path = `/api/v1/nodes/${node.replace('node/', '')}/proxy`;
  interface Usage {
    memory?: { workingSetBytes?: number };
    name: string;
  }
  const summary = JSON.parse(await kubectl(['get', '--raw', `${path}/stats/summary`])) as {
    node: { systemContainers: Usage[] };
    pods: { podRef: { name: string }; containers: Usage[]; memory?: { workingSetBytes: number } }[];
  };
  const held = summary.pods.find(({ podRef }) => podRef.name === 'held');
  assert.deepEqual(held?.containers.map(({ name }) => name).sort(), ['beside', 'main']);
  for (const { memory } of held?.containers ?? []) assert.ok((memory?.workingSetBytes ?? 0) > 0);
  const all = summary.node.systemContainers.find(({ name }) => name === 'pods');
  assert.ok((all?.memory?.workingSetBytes ?? 0) > 0, 'all pods together, which evictions go by');
  const metrics = await kubectl(['get', '--raw', `${path}/metrics/cadvisor`]);
  assert.ok(metrics.includes(`id="${await property(await sliceOf('held'), 'ControlGroup')}"`));
});

test('a container that takes more memory than it may is told of as killed for it', async () => {
  const resources = { limits: { memory: '20Mi' } };
  // Not in its first milliseconds, when nobody looks yet (docs/LIMITS.md).
  const command = ['sh', '-c', 'sleep 1; tail /dev/zero'];
  await apply(podOf('greedy', { resources, command }, { restartPolicy: 'Never' }));
  const reason = () =>
    kubectl([
      'get',
      'pod',
      'greedy',
      '-o',
      'jsonpath={.status.containerStatuses[0].state.terminated.reason}',
    ]);
  await eventually('the end', async () => (await reason()) !== '', waitMs);
  assert.equal(await reason(), 'OOMKilled');
});

test('pods that go take their slices and scopes along; of the node nothing is left', async () => {
  const held = await sliceOf('held');
  await kubectl(['delete', 'pod', 'held', 'greedy', 'lean', '--grace-period=1']);
  await eventually('the slices', async () => (await unitsLike('*-pod*.slice')).length === 0, waitMs);
  assert.deepEqual(await unitsLike('wherry-*.scope'), []);
  assert.equal(await property(held, 'ActiveState'), 'inactive');
  assert.equal(await shell(`find /sys/fs/cgroup -name '${held}'`), '');
  await machine.wherry('down', '--purge');
  assert.deepEqual(await unitsLike(`${root.replace('.slice', '')}*`), []);
  assert.equal(await shell(`find /sys/fs/cgroup -name '${root}'`), '');
});

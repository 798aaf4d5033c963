/** `debug` before an API server that runs nothing; beside kubectl: e2e/debug-lines/debug-lines.long.test.ts, with containers: e2e/debug.test.ts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EphemeralContainer, Pod, SecurityContext } from '@wherry/kubeapi';
import { hasSpoken } from '../in-process.ts';
import { Served } from './served.ts';

let served: Served;

const podOf = (name: string, spec: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } } },
  spec: { nodeName: 'n', containers: [{ name: 'app', image: 'app:1' }], ...spec },
});

before(async () => {
  served = await Served.start();
  await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await served.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
});
after(() => served?.close());
beforeEach(async () => {
  for await (const { metadata } of served.client.list<Pod>('Pod'))
    await served.client.delete(`Pod/${metadata.name}`, { gracePeriodSeconds: 0 });
  await served.client.create(podOf('web'));
});

const debug = (line: string) => served.run(`debug ${line}`);
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const silent = { code: 0, stdout: '', stderr: '' };

async function ephemeralOf(name = 'web'): Promise<EphemeralContainer> {
  const { spec } = await served.client.get<Pod>(`Pod/${name}`);
  const [container] = spec.ephemeralContainers ?? [];
  assert.ok(container);
  return container;
}

async function podOnNode(): Promise<Pod> {
  const pods = await served.client.list<Pod>('Pod').toArray();
  const found = pods.find(({ metadata }) => metadata.name?.startsWith('node-debugger-n-'));
  assert.ok(found);
  return found;
}

const restricted: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const network: SecurityContext = { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } };

const rights: [
  flags: string,
  inPod: SecurityContext | undefined,
  onNode: SecurityContext | undefined,
  sees: { namespaces?: true; root?: true },
][] = [
  ['', { capabilities: { add: ['SYS_PTRACE'] } }, undefined, { namespaces: true, root: true }],
  [' --profile=legacy', undefined, undefined, { namespaces: true, root: true }],
  [' --profile=baseline', undefined, undefined, {}],
  [' --profile=restricted', restricted, restricted, {}],
  [' --profile=netadmin', network, network, { namespaces: true }],
  [' --profile=sysadmin', { privileged: true }, { privileged: true }, { namespaces: true, root: true }],
];

for (const [flags, inPod, onNode, { namespaces, root }] of rights) {
  test(`what a debugger may do: debug${flags}`, async () => {
    assert.equal((await debug(`web --image=tools -q${flags}`)).code, 0);
    assert.deepEqual((await ephemeralOf()).securityContext, inPod);
    assert.equal((await debug(`node/n --image=tools -q${flags}`)).code, 0);
    const { spec } = await podOnNode();
    assert.deepEqual(spec.containers[0]?.securityContext, onNode);
    const { hostPID, hostIPC, hostNetwork, volumes = [] } = spec;
    assert.deepEqual([hostPID, hostIPC, hostNetwork], [namespaces, namespaces, namespaces]);
    assert.equal(volumes.find(({ hostPath }) => hostPath?.path === '/')?.name, root && 'host-root');
  });
}

test('the pod on a node is kept from no node by taints, and has the label by which those of kubectl are found', async () => {
  const { stdout } = await debug('node/n --image=tools -c tool -- ls /host');
  const { metadata, spec } = await podOnNode();
  assert.equal(stdout, `Creating debugging pod ${metadata.name} with container tool on node n.\n`);
  assert.deepEqual(metadata.labels, { 'app.kubernetes.io/managed-by': 'kubectl-debug' });
  assert.ok(spec.tolerations?.some(({ key, operator }) => key === undefined && operator === 'Exists'));
  assert.deepEqual([spec.nodeName, spec.restartPolicy], ['n', 'Never']);
  assert.deepEqual(spec.containers[0]?.command, ['ls', '/host']);
});

test('rights that do nothing for the user of the pod are warned of', async () => {
  await served.client.create(podOf('user', { securityContext: { runAsUser: 7 } }));
  const { stderr } = await debug('user --image=tools -q');
  assert.match(stderr, /^Warning: Non-root user is configured for the entire target Pod, .*"--custom"/);
  assert.deepEqual(await debug('user --image=tools -q --profile=restricted'), silent);
  const custom = served.file('root.json', { securityContext: { runAsUser: 0 } });
  assert.deepEqual(await debug(`user --image=tools -q --custom=${custom}`), silent);
});

test('a custom profile goes before the other, and what is no field of a container is warned of', async () => {
  const path = join(served.server.folder, 'custom.yaml');
  writeFileSync(
    path,
    'env: [{name: A, value: custom}]\nsecurityContext: {runAsUser: 3}\nfoo: 1\nresources: {bar: 2}\n',
  );
  const { code, stderr } = await debug(`web --image=tools -q --env=A=flag --env=B=flag --custom=${path}`);
  assert.equal(code, 0);
  assert.equal(
    stderr,
    `Warning: ${path}: unknown field "resources.bar"\nWarning: ${path}: unknown field "foo"\n`,
  );
  const { env, securityContext } = await ephemeralOf();
  assert.deepEqual(
    [...(env ?? [])].sort((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { name: 'A', value: 'custom' },
      { name: 'B', value: 'flag' },
    ],
  );
  assert.deepEqual(securityContext, { runAsUser: 3, capabilities: { add: ['SYS_PTRACE'] } });
});

test('a mount of a custom profile takes nothing over from one that was there', async () => {
  const spec = { volumes: [{ name: 'data', emptyDir: {} }] };
  await served.client.create(podOf('mounts', spec));
  const custom = served.file('mount.json', { volumeMounts: [{ name: 'data', mountPath: '/data' }] });
  assert.deepEqual(await debug(`mounts --copy-to=copy -c app --custom=${custom} -q -- sh`), silent);
  const copy = await served.client.get<Pod>('Pod/copy');
  const [container] = copy.spec.containers;
  assert.deepEqual(
    container?.volumeMounts?.find(({ name }) => name === 'data'),
    { name: 'data', mountPath: '/data' },
  );
});

test('a custom profile that is none is refused', async () => {
  const none = `${served.server.folder}/none.yaml`;
  const { stderr } = await debug(`web --image=tools --custom=${none}`);
  assert.match(stderr, /^error: must pass a container spec json file for custom profile: .*none\.yaml/);
  for (const [text, why] of [
    ['[1]', 'json: cannot unmarshal array into Go value of type v1\\.Container'],
    ['tty: maybe', 'json: cannot unmarshal string into Go struct field .*tty of type bool'],
    ['a: [', ''],
  ]) {
    writeFileSync(none, `${text}\n`);
    const { code, stderr } = await debug(`web --image=tools --custom=${none}`);
    assert.match(stderr, new RegExp(`^error: .*none\\.yaml does not contain a valid container spec: ${why}`));
    assert.equal(code, 1);
  }
  writeFileSync(none, '\n');
  assert.deepEqual(await debug(`web --image=tools -q --custom=${none}`), silent);
});

test('pods and nodes of a file are taken as it has them', async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  const file = served.file('both.json', podOf('web'), node);
  const { stdout, code } = await debug(`-f ${file} --image=tools -c tool`);
  assert.match(stdout, /^Creating debugging pod node-debugger-n-\w{5} with container tool on node n\.\n$/);
  assert.equal(code, 0);
  assert.equal((await ephemeralOf()).name, 'tool');
  assert.deepEqual(
    await debug(`-f ${served.file('other.json', podOf('other'))} --copy-to=one --image=x -q`),
    silent,
  );
  assert.equal((await served.client.get<Pod>('Pod/one')).spec.containers.length, 2);
});

test('the first that fails of several ends it', async () => {
  const { code, stdout, stderr } = await debug('web none deployment/web --image=tools -c tool');
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(stderr, 'Error from server (NotFound): pods "none" not found\n');
  assert.equal((await ephemeralOf()).name, 'tool');
});

const setStatus = (status: object) =>
  served.client.patch('Pod/web', { status }, { subresource: 'status', type: 'merge' });
const waiting = (message: string) => ({
  phase: 'Running',
  ephemeralContainerStatuses: [
    {
      ...{ name: 'tool', image: 'x', imageID: '', ready: false, restartCount: 0 },
      state: { waiting: { message } },
    },
  ],
});

/** Runs `debug -i` while `act` goes on once the container is there. */
async function debugWhile(flags: string, act: () => Promise<unknown>) {
  const ended = debug(`web --image=tools -c tool -i${flags}`);
  while (!(await served.client.get<Pod>('Pod/web')).spec.ephemeralContainers) await delay(5);
  await act();
  return ended;
}

test('debug -i ends when its pod is gone at once', async () => {
  const gone = () => served.client.delete('Pod/web', { gracePeriodSeconds: 0 });
  const { code, stderr } = await debugWhile('', gone);
  assert.deepEqual([code, stderr], [1, 'Error from server (NotFound): pods "web" not found\n']);
});

test('debug -i ends when its pod goes while it is waited for', async () => {
  const { code, stderr } = await debugWhile('', async () => {
    await setStatus(waiting('pulling'));
    await hasSpoken('error');
    await served.client.delete('Pod/web', { gracePeriodSeconds: 0 });
  });
  const says = 'Warning: container tool: pulling\nError from server (NotFound): pods "web" not found\n';
  assert.deepEqual([code, stderr], [1, says]);
});

test('debug -i says what its container waits for, and ends when the pod has ended without it', async () => {
  const failure = { phase: 'Failed', reason: 'Evicted', message: 'no room' };
  const ends = 'error: container tool did not start: pod "web" Failed: no room';
  const waits = async () => {
    await setStatus(waiting('pulling'));
    await hasSpoken('error');
    await setStatus({ ...waiting('pulling'), ...failure });
  };
  assert.deepEqual(await debugWhile('', waits), failed(`Warning: container tool: pulling\n${ends}`));
});

test('debug -q says nothing of that', async () => {
  const ends = 'error: container tool did not start: pod "web" Succeeded';
  const waits = async () => {
    await setStatus(waiting('pulling'));
    await setStatus({ ...waiting('pulling'), phase: 'Succeeded' });
  };
  assert.deepEqual(await debugWhile(' -q', waits), failed(ends));
});

test('debug starts no second ephemeral container of one name, and does not take the first for it', async () => {
  assert.deepEqual(await debug('web --image=tools -c tool'), silent);
  assert.deepEqual(
    await debug('web --image=tools -c tool'),
    failed(
      'The Pod "web" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "tool" may not be changed',
    ),
  );
});

test('debug refuses what does not go together', async () => {
  const refusals: [line: string, says: string][] = [
    ['--image=tools', 'NAME or filename is required for debug'],
    ['web', 'you must specify --image when not using --copy-to.'],
    ['web --image=tools --profile=root', 'unknown profile: root'],
    ['web --image=tools --replace', '--replace may only be used with --copy-to.'],
    ['web --image=tools --same-node', '--same-node may only be used with --copy-to.'],
    ['web --image=tools --set-image=a=b', '--set-image may only be used with --copy-to.'],
    ['web --image=Tools', 'invalid image name "Tools": invalid reference format'],
    ['web --image=tools -t', '-i/--stdin is required for containers with -t/--tty=true'],
    ['web --image=tools --image-pull-policy=Now', 'invalid image pull policy: Now'],
    ['web --copy-to=c', 'you must specify --image, --set-image or command arguments.'],
    ['web --copy-to=c -- sh', 'you must specify an existing container or a new image when specifying args.'],
    ['web --copy-to=c --set-image=a=B', 'invalid image name "B" for container "a": invalid reference format'],
    [
      'web --copy-to=c --image=x --target=app',
      '--target is incompatible with --copy-to. Use --share-processes instead.',
    ],
    ['ns/default --image=x', '"/v1, Kind=Namespace" not supported by debug'],
  ];
  for (const [line, says] of refusals) assert.deepEqual(await debug(line), failed(`error: ${says}`), line);
});

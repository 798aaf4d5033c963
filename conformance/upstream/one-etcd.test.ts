/**
 * Kubernetes' own API server and ours on one etcd, and some resources in another, side by side: each has all that the other writes, and
 * nothing is given twice.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { start } from '../../e2e/command.ts';
import { eventually } from '../../e2e/node.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { Beside } from '../../packages/wherry/test/describe/beside.ts';
import { buildKubectl } from '../e2e/build.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags } from './etcd.ts';
import { everything } from './everything.ts';
import { TwoServers } from './two-servers.ts';

const etcdPort = 23_950;
const otherPort = 23_952;
const inDefault = '/api/v1/namespaces/default';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Body = any;

interface Answer {
  status: number;
  body: Body;
}

let two: TwoServers;
/** Of the resources of {@link apart}. */
let folder: string;
let other: ReturnType<typeof start>;
const apart = ['/events', '/secrets', 'coordination.k8s.io/leases', 'apps/deployments'];
/** Ours, on the other's etcd. */
let ours: TestServer;

/** As on two machines: one port, two addresses. */
const port = 16_487;
const addresses = ['192.0.2.1', '192.0.2.2'] as const;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-other-etcd-'));
  other = start(await buildUpstream('etcd'), etcdFlags(folder, otherPort));
  const etcdServersOverrides = apart.map((resource) => `${resource}#http://127.0.0.1:${otherPort}`);
  const overrides = `--etcd-servers-overrides=${etcdServersOverrides.join(',')}`;
  const prepare = async () => ({ flags: [`--advertise-address=${addresses[0]}`, overrides] });
  two = await TwoServers.start({ port, etcdPort, prepare });
  ours = await TestServer.start({
    ...{ etcdServers: [`http://127.0.0.1:${etcdPort}`], etcdServersOverrides },
    advertiseAddress: addresses[1],
    ...{ bindAddress: '127.0.0.2', securePort: port },
  });
});
after(async () => {
  await ours?.close();
  await two?.close();
  const closed = other && once(other, 'close');
  other?.kill();
  await closed;
  rmSync(folder, { recursive: true, force: true });
});

/** Asks one of the two: ours, or else the other. */
async function ask(isOurs: boolean, method: string, path: string, body?: object): Promise<Answer> {
  if (isOurs) return ours.request(method, path, body ? { body } : {});
  const { code, text } = await two.ask(two.urls[1], { method, path, ...(body && { body }) });
  return { status: code, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

const isOurTurn = (index: number) => index % 2 === 0;

/** Each asked in turn, all at once. */
const together = (
  count: number,
  question: (index: number) => [method: string, path: string, body?: object],
) => Promise.all(Array.from({ length: count }, (_, index) => ask(isOurTurn(index), ...question(index))));

const made = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201);
const codesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).join(' ');

const service = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...more },
});

test('no address and no port is given to two services, and nobody has to be told of repairs', async () => {
  const answers = await together(60, (index) => [
    ...(['POST', `${inDefault}/services`, service(`svc-${index}`)] as const),
  ]);
  assert.equal(made(answers).length, 60, codesOf(answers));
  const specs = answers.map(({ body }) => body.spec);
  assert.equal(new Set(specs.map(({ clusterIP }) => clusterIP)).size, 60);
  assert.equal(new Set(specs.map(({ ports }) => ports[0].nodePort)).size, 60);
  const { body } = await ask(false, 'GET', '/apis/networking.k8s.io/v1/ipaddresses');
  const owners = new Map<string, string>(
    body.items.map(({ metadata, spec }: Body) => [metadata.name, spec.parentRef.name]),
  );
  for (const { body } of answers) assert.equal(owners.get(body.spec.clusterIP), body.metadata.name);
  await delay(1_000);
  assert.deepEqual((await ask(false, 'GET', `${inDefault}/events`)).body.items, []);
});

for (const [what, more] of [
  ['an address', { clusterIP: '10.96.0.77' }],
  ['a port', { ports: [{ port: 80, nodePort: 30_011 }] }],
] as const)
  test(`${what} that several want is one service’s`, async () => {
    const name = Object.keys(more)[0]!.toLowerCase();
    const answers = await together(12, (index) => [
      ...(['POST', `${inDefault}/services`, service(`${name}-${index}`, more)] as const),
    ]);
    assert.equal(made(answers).length, 1, codesOf(answers));
  });

for (const isOurs of [true, false])
  test(`what a service had that ${isOurs ? 'ours' : 'the other'} removes is free at both`, async () => {
    const number = isOurs ? 1 : 2;
    const wanted = service(`left-${number}`, {
      ...{ clusterIP: `10.96.0.8${number}`, ports: [{ port: 80, nodePort: 30_020 + number }] },
    });
    for (const isMaker of [isOurs, !isOurs]) {
      const done = await ask(isMaker, 'POST', `${inDefault}/services`, wanted);
      assert.equal(done.status, 201, JSON.stringify(done.body));
      const gone = await ask(isOurs, 'DELETE', `${inDefault}/services/left-${number}`);
      assert.equal(gone.status, 200, JSON.stringify(gone.body));
      await delay(300);
    }
  });

test('a namespace is held to its quota by both together', async () => {
  await ask(true, 'POST', '/api/v1/namespaces', { metadata: { name: 'small' } });
  const path = '/api/v1/namespaces/small';
  const hard = { 'count/configmaps': '10' };
  const { body: quota } = await ask(true, 'POST', `${path}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard },
  });
  const status = { hard, used: { 'count/configmaps': '0' } };
  const known = await ask(true, 'PUT', `${path}/resourcequotas/q/status`, { ...quota, status });
  assert.equal(known.status, 200, JSON.stringify(known.body));
  await delay(500);
  const answers = await together(30, (index) => [
    'POST',
    `${path}/configmaps`,
    { metadata: { name: `c${index}` } },
  ]);
  assert.equal(made(answers).length, 10, codesOf(answers));
  const { body } = await ask(false, 'GET', `${path}/resourcequotas/q`);
  assert.equal(body.status.used['count/configmaps'], '10');
});

/** Asserts that both tell the same, and answers it. */
async function bothTell(): Promise<Map<string, Body>> {
  const of = (isOurs: boolean) => everything(async (path) => (await ask(isOurs, 'GET', path)).body);
  const [mine, theirs] = [await of(true), await of(false)];
  const differences = [...new Set([...mine.keys(), ...theirs.keys()])].filter(
    (place) => !isDeepStrictEqual(mine.get(place), theirs.get(place)),
  );
  const [first = ''] = differences;
  assert.deepEqual(mine.get(first), theirs.get(first), differences.join('\n'));
  return mine;
}

const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const policy = (name: string) => ({
  metadata: { name },
  spec: {
    reinvocationPolicy: 'Never',
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
    },
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: '[JSONPatch{op: "add", path: "/data/x", value: "y"}]' },
      },
    ],
  },
});

test('objects of all kinds are told alike by both, whoever has written them', async () => {
  const close = async () => {};
  const beside = await Beside.start({ kubeconfig: ours.kubeconfig, close }, await buildKubectl());
  await beside.close();
  for (const isOurs of [true, false]) {
    const { status, body } = await ask(isOurs, 'POST', policies, policy(isOurs ? 'own' : 'other'));
    assert.equal(status, 201, JSON.stringify(body));
  }
  const isServed = async () => (await ask(false, 'GET', '/apis/example.com/v1/things')).status === 200;
  await eventually('the definition that ours was given', isServed);
  const told = await bothTell();
  assert.ok(told.size > 250, `${told.size} objects`);
  const annotations = { 'example.com/written': 'anew' };
  let written = 0;
  for (const [place, { metadata }] of told) {
    const [resource = ''] = place.split(' ');
    const { namespace, name } = metadata;
    const folder = namespace ? resource.replace(/[^/]+$/, `namespaces/${namespace}/$&`) : resource;
    const { code } = await two.ask(two.urls[1], {
      ...{ method: 'PATCH', path: `${folder}/${name}`, type: 'application/merge-patch+json' },
      body: { metadata: { annotations } },
    });
    if (code === 200) written += 1;
    else console.log(place, code);
  }
  assert.ok(written > told.size - 10, `${written} of ${told.size}`);
  const again = await bothTell();
  assert.equal(again.size, told.size);
});

const group = 'stored.example.com';
/** With all that upstream stores in another place than where it is said. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boxes.${group}` },
  spec: {
    ...{ group, scope: 'Namespaced', names: { plural: 'boxes', kind: 'Box' } },
    versions: ['v2', 'v1'].map((name) => ({
      ...{ name, served: true, storage: name === 'v2', subresources: { status: {} } },
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      selectableFields: [{ jsonPath: '.spec.size' }],
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 3 } } } },
        },
      },
    })),
    conversion: { strategy: 'None' },
  },
};

test('ours serves what the other has stored of a definition, after a new start too', async () => {
  const made = await ask(
    false,
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    definition,
  );
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await ours.restart();
  const boxes = `/apis/${group}/v1/namespaces/default/boxes`;
  const box = (name: string, size: number) => ({
    ...{ apiVersion: `${group}/v1`, kind: 'Box', metadata: { name }, spec: { size, other: 1 } },
  });
  for (const isOurs of [true, false]) {
    const name = isOurs ? 'own' : 'other';
    const isServed = async () => (await ask(isOurs, 'GET', boxes)).status === 200;
    await eventually(`boxes at ${name}`, isServed);
    const large = await ask(isOurs, 'POST', boxes, box(name, 4));
    assert.equal(large.status, 422, JSON.stringify(large.body));
    const fit = await ask(isOurs, 'POST', boxes, box(name, isOurs ? 1 : 2));
    assert.equal(fit.status, 201, JSON.stringify(fit.body));
    assert.deepEqual(fit.body.spec, { size: isOurs ? 1 : 2 });
  }
  for (const isOurs of [true, false]) {
    const { body } = await ask(isOurs, 'GET', `${boxes}?fieldSelector=spec.size%3D2`);
    assert.deepEqual(
      body.items.map(({ metadata }: Body) => metadata.name),
      ['other'],
    );
  }
});

test('both are told of as servers, and what both keep stays as it is while nobody writes', async () => {
  const { body } = await ask(false, 'GET', `${inDefault}/endpoints/kubernetes`);
  assert.deepEqual(
    body.subsets[0].addresses,
    addresses.map((ip) => ({ ip })),
  );
  const before = await bothTell();
  await delay(15_000);
  const after = await bothTell();
  for (const [place, object] of before) assert.deepEqual(after.get(place), object, place);
});

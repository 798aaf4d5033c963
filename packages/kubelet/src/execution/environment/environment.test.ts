import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { containerEnvironment } from './environment.ts';
import { expandAll } from './expand.ts';
import { resourceValue } from './resource-value.ts';
import { serviceVariables, visibleServices } from './service-variables.ts';

const configMaps: Record<string, Record<string, string>> = { cm: { A: 'from-map', B: 'two' } };
const secrets: Record<string, Record<string, string>> = { s: { PW: 'aHVudGVyMg==' } };

const files: Record<string, string> = { 'v:.env': "A='one'\nEMPTY=''\n", 'v:bad': 'A=1' };

async function environment(more: Partial<Container>, metadata = {}) {
  const one = container('a', more);
  const entries = await containerEnvironment({
    pod: pod({ containers: [one], nodeName: 'n1' }, { labels: { app: 'x' }, ...metadata }),
    container: one,
    podIps: ['10.0.0.5'],
    hostIps: ['192.0.2.1'],
    nodeAllocatable: { memory: '2Gi' },
    services: [{ name: 'SVC', value: '1.1.1.1' }],
    configMap: async (name) => configMaps[name] && { metadata: {}, data: configMaps[name] },
    secret: async (name) => secrets[name] && { metadata: {}, data: secrets[name] },
    file: async (volume, path) => files[`${volume}:${path}`],
  });
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

test('references see earlier variables and services, and stay as written when unknown', async () => {
  const env = [
    { name: 'X', value: '1' },
    { name: 'Y', value: '$(X)-$(SVC)-$(NONE)-$$(X)-$(Z)' },
    { name: 'Z', value: 'later' },
  ];
  assert.equal((await environment({ env }))['Y'], '1-1.1.1.1-$(NONE)-$(X)-$(Z)');
});

test('envFrom comes first, with its prefix, and env wins over it', async () => {
  const values = await environment({
    envFrom: [{ configMapRef: { name: 'cm' } }, { prefix: 'P_', secretRef: { name: 's' } }],
    env: [{ name: 'A', value: 'own' }],
  });
  assert.deepEqual([values['A'], values['B'], values['P_PW']], ['own', 'two', 'hunter2']);
});

test('fields and resources come from the pod and the node', async () => {
  const ref = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
  const values = await environment({
    resources: { requests: { cpu: '1500m' } },
    env: [
      { name: 'NAME', ...ref('metadata.name') },
      { name: 'LABEL', ...ref("metadata.labels['app']") },
      { name: 'NODE', ...ref('spec.nodeName') },
      { name: 'IP', ...ref('status.podIP') },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'requests.cpu' } } },
      { name: 'MEM', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
    ],
  });
  const { NAME, LABEL, NODE, IP, CPU, MEM } = values;
  assert.deepEqual([NAME, LABEL, NODE, IP, CPU, MEM], ['p', 'x', 'n1', '10.0.0.5', '2', '2048']);
});

test('a missing object or key is named, unless it is optional', async () => {
  const from = (valueFrom: object) => environment({ env: [{ name: 'X', valueFrom }] });
  await assert.rejects(from({ configMapKeyRef: { name: 'none', key: 'k' } }), /configmap "none" not found/);
  await assert.rejects(
    from({ configMapKeyRef: { name: 'cm', key: 'k' } }),
    /couldn't find key k in ConfigMap default\/cm/,
  );
  await assert.rejects(
    from({ secretKeyRef: { name: 's', key: 'k' } }),
    /couldn't find key k in Secret default\/s/,
  );
  assert.equal('X' in (await from({ secretKeyRef: { name: 's', key: 'k', optional: true } })), false);
});

test('a key of a file is a variable; one that is not there, or has nothing, is named, unless it is optional', async () => {
  const from = (path: string, key: string, optional?: boolean) =>
    environment({
      env: [{ name: 'X', valueFrom: { fileKeyRef: { volumeName: 'v', path, key, optional } } }],
    });
  assert.equal((await from('.env', 'A'))['X'], 'one');
  for (const key of ['B', 'EMPTY'])
    await assert.rejects(
      from('.env', key),
      new RegExp(`key "${key}" not found in file ".env" of volume "v"`),
    );
  await assert.rejects(from('none', 'A'), /couldn't find the file none of variables in volume "v"/);
  await assert.rejects(from('bad', 'A', true), /line 1: value must be enclosed/);
  for (const path of ['.env', 'none']) assert.equal('X' in (await from(path, 'B', true)), false);
});

test('a service gives the variables of both styles', () => {
  const metadata = { name: 'my-db', namespace: 'default' };
  const spec = { clusterIP: '10.96.0.9', ports: [{ name: 'main', port: 5432 }] };
  const values = Object.fromEntries(
    serviceVariables([{ metadata, spec }]).map(({ name, value }) => [name, value]),
  );
  assert.deepEqual(values, {
    MY_DB_SERVICE_HOST: '10.96.0.9',
    MY_DB_SERVICE_PORT: '5432',
    MY_DB_SERVICE_PORT_MAIN: '5432',
    MY_DB_PORT: 'tcp://10.96.0.9:5432',
    MY_DB_PORT_5432_TCP: 'tcp://10.96.0.9:5432',
    MY_DB_PORT_5432_TCP_PROTO: 'tcp',
    MY_DB_PORT_5432_TCP_PORT: '5432',
    MY_DB_PORT_5432_TCP_ADDR: '10.96.0.9',
  });
});

test('a name that every object inherits is an absent label and an absent key', async () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const fieldRef = { fieldPath: `metadata.labels['${name}']` };
    const absent = {
      name: 'ABSENT',
      valueFrom: { configMapKeyRef: { name: 'cm', key: name, optional: true } },
    };
    const values = await environment({ env: [{ name: 'LABEL', valueFrom: { fieldRef } }, absent] });
    assert.equal(values['LABEL'], '');
    assert.equal(values['ABSENT'], undefined);
    const needed = { name: 'X', valueFrom: { secretKeyRef: { name: 's', key: name } } };
    await assert.rejects(environment({ env: [needed] }), new RegExp(`couldn't find key ${name} in Secret`));
  }
});

test("a limit that a container does not have itself is its pod's, else what the node has", () => {
  const one = container('a', { resources: { limits: { memory: '1Mi' } } });
  const of = pod({ containers: [one], resources: { limits: { cpu: '2', memory: '64Mi' } } });
  const nodeAllocatable = { cpu: '8', memory: '1Gi', 'ephemeral-storage': '10' };
  const value = (resource: string) =>
    resourceValue({ resource }, { pod: of, container: one, nodeAllocatable });
  assert.deepEqual(['limits.cpu', 'limits.memory', 'limits.ephemeral-storage', 'requests.cpu'].map(value), [
    '2',
    '1048576',
    '10',
    '0',
  ]);
});

test('a limit of 0 is none, and huge pages that a container does not have are none of the node’s', () => {
  const one = container('a', { resources: { limits: { memory: '0' } } });
  const nodeAllocatable = { memory: '1Gi', 'hugepages-2Mi': '64Mi' };
  const value = (resource: string) =>
    resourceValue({ resource }, { pod: pod({ containers: [one] }), container: one, nodeAllocatable });
  assert.deepEqual([value('limits.memory'), value('limits.hugepages-2Mi')], ['1073741824', '0']);
});

test('a pod sees the services of its namespace, and the API server unless one of its own has that name', () => {
  const service = (namespace: string, name: string, clusterIP: string) => ({
    ...{ metadata: { name, namespace }, spec: { clusterIP, ports: [{ port: 80 }] } },
  });
  const all = [
    service('mine', 'kubernetes', '10.0.0.3'),
    service('default', 'kubernetes', '10.0.0.1'),
    service('default', 'other', '10.0.0.2'),
    service('mine', 'web', '10.0.0.4'),
    service('mine', 'headless', 'None'),
  ];
  const seen = (namespace: string, wantsAll: boolean, services = all) =>
    visibleServices(services, { namespace, wantsAll }).map(({ spec }) => spec?.clusterIP);
  assert.deepEqual(seen('mine', true), ['10.0.0.3', '10.0.0.4']);
  assert.deepEqual(seen('mine', true, all.toReversed()), ['10.0.0.4', '10.0.0.3']);
  assert.deepEqual(seen('mine', false), ['10.0.0.1']);
  assert.deepEqual(seen('default', true), ['10.0.0.1', '10.0.0.2']);
});

test('variables that double each other, or name large objects again and again, are refused before they take the node’s memory', async () => {
  const doubling = Array.from({ length: 30 }, (_, at) => ({
    name: `A${at}`,
    value: at === 0 ? 'x'.repeat(1_000) : `$(A${at - 1})$(A${at - 1})`,
  }));
  const many = Array.from({ length: 10 }, (_, at) => ({ name: `B${at}`, value: '$(A9)$(A9)' }));
  const message =
    /^(a value|the environment of container "a") would have more than 8388608 characters once its references are replaced$/;
  await assert.rejects(environment({ env: doubling }), { message });
  await assert.rejects(environment({ env: [...doubling.slice(0, 10), ...many] }), { message });
  configMaps['large'] = { KEY: 'x'.repeat(1_000_000) };
  const env = Array.from({ length: 9 }, (_, at) => ({
    name: `C${at}`,
    valueFrom: { configMapKeyRef: { name: 'large', key: 'KEY' } },
  }));
  await assert.rejects(environment({ env }), { message });
  assert.equal(Object.keys(await environment({ env: env.slice(0, 8) })).length, 9);
});

test('a command that names a long variable again and again is refused likewise', () => {
  const word = '$(LONG)'.repeat(10);
  const lookup = () => 'x'.repeat(100_000);
  assert.equal(expandAll([word], lookup)[0]?.length, 1_000_000);
  assert.throws(() => expandAll([word, word, word, word, word, word, word, word, word], lookup), {
    message: /^a command would have more than/,
  });
  assert.throws(() => expandAll(['$(LONG)'.repeat(100)], lookup), {
    message: /^a value would have more than/,
  });
});

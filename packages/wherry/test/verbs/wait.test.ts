import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startRelay } from '../../../client/test/relay.ts';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, labels },
  data,
});
const met = (...names: string[]) => ({
  ...{ code: 0, stderr: '' },
  stdout: names.map((name) => `configmap/${name} condition met\n`).join(''),
});
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

test('wait ends when an object gets the field, is created, or is gone, and not before', async () => {
  await served.client.create(configMap('field', { state: 'begun' }));
  let isOver = false;
  const field = served.run("wait cm/field --for=jsonpath={.data.state}='done' --timeout=20s");
  void field.then(() => (isOver = true));
  await delay(100);
  assert.equal(isOver, false);
  await served.client.patch('ConfigMap/field', { data: { state: 'done' } });
  assert.deepEqual(await field, met('field'));

  const created = served.run('wait cm/late --for=create --for=jsonpath=.data.a=1 --timeout=20s');
  await served.client.create(configMap('late', { a: '1' }));
  assert.deepEqual(await created, met('late', 'late'));
  const selected = served.run('wait cm -l app=late --for=create --timeout=20s');
  await served.client.create(configMap('labelled', {}, { app: 'late' }));
  assert.deepEqual(await selected, met('labelled'));

  const gone = served.run('wait cm -l app=late --for=delete --timeout=20s');
  await delay(100);
  await served.client.delete('ConfigMap/labelled');
  assert.deepEqual(await gone, met('labelled'));
  assert.deepEqual(await served.run('wait cm/labelled --for=delete'), met());
});

test('wait -o json prints what was waited for with its kind', async () => {
  await served.client.create(configMap('typed', { a: '1' }));
  const { stdout } = await served.run('wait cm/typed --for=jsonpath=.data.a=1 -o json');
  const { apiVersion, kind, data } = JSON.parse(stdout);
  assert.deepEqual({ apiVersion, kind, data }, { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
});

test('wait goes on when its connections are torn', async (context) => {
  await served.client.create(configMap('torn', { round: '0' }));
  const { port, tear, close } = await startRelay(served.server.apiserver.port);
  context.after(close);
  const through = ['--server', `https://127.0.0.1:${port}`, '--tls-server-name', '127.0.0.1'];
  const waiting = served.run('wait cm/torn --for=jsonpath=.data.round=5 --timeout=30s', ...through);
  await delay(200);
  for (let round = 1; round <= 5; round += 1) {
    tear();
    await served.client.patch('ConfigMap/torn', { data: { round: String(round) } });
    await delay(20);
  }
  assert.deepEqual(await waiting, met('torn'));
});

test('wait reads a condition as kubectl does: any case, and none that is older than the object', async () => {
  const spec = {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  };
  await served.client.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  const conditions = [{ type: 'Available', status: 'True' }];
  const status = { observedGeneration: 1, conditions };
  await served.client.patch('Deployment/web', { status }, { subresource: 'status' });
  const look = (condition: string) => served.run(`wait deploy/web --for=condition=${condition} --timeout=0`);
  const stdout = 'deployment.apps/web condition met\n';
  for (const condition of ['available', 'AVAILABLE=true'])
    assert.deepEqual(await look(condition), { code: 0, stderr: '', stdout });
  const notMet = failed('error: condition not met for deployments/web');
  assert.deepEqual(await look('available=false'), notMet);
  await served.client.patch('Deployment/web', { spec: { minReadySeconds: 1 } });
  assert.deepEqual(await look('available'), notMet);
});

test('wait says what does not come, of each object, and goes on with the others', async () => {
  await served.client.create(configMap('one'));
  await served.client.create(configMap('two'));
  const late = 'timed out waiting for the condition on configmaps';
  assert.deepEqual(
    await served.run('wait cm/one --for=condition=x --timeout=50ms'),
    failed(`error: ${late}/one`),
  );
  assert.deepEqual(
    await served.run('wait cm/one cm/two --for=delete --timeout=50ms'),
    failed(`${late}/one\n${late}/two`),
  );
  assert.deepEqual(await served.run('wait cm/nope cm/one --for=jsonpath=.metadata.name'), {
    ...{ code: 1, stdout: 'configmap/one condition met\n' },
    stderr: 'Error from server (NotFound): configmaps "nope" not found\n',
  });
  assert.deepEqual(
    await served.run('wait cm/nope --for=create --timeout=50ms'),
    failed('error: timed out waiting for the condition'),
  );
  assert.deepEqual(
    await served.run('wait cm -l app=none --for=condition=x'),
    failed('error: no matching resources found'),
  );
});

test('wait refuses what it can not wait for', async () => {
  for (const [line, says] of [
    ['wait cm/one --for=soon', 'error: unrecognized condition: "soon"'],
    ['wait cm/one', 'error: unrecognized condition: []'],
    ['wait cm --for=delete', 'error: resource(s) were provided, but no name was specified'],
    [
      'wait cm/one --for=jsonpath=.metadata.* --timeout=0',
      'error: given jsonpath expression matches more than one value',
    ],
    [
      'wait cm/one --for=jsonpath=.metadata=x --timeout=0',
      'error: jsonpath leads to a nested object or list which is not supported',
    ],
    ['wait cm/one -A --for=create', 'error: a resource cannot be retrieved by name across all namespaces'],
  ] as const)
    assert.deepEqual(await served.run(line), failed(says), line);
  assert.match(
    (await served.run('wait --for=delete')).stderr,
    /^error: You must provide one or more resources/,
  );
});

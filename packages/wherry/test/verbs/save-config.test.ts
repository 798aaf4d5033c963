/** `--save-config` of all that create or replace, and `--validate`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KubeObject, kinds } from '@wherry/client';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const configMap = (name: string, data: object, metadata: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data },
});
const labels = { app: 'web' };
const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'app' }] } },
  },
};

before(async () => {
  both = await BesideKubectl.start([deployment]);
});
after(() => both?.close());

const givenLast = ({ metadata }: KubeObject) => metadata?.annotations?.[annotation];

test('create and replace keep what a file gives for client-side apply, when asked to or when it was kept before', async () => {
  const { client } = both.wherry;
  const file = both.file(
    'plain.json',
    configMap('plain', { b: '<&>', a: '1' }, { labels: { z: '1', a: '2' } }),
  );
  const kept = both.file(
    'kept.json',
    configMap('kept', {}, { annotations: { [annotation]: 'old', note: 'x' } }),
  );
  for (const line of [
    `create -f ${file} --save-config`,
    `replace -f ${file}`,
    `replace -f ${file} --save-config`,
    `create -f ${kept}`,
    `replace -f ${kept}`,
  ])
    await both.typeLine(line);
  await both.compareObjects('ConfigMap');
  assert.equal(
    givenLast(await client.get('ConfigMap/plain')),
    '{"apiVersion":"v1","data":{"a":"1","b":"\\u003c\\u0026\\u003e"},"kind":"ConfigMap","metadata":{"annotations":{},"labels":{"a":"2","z":"1"},"name":"plain","namespace":"default"}}\n',
  );
  // What applies it anew finds nothing to change.
  const applied = await both.wherry.server.kubectl(['apply', '-f', file]);
  assert.equal(applied.stdout, 'configmap/plain unchanged\n');
});

test('create, autoscale, expose and run keep what a command makes, as its type is written', async () => {
  const { client, run } = { client: both.wherry.client, run: (line: string) => both.wherry.run(line) };
  await run('create cm made --from-literal=a=1 --save-config -n default');
  assert.equal(
    givenLast(await client.get('ConfigMap/made')),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"made","namespace":"default"},"data":{"a":"1"}}\n',
  );
  await run('create deployment made --image=app --save-config');
  const { kind, spec, status } = JSON.parse(givenLast(await client.get('Deployment/made')) ?? '');
  assert.deepEqual([kind, spec.replicas, spec.strategy, status], ['Deployment', 1, {}, {}]);
  await run('autoscale deployment/web --max=3 --cpu=50% --save-config');
  const autoscaler = await client.resource(kinds.horizontalPodAutoscalers).get({ name: 'web' });
  assert.equal(JSON.parse(givenLast(autoscaler) ?? '').spec.maxReplicas, 3);
  await run('expose deployment/web --port=80 --save-config');
  assert.equal(
    givenLast(await client.get('Service/web')),
    '{"kind":"Service","apiVersion":"v1","metadata":{"name":"web"},"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":80}],"selector":{"app":"web"}},"status":{"loadBalancer":{}}}\n',
  );
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  await run('run web --image=app --save-config');
  assert.equal(JSON.parse(givenLast(await client.get('Pod/web')) ?? '').spec.containers[0].image, 'app');
  await run('create cm bare');
  assert.equal(givenLast(await client.get('ConfigMap/bare')), undefined);
});

test('--validate says what becomes of fields that the server does not know', async () => {
  const { wherry } = both;
  const file = wherry.file('odd.json', { ...configMap('odd', {}), odd: 1 });
  const warning = 'Warning: unknown field "odd"\n';
  for (const flag of ['', ' --validate', ' --validate=strict', ' --validate=true']) {
    const { code, stderr } = await wherry.run(`create -f ${file}${flag}`);
    assert.equal(code, 1);
    assert.match(stderr, /strict decoding error: unknown field "odd"/);
  }
  assert.deepEqual(await wherry.run(`create -f ${file} --validate=warn`), {
    ...{ code: 0, stdout: 'configmap/odd created\n', stderr: warning },
  });
  assert.match((await wherry.run(`replace -f ${file}`)).stderr, /strict decoding error/);
  const replaced = { code: 0, stdout: 'configmap/odd replaced\n', stderr: '' };
  assert.deepEqual(await wherry.run(`replace -f ${file} --validate=warn`), { ...replaced, stderr: warning });
  assert.deepEqual(await wherry.run(`replace -f ${file} --validate=false`), replaced);
  assert.deepEqual(await wherry.run(`replace -f ${file} --validate=ignore --force`), {
    ...{ code: 0, stderr: '' },
    stdout: 'configmap "odd" deleted from default namespace\nconfigmap/odd replaced\n',
  });
  for (const line of [`create -f ${file}`, 'create cm x', `replace -f ${file}`])
    assert.deepEqual(await wherry.run(`${line} --validate=maybe`), {
      ...{ code: 1, stdout: '' },
      stderr:
        'error: invalid - validate option "maybe"; must be one of: strict (or true), warn, ignore (or false)\n',
    });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AutoscalingV1HorizontalPodAutoscaler, HorizontalPodAutoscaler } from '@wherry/kubeapi';
import { TestServer } from '../../../test/test-server.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const pathOf = (version: string, name = '') =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name && `/${name}`}`;
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const hits = {
  type: 'Pods',
  pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } },
};
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const behavior = { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } };

describe('autoscalers in both versions', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await server.request(method, path, { body, headers });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const old = (name: string): Promise<AutoscalingV1HorizontalPodAutoscaler> =>
    send('GET', pathOf('v1', name));
  const now = (name: string): Promise<HorizontalPodAutoscaler> => send('GET', pathOf('v2', name));
  const create = (version: string, name: string, spec: object, more: object = {}) =>
    send('POST', `${pathOf(version)}?fieldManager=maker`, { metadata: { name, ...more }, spec });
  const patch = (path: string, body: object, query = '', type = 'merge-patch+json') =>
    send('PATCH', `${path}?${query}`, body, { 'content-type': `application/${type}` });
  const owners = ({ metadata }: HorizontalPodAutoscaler | AutoscalingV1HorizontalPodAutoscaler) =>
    (metadata.managedFields ?? []).map(({ manager, apiVersion, fieldsV1 }) => {
      const spec = (fieldsV1 as Record<string, object>)['f:spec'] ?? {};
      return `${manager} ${apiVersion} ${Object.keys(spec)
        .filter((key) => key !== '.')
        .join()}`;
    });

  it('kubectl of 1.32, which writes the first, makes and prints one', async () => {
    const { code, stderr } = await server.kubectl(['create', 'deployment', 'web', '--image=busybox:1.36']);
    assert.equal(code, 0, stderr);
    const flags = ['--min=2', '--max=4', '--cpu-percent=70'];
    const made = await server.kubectl(['autoscale', 'deployment', 'web', ...flags]);
    assert.equal(made.code, 0, made.stderr);
    const { spec } = await now('web');
    assert.deepEqual([spec.minReplicas, spec.maxReplicas, spec.metrics], [2, 4, [cpu(70)]]);
    for (const resource of ['hpa', 'hpa.v1.autoscaling', 'hpa.v2.autoscaling']) {
      const { stdout } = await server.kubectl(['get', resource, 'web']);
      assert.match(stdout, /Deployment\/web +cpu: <unknown>\/70% +2 +4 /);
    }
  });

  it('one without a share of the processors has the usual one, and may have none beside another metric', async () => {
    await create('v1', 'usual', { scaleTargetRef, maxReplicas: 3 });
    assert.equal((await old('usual')).spec.targetCPUUtilizationPercentage, 80);
    await create('v2', 'other', { scaleTargetRef, maxReplicas: 3, metrics: [hits] });
    assert.equal((await old('other')).spec.targetCPUUtilizationPercentage, undefined);
  });

  it('the first keeps in annotations what it has no fields for, and a write by it changes nothing else', async () => {
    await create('v2', 'rich', { scaleTargetRef, maxReplicas: 3, metrics: [hits, cpu(50)], behavior });
    const before = await now('rich');
    assert.equal(before.metadata.annotations, undefined);
    const shown = await old('rich');
    assert.deepEqual(Object.keys(shown.metadata.annotations ?? {}), [
      `${prefix}metrics`,
      `${prefix}behavior`,
    ]);
    shown.spec.maxReplicas = 5;
    await send('PUT', pathOf('v1', 'rich'), shown);
    const after = await now('rich');
    assert.deepEqual(after.spec, { ...before.spec, maxReplicas: 5 });
    assert.equal(after.metadata.annotations, undefined);
  });

  it('the status is written in either, and by nothing else, whatever annotations say', async () => {
    const told = `[{"type":"AbleToScale","status":"True"}]`;
    const annotations = { [`${prefix}conditions`]: told, own: 'a' };
    await create('v1', 'told', { scaleTargetRef, maxReplicas: 3 }, { annotations });
    assert.deepEqual((await old('told')).metadata.annotations, { own: 'a' });
    const status = { currentReplicas: 1, desiredReplicas: 2, conditions: JSON.parse(told) };
    await patch(`${pathOf('v2', 'told')}/status`, { status });
    const shown = await old('told');
    assert.equal(shown.status?.desiredReplicas, 2);
    const kept = shown.metadata.annotations?.[`${prefix}conditions`];
    assert.equal(kept, told.replace('}', ',"lastTransitionTime":null}'));
    await patch(pathOf('v1', 'told'), { metadata: { annotations: { [`${prefix}conditions`]: null } } });
    assert.equal((await now('told')).status?.conditions?.length, 1);
    await patch(`${pathOf('v1', 'told')}/status`, {
      spec: { maxReplicas: 9 },
      status: { desiredReplicas: 3 },
    });
    const { spec, status: last } = await now('told');
    assert.deepEqual([spec.maxReplicas, last?.desiredReplicas, last?.conditions?.length], [3, 3, 1]);
  });

  it('what one says in annotations goes through the rules of the other', async () => {
    const annotations = { [`${prefix}behavior`]: '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":-1}]}}' };
    const body = { metadata: { name: 'bad', annotations }, spec: { scaleTargetRef, maxReplicas: 3 } };
    const { status, text } = await server.request('POST', pathOf('v1'), { body });
    assert.equal(status, 422);
    assert.match(text, /spec\.behavior\.scaleUp\.policies\[0\]\.value/);
  });

  it('managed fields stay in the version that they were written by, and change owners across versions', async () => {
    await create('v2', 'owned', { scaleTargetRef, maxReplicas: 3, metrics: [cpu(50)] });
    const before = 'maker autoscaling/v2 f:maxReplicas,f:metrics,f:minReplicas,f:scaleTargetRef';
    const sorted = (text: string) => text.split(/[ ,]/).sort().join(' ');
    assert.deepEqual(owners(await now('owned')).map(sorted), [sorted(before)]);
    await patch(
      pathOf('v1', 'owned'),
      { spec: { targetCPUUtilizationPercentage: 60 } },
      'fieldManager=changer',
    );
    assert.deepEqual(
      owners(await now('owned'))
        .map(sorted)
        .sort(),
      [before.replace('f:metrics,', ''), 'changer autoscaling/v1 f:targetCPUUtilizationPercentage']
        .map(sorted)
        .sort(),
    );
  });

  it('an apply in one version conflicts with the owner of the same thing in the other, and takes out what is still its own', async () => {
    const apply = (version: string, manager: string, spec: object, more = '') =>
      patch(
        pathOf(version, 'applied'),
        {
          ...{ apiVersion: `autoscaling/${version}`, kind: 'HorizontalPodAutoscaler' },
          metadata: { name: 'applied' },
          spec,
        },
        `fieldManager=${manager}${more}`,
        'apply-patch+yaml',
      );
    await apply('v2', 'one', { scaleTargetRef, maxReplicas: 3, metrics: [hits], behavior });
    await assert.rejects(
      apply('v1', 'two', { targetCPUUtilizationPercentage: 60 }),
      /conflict with \\"one\\"/,
    );
    await apply('v1', 'two', { targetCPUUtilizationPercentage: 60 }, '&force=true');
    assert.deepEqual((await now('applied')).spec.metrics, [hits, cpu(60)]);
    await apply('v1', 'one', { scaleTargetRef, maxReplicas: 4 });
    const { spec } = await now('applied');
    assert.deepEqual([spec.maxReplicas, spec.metrics, spec.behavior], [4, [hits, cpu(60)], undefined]);
  });

  it('a watch in the first tells of a change in the second', async () => {
    const { metadata } = await send('GET', pathOf('v1'));
    await patch(pathOf('v2', 'usual'), { spec: { metrics: [cpu(30)] } });
    const query = `?watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`;
    const { text } = await server.request('GET', `${pathOf('v1')}${query}`);
    const { object } = JSON.parse(text.split('\n', 1)[0]!);
    assert.deepEqual([object.apiVersion, object.spec.targetCPUUtilizationPercentage], ['autoscaling/v1', 30]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const namespaces = '/api/v1/namespaces';
const container = { name: 'main', image: 'x' };

/** Beside kube-apiserver, in all their words: conformance/upstream/admission-plugins.test.ts. */
describe('plug-ins that are switched on', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      enableAdmissionPlugins: [
        ...['NamespaceAutoProvision', 'LimitPodHardAntiAffinityTopology', 'AlwaysPullImages'],
        ...['PodNodeSelector', 'PodTolerationRestriction', 'ExtendedResourceToleration'],
        'OwnerReferencesPermissionEnforcement',
      ],
    });
    const annotations = {
      'scheduler.alpha.kubernetes.io/node-selector': 'zone=a',
      'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"kept","operator":"Exists"}]',
      'scheduler.alpha.kubernetes.io/tolerationsWhitelist':
        '[{"key":"kept","operator":"Exists"},{"operator":"Exists","effect":"NoExecute"},{"operator":"Exists","effect":"NoSchedule"}]',
    };
    await server.request('POST', namespaces, { body: { metadata: { name: 'told', annotations } } });
    const account = { metadata: { name: 'default' } };
    await server.request('POST', `${namespaces}/told/serviceaccounts`, { body: account });
  });
  after(() => server.close());

  let pods = 0;
  const run = async (spec: object) => {
    pods += 1;
    const body = { metadata: { name: `p${pods}` }, spec: { containers: [container], ...spec } };
    const answer = await server.request('POST', `${namespaces}/told/pods`, { body });
    return answer.status === 201
      ? answer.body.spec
      : answer.body.message.replace(/^pods "p\d+" is forbidden: /, '');
  };

  it('change pods as they are for', async () => {
    const resources = { limits: { 'example.com/gpu': '1' } };
    const spec = await run({ containers: [{ ...container, resources, imagePullPolicy: 'Never' }] });
    assert.deepEqual([spec.containers[0].imagePullPolicy, spec.nodeSelector], ['Always', { zone: 'a' }]);
    const keys = spec.tolerations.map(({ key }: { key: string }) => key);
    assert.ok(keys.includes('kept') && keys.includes('example.com/gpu'), keys.join());
  });

  it('refuse pods as they are for', async () => {
    const terms = [{ topologyKey: 'zone', labelSelector: {} }];
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
    assert.match(await run({ affinity: { podAntiAffinity } }), /has TopologyKey zone but only key/);
    assert.match(await run({ nodeSelector: { zone: 'b' } }), /conflicts with its namespace node label/);
    assert.match(
      await run({ tolerations: [{ operator: 'Exists' }] }),
      /conflict with its namespace whitelist$/,
    );
  });

  it('make a namespace for what is created in it, at once and by many', async () => {
    const create = (name: string) =>
      server.request('POST', `${namespaces}/fresh/configmaps`, { body: { metadata: { name } } });
    const answers = await Promise.all(['a', 'b', 'c'].map(create));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
  });

  it('let nobody give an object an owner who may not delete it', async () => {
    const group = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] }];
    await server.request('POST', `${group}/clusterroles`, { body: { metadata: { name: 'w' }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'w' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }];
    const binding = { metadata: { name: 'w' }, roleRef, subjects };
    await server.request('POST', `${group}/clusterrolebindings`, { body: binding });
    const as = await server.authority.issue({ name: 'ada' });
    const path = `${namespaces}/told/configmaps`;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }];
    await server.request('POST', path, { body: { metadata: { name: 'a' } }, as });
    const { status, body } = await server.request('PATCH', `${path}/a`, {
      ...{ type: 'application/merge-patch+json', body: { metadata: { ownerReferences } }, as },
    });
    assert.equal(status, 403);
    assert.match(body.message, /cannot set an ownerRef on a resource you can't delete: , <nil>$/);
  });
});

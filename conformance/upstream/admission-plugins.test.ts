/**
 * Admission plug-ins that are off by default, switched on and configured by one file, in our API server and in Kubernetes' own: the same
 * answers.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../packages/apiserver/test/pki.ts';
import { TestReviewWebhook } from '../../packages/apiserver/test/test-review-webhook.ts';
import { TestWebhook } from '../../packages/apiserver/test/test-webhook.ts';
import { compareAnswers } from './compare-answers.ts';
import { type Asked, TwoServers } from './two-servers.ts';

const enabled = [
  ...['AlwaysPullImages', 'EventRateLimit', 'ExtendedResourceToleration', 'ImagePolicyWebhook'],
  ...['LimitPodHardAntiAffinityTopology', 'NamespaceExists', 'OwnerReferencesPermissionEnforcement'],
  ...['PodNodeSelector', 'PodTolerationRestriction'],
];
const namespaces = '/api/v1/namespaces';

let two: TwoServers;
let images: TestReviewWebhook;
let webhook: TestWebhook;
let somebody: Credentials;

const plugin = (name: string, configuration: object) => ({ name, configuration });
const toleration = (key: string, more: object = {}) => ({ key, operator: 'Exists', ...more });

function configuration(folder: string): object {
  const users = {
    ...{ apiVersion: 'v1', kind: 'Config', clusters: [], contexts: [] },
    users: [
      { name: `127.0.0.1:${webhook.port}`, user: { token: 'of-the-server' } },
      { name: '*', user: { username: 'nobody', password: 'nothing' } },
    ],
  };
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users));
  writeFileSync(
    join(folder, 'selectors.yaml'),
    'podNodeSelectorPluginConfig:\n  clusterDefaultNodeSelector: kept=all\n  held: zone=a, disk=fast, kept=all\n',
  );
  const config = 'apiserver.config.k8s.io/v1';
  const webhooks = {
    ...{ apiVersion: config, kind: 'WebhookAdmissionConfiguration' },
    kubeConfigFile: join(folder, 'users.json'),
  };
  const imagePolicy = { kubeConfigFile: images.kubeconfig(join(folder, 'images.json')) };
  return {
    ...{ apiVersion: config, kind: 'AdmissionConfiguration' },
    plugins: [
      { name: 'PodNodeSelector', path: 'selectors.yaml' },
      plugin('EventRateLimit', {
        ...{ apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' },
        limits: [
          { type: 'Namespace', qps: 1, burst: 3, cacheSize: 100 },
          { type: 'SourceAndObject', qps: 1, burst: 1 },
        ],
      }),
      plugin('PodTolerationRestriction', {
        ...{ apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', kind: 'Configuration' },
        default: [toleration('usual')],
      }),
      plugin('ImagePolicyWebhook', { imagePolicy: { ...imagePolicy, denyTTL: -1 } }),
      plugin('ResourceQuota', {
        ...{ apiVersion: config, kind: 'ResourceQuotaConfiguration' },
        limitedResources: [
          {
            resource: 'pods',
            matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }],
          },
          { resource: 'persistentvolumeclaims', matchContains: ['requests.storage'] },
        ],
      }),
      plugin('MutatingAdmissionWebhook', webhooks),
      plugin('ValidatingAdmissionWebhook', webhooks),
    ],
  };
}

before(async () => {
  two = await TwoServers.start({
    ...{ port: 16_497, etcdPort: 23_897 },
    async prepare({ authority, folder }) {
      webhook = await TestWebhook.start(authority);
      images = await TestReviewWebhook.start(authority);
      images.answer = ({ review: { spec } }) => {
        const asked = JSON.stringify(spec);
        if (asked.includes('broken')) return { code: 404 };
        const allowed = !asked.includes('bad');
        return { status: { allowed, ...(asked.includes('worse') ? { reason: `not ${asked}` } : {}) } };
      };
      somebody = await authority.issue({ name: 'somebody' });
      const file = join(folder, 'admission.json');
      writeFileSync(file, JSON.stringify(configuration(folder)));
      return {
        options: { enableAdmissionPlugins: enabled, admissionControlConfigFile: file },
        flags: [`--enable-admission-plugins=${enabled.join(',')}`, `--admission-control-config-file=${file}`],
      };
    },
  });
  for (const name of ['default', 'told', 'held', 'free', 'odd']) await prepareNamespace(name);
});
after(async () => {
  await two?.close();
  await images?.close();
  webhook?.close();
});

const annotationsOf = new Map([
  [
    'told',
    {
      'scheduler.alpha.kubernetes.io/node-selector': 'zone=b',
      'scheduler.alpha.kubernetes.io/defaultTolerations': JSON.stringify([toleration('of-the-namespace')]),
      'scheduler.alpha.kubernetes.io/tolerationsWhitelist': JSON.stringify([
        toleration('of-the-namespace'),
        toleration('node.kubernetes.io/memory-pressure'),
        toleration('node.kubernetes.io/not-ready', { tolerationSeconds: 400, effect: 'NoExecute' }),
        toleration('node.kubernetes.io/unreachable'),
      ]),
    },
  ],
  [
    'free',
    {
      'scheduler.alpha.kubernetes.io/node-selector': '',
      'scheduler.alpha.kubernetes.io/defaultTolerations': '',
    },
  ],
  [
    'odd',
    {
      'scheduler.alpha.kubernetes.io/node-selector': 'zone',
      'scheduler.alpha.kubernetes.io/defaultTolerations': '{',
    },
  ],
]);

async function prepareNamespace(name: string): Promise<void> {
  for (const url of two.urls) {
    const annotations = annotationsOf.get(name);
    const namespace = { metadata: { name, ...(annotations ? { annotations } : {}) } };
    await two.ask(url, { method: 'POST', path: namespaces, body: namespace });
    const path = `${namespaces}/${name}/serviceaccounts`;
    await two.ask(url, { method: 'POST', path, body: { metadata: { name: 'default' } } });
  }
}

const compare = (...all: Asked[]) => compareAnswers(two, all);
const container = (name: string, more: object = {}) => ({ name, image: `${name}:1`, ...more });
const podIn = (namespace: string, name: string, spec: object = {}, metadata: object = {}): Asked => ({
  ...{ method: 'POST', path: `${namespaces}/${namespace}/pods` },
  body: {
    metadata: { name, ...metadata },
    spec: { automountServiceAccountToken: false, containers: [container('main')], ...spec },
  },
});
const strategic = 'application/strategic-merge-patch+json';
const patch = (path: string, body: object): Asked => ({ method: 'PATCH', path, body, type: strategic });

describe('admission plug-ins that are switched on', () => {
  it('AlwaysPullImages: every new image is asked for', () =>
    compare(
      podIn('default', 'pulls', {
        containers: [container('main', { imagePullPolicy: 'Never' }), container('other')],
        initContainers: [container('first', { imagePullPolicy: 'IfNotPresent' })],
        volumes: [{ name: 'v', image: { reference: 'data:1', pullPolicy: 'IfNotPresent' } }],
      }),
      patch(`${namespaces}/default/pods/pulls`, { metadata: { labels: { a: 'b' } } }),
      patch(`${namespaces}/default/pods/pulls`, { spec: { containers: [{ name: 'main', image: 'new:1' }] } }),
      patch(`${namespaces}/default/pods/pulls/ephemeralcontainers`, {
        spec: { ephemeralContainers: [container('debug', { imagePullPolicy: 'Never' })] },
      }),
    ));

  it('PodNodeSelector: pods go where their namespace says, or the configuration', () =>
    compare(
      podIn('default', 'usual'),
      podIn('default', 'more', { nodeSelector: { disk: 'slow' } }),
      podIn('default', 'other', { nodeSelector: { kept: 'none' } }),
      podIn('told', 'in-b'),
      podIn('told', 'in-a', { nodeSelector: { zone: 'a' } }),
      podIn('held', 'allowed', { nodeSelector: { zone: 'a' } }),
      podIn('held', 'elsewhere', { nodeSelector: { zone: 'b' } }),
      podIn('held', 'unknown', { nodeSelector: { arch: 'arm64' } }),
      podIn('free', 'anywhere', { nodeSelector: { kept: 'none' } }),
    ));

  it('PodTolerationRestriction: pods tolerate what their namespace says, or the configuration', () =>
    compare(
      podIn('default', 'asks', {
        containers: [container('main', { resources: { requests: { cpu: '1m' } } })],
      }),
      podIn('default', 'tolerates', { tolerations: [toleration('usual', { effect: 'NoSchedule' })] }),
      podIn('free', 'nothing'),
      podIn('told', 'told', { containers: [container('main', { resources: { limits: { cpu: '1' } } })] }),
      podIn('told', 'longer', {
        tolerations: [
          toleration('node.kubernetes.io/not-ready', { effect: 'NoExecute', tolerationSeconds: 60 }),
        ],
      }),
    ));

  it('what a namespace’s annotations forbid, or nobody can read, is 403, where upstream answers 500', async () => {
    const asked = [
      podIn('told', 'too-much', { tolerations: [toleration('everything')] }),
      podIn('told', 'too-long', {
        tolerations: [
          toleration('node.kubernetes.io/not-ready', { effect: 'NoExecute', tolerationSeconds: 500 }),
        ],
      }),
      podIn('odd', 'a'),
    ];
    const why = [
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
      'invalid selector: [zone]',
    ];
    for (const [index, each] of asked.entries()) {
      const [ours, theirs] = await Promise.all(two.urls.map((url) => two.ask(url, each)));
      assert.deepEqual([ours?.code, theirs?.code], [403, 500]);
      for (const answer of [ours, theirs])
        assert.ok(String(JSON.parse(answer!.text).message).endsWith(why[index]!), answer!.text);
    }
  });

  it('ExtendedResourceToleration: who asks for a device tolerates its taint', () => {
    const gpus = { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } };
    const ports = { limits: { 'example.com/ports': '2', cpu: '1' } };
    return compare(
      podIn('default', 'devices', {
        containers: [container('main', { resources: ports }), container('b', { resources: gpus })],
        tolerations: [
          toleration('example.com/gpu', { effect: 'NoSchedule' }),
          toleration('example.com/gpu', { effect: 'NoExecute', tolerationSeconds: 5 }),
        ],
      }),
    );
  });

  it('LimitPodHardAntiAffinityTopology: pods keep others from their node, and from nothing larger', () => {
    const apart = (topologyKey: string) => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }],
        },
      },
    });
    return compare(
      podIn('default', 'apart', apart('kubernetes.io/hostname')),
      podIn('default', 'far-apart', apart('topology.kubernetes.io/zone')),
    );
  });

  it('NamespaceExists: nothing goes on in a namespace that is not there', () =>
    compare(podIn('nowhere', 'a'), { method: 'DELETE', path: `${namespaces}/nowhere/pods/a` }));

  it('ImagePolicyWebhook: a webhook says which images may run', async () => {
    const bad = (name: string, image: string) => ({ containers: [{ name, image }] });
    const annotations = { 'a.image-policy.k8s.io/why': 'x', 'example.com/other': 'y' };
    images.asked.length = 0;
    await compare(
      podIn('default', 'bad', bad('main', 'bad:1')),
      podIn('default', 'worse', bad('main', 'bad-and-worse:1'), { annotations }),
      patch(`${namespaces}/default/pods/pulls/ephemeralcontainers`, {
        spec: { ephemeralContainers: [container('more', { image: 'bad:2' })] },
      }),
    );
    const half = images.asked.length / 2;
    const questions = images.asked.map(({ url, authorization, review }) => ({
      ...{ url, authorization, kind: review.kind, apiVersion: review.apiVersion, spec: review.spec },
    }));
    assert.ok(half > 0);
    const even = questions.filter((_, index) => index % 2 === 0);
    assert.deepEqual(
      even,
      questions.filter((_, index) => index % 2 === 1),
    );
    for (const url of two.urls) {
      const { code, text } = await two.ask(url, podIn('default', 'broken', bad('main', 'broken:1')));
      assert.deepEqual([code, /^pods "broken" is forbidden: /.test(JSON.parse(text).message)], [403, true]);
    }
  });

  it('EventRateLimit: of a namespace, and of one source about one object, no more than that', async () => {
    const about = (name: string) => ({ kind: 'Pod', namespace: 'held', name, uid: name, apiVersion: 'v1' });
    const at = '2026-01-01T00:00:00Z';
    const event = (name: string, object: string, query = ''): Asked => ({
      ...{ method: 'POST', path: `${namespaces}/held/events${query}` },
      body: {
        metadata: { name },
        involvedObject: about(object),
        source: { component: 'tester', host: 'here' },
        ...{ reason: 'Tried', message: 'it', type: 'Normal' },
        ...{ firstTimestamp: at, lastTimestamp: at, eventTime: at.replace('Z', '.000000Z') },
      },
    });
    await compare(
      event('a', 'x', '?dryRun=All'),
      event('a', 'x'),
      event('b', 'x'),
      event('c', 'y'),
      event('d', 'x'),
    );
  });

  it('ResourceQuota: what is limited needs a quota', async () => {
    const claim = (name: string): Asked => ({
      ...{ method: 'POST', path: `${namespaces}/free/persistentvolumeclaims` },
      body: {
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    });
    const critical = podIn('free', 'critical', { priorityClassName: 'system-node-critical' });
    await compare(claim('a'));
    const [ours, theirs] = await Promise.all(two.urls.map((url) => two.ask(url, critical)));
    const why = 'insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]';
    assert.deepEqual([ours?.code, theirs?.code], [403, 500]);
    for (const answer of [ours, theirs])
      assert.ok(String(JSON.parse(answer!.text).message).endsWith(why), answer!.text);
    const spec = { hard: { 'requests.storage': '5Gi' } };
    const quotas = `${namespaces}/free/resourcequotas`;
    for (const url of two.urls) {
      const body = { metadata: { name: 'q' }, spec };
      await two.ask(url, { method: 'POST', path: quotas, body });
      const status = { ...spec, used: { 'requests.storage': '0' } };
      await two.ask(url, patch(`${quotas}/q/status`, { status }));
    }
    await compare(claim('b'));
  });

  it('OwnerReferencesPermissionEnforcement: who gives an object an owner must be allowed to', async () => {
    const group = '/apis/rbac.authorization.k8s.io/v1';
    for (const url of two.urls) {
      const rules = [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'update', 'patch'] },
        { apiGroups: ['apps'], resources: ['deployments/finalizers'], verbs: ['update'] },
      ];
      const role = { metadata: { name: 'writer' }, rules };
      await two.ask(url, { method: 'POST', path: `${group}/clusterroles`, body: role });
      const binding = {
        metadata: { name: 'writer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
      };
      await two.ask(url, { method: 'POST', path: `${group}/clusterrolebindings`, body: binding });
    }
    const owner = (apiVersion: string, kind: string, more: object = {}) => ({
      ...{ apiVersion, kind, name: 'o', uid: 'u', ...more },
    });
    const path = `${namespaces}/default/configmaps`;
    const create = (name: string, ...ownerReferences: object[]): Asked => ({
      ...{ method: 'POST', path, as: somebody, body: { metadata: { name, ownerReferences } } },
    });
    const change = (...ownerReferences: object[]): Asked => ({
      ...{ method: 'PATCH', path: `${path}/a`, as: somebody, type: 'application/merge-patch+json' },
      body: { metadata: { ownerReferences } },
    });
    const blocking = { blockOwnerDeletion: true };
    await compare(
      create('a'),
      create('b', owner('v1', 'ConfigMap')),
      create('c', owner('v1', 'ConfigMap', blocking)),
      create('d', owner('apps/v1', 'Deployment', blocking)),
      create('e', owner('apps/v1', 'Nothing', blocking)),
      create('f', owner('v1', 'Node', blocking)),
      change(owner('v1', 'ConfigMap')),
      { ...change(owner('v1', 'ConfigMap', blocking)), as: two.own.admin },
      { ...change(owner('v1', 'ConfigMap', blocking)), body: { data: { a: 'b' } } },
    );
  });

  it('webhooks are asked as whom the kubeconfig of their plug-in says', async () => {
    const everything = {
      ...{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    };
    const group = '/apis/admissionregistration.k8s.io/v1';
    for (const [index, url] of two.urls.entries()) {
      for (const kind of ['mutating', 'validating']) {
        const path = `${group}/${kind}webhookconfigurations`;
        const hook = {
          ...{ name: 'w.example.com', clientConfig: webhook.clientConfig(`/${index}`), rules: [everything] },
          ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
        };
        const body = { metadata: { name: 'w' }, webhooks: [hook] };
        assert.equal((await two.ask(url, { method: 'POST', path, body })).code, 201);
      }
      webhook.askers.length = 0;
      const started = Date.now();
      for (let tries = 0; webhook.askers.length < 2; tries += 1) {
        assert.ok(Date.now() - started < 20_000, 'nobody has asked the webhooks');
        webhook.askers.length = 0;
        const body = { metadata: { name: `asked-${tries}` } };
        await two.ask(url, { method: 'POST', path: `${namespaces}/default/configmaps`, body });
      }
      const asker = { authorization: 'Bearer of-the-server', certificate: '' };
      assert.deepEqual(webhook.askers, [asker, asker]);
    }
  });
});

describe('the plug-in NamespaceAutoProvision', () => {
  it('makes a namespace for what is created in it', async () => {
    const enableAdmissionPlugins = ['NamespaceAutoProvision'];
    const provision = await TwoServers.start({
      ...{ port: 16_498, etcdPort: 23_899 },
      prepare: async () => ({
        options: { enableAdmissionPlugins },
        flags: [`--enable-admission-plugins=${enableAdmissionPlugins.join(',')}`],
      }),
    });
    try {
      const create = (query: string): Asked => ({
        ...{ method: 'POST', path: `${namespaces}/fresh/configmaps${query}` },
        body: { metadata: { name: 'a' } },
      });
      await compareAnswers(provision, [
        create('?dryRun=All'),
        { method: 'GET', path: `${namespaces}/fresh` },
        create(''),
        { method: 'GET', path: `${namespaces}/fresh/configmaps/a` },
      ]);
      for (const url of provision.urls) {
        const { text } = await provision.ask(url, { method: 'GET', path: `${namespaces}/fresh` });
        assert.equal(JSON.parse(text).status.phase, 'Active');
      }
    } finally {
      await provision.close();
    }
  });
});

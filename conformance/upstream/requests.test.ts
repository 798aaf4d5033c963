/**
 * Requests that clients seldom make, to our API server and to Kubernetes' own: the same answers, but for what no two
 * servers have in common.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../../e2e/node.ts';
import { TestWebhook } from '../../packages/apiserver/test/test-webhook.ts';
import { compareAnswers, parsed, settled } from './compare-answers.ts';
import { type Asked, TwoServers } from './two-servers.ts';

let two: TwoServers;

before(async () => {
  two = await TwoServers.start({ port: 16_479, etcdPort: 23_890 });
  for (const url of two.urls) {
    const ask = (method: string, path: string, body: object) => two.ask(url, { method, path, body });
    await eventually('the namespace', async () => {
      const account = { metadata: { name: 'default' } };
      return (await ask('POST', `${core}/serviceaccounts`, account)).code !== 404;
    });
    for (const name of ['a', 'b', 'c'])
      await ask('POST', `${core}/configmaps`, { metadata: { name, labels: { set: 'kept' } } });
    await ask('POST', `${core}/pods`, pod('p', { nodeName: 'n1' }));
  }
});
after(() => two.close());

const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const pod = (name: string, more: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'b' }], ...more },
});
const get = (path: string): Asked => ({ method: 'GET', path });
const patch = (path: string, body: unknown, type = merge): Asked => ({ method: 'PATCH', path, body, type });
const finalized = (name: string) => ({ metadata: { name, finalizers: ['example.com/kept'] } });

const compare = (all: readonly Asked[]) => compareAnswers(two, all);

test('lists from anywhere, methods and times', () =>
  compare([
    get(`${core}/configmaps?resourceVersion=0&limit=1&labelSelector=set%3Dkept`),
    get(
      `${core}/configmaps?resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=1&labelSelector=set%3Dkept`,
    ),
    get(
      `${core}/configmaps?resourceVersion=1&resourceVersionMatch=NotOlderThan&limit=1&labelSelector=set%3Dkept`,
    ),
    get(`${core}/configmaps?resourceVersion=0&resourceVersionMatch=Exact`),
    { method: 'HEAD', path: `${core}/configmaps/a` },
    { method: 'HEAD', path: `${core}/configmaps` },
    { method: 'HEAD', path: '/version' },
    { method: 'HEAD', path: '/api' },
    { method: 'HEAD', path: '/apis/apps/v1' },
    { method: 'HEAD', path: '/healthz' },
    { method: 'HEAD', path: `${core}/pods/p/log` },
    ...['x', '5', '5y', '-', '', '1s', '-1s', '0', '1h5', '2562048h', '.s', '1.5.s'].map((text) =>
      get(`${core}/configmaps/a?timeout=${text}`),
    ),
    { ...get(`${core}/configmaps?timeout=x`), as: null },
    get('/version?timeout=x'),
    get('/healthz?timeout=x'),
    get('/api?timeout=x'),
  ]));

test('whose the fields are is forgotten when a client says so', () => {
  const path = `${core}/configmaps/a?fieldManager=m`;
  const whole = (managedFields: unknown) => ({ metadata: { name: 'a', managedFields }, data: { x: '1' } });
  return compare([
    { method: 'PUT', path, body: whole(undefined) },
    { method: 'PUT', path, body: whole([]) },
    patch(path, { data: { y: '1' } }),
    patch(path, { apiVersion: 'v1', kind: 'ConfigMap', data: { z: '1' } }, 'application/apply-patch+yaml'),
    patch(path, { metadata: { managedFields: [{}] } }),
    patch(path, { apiVersion: 'v1', kind: 'ConfigMap', data: { z: '1' } }, 'application/apply-patch+yaml'),
    patch(path, { metadata: { managedFields: null } }),
    patch(path, { metadata: { managedFields: [] } }, 'application/strategic-merge-patch+json'),
    patch(path, { apiVersion: 'v1', kind: 'ConfigMap', data: { z: '1' } }, 'application/apply-patch+yaml'),
    patch(
      path,
      [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }],
      'application/json-patch+json',
    ),
    patch(
      path,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { managedFields: [] } },
      'application/apply-patch+yaml',
    ),
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'd', managedFields: [] } } },
    {
      method: 'PUT',
      path: `${core}/pods/p/status`,
      body: pod('p', { nodeName: 'n1' }, { managedFields: [] }),
    },
  ]);
});

test('what is printed of every object, said or not, is nobody’s', () => {
  const selector = { matchLabels: { a: 'b' } };
  const template = { metadata: { labels: { a: 'b' } }, spec: pod('o').spec };
  const apps = '/apis/apps/v1/namespaces/default';
  return compare([
    {
      ...{ method: 'POST', path: `${apps}/statefulsets?dryRun=All` },
      body: { metadata: { name: 'o' }, spec: { selector, template } },
    },
    {
      ...{ method: 'POST', path: `${apps}/controllerrevisions?dryRun=All` },
      body: { metadata: { name: 'o' }, revision: 0, data: { a: 1 } },
    },
    {
      ...{ method: 'POST', path: '/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All' },
      body: { metadata: { name: 'o' } },
    },
    {
      ...{ method: 'POST', path: '/apis/node.k8s.io/v1/runtimeclasses?dryRun=All' },
      body: { metadata: { name: 'o' }, handler: 'h' },
    },
  ]);
});

test('selectors by the old name of a pod’s node, reviews and deletions', () =>
  compare([
    get(`${core}/pods?fieldSelector=spec.host%3Dn1`),
    get(`${core}/pods?fieldSelector=spec.host%3Dn2`),
    get(`${core}/pods?fieldSelector=spec.host%21%3Dn2&limit=1`),
    {
      ...{ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews' },
      body: { metadata: { name: 'n', labels: { a: 'b' } } },
    },
    { method: 'POST', path: `${core}/pods`, body: pod('q') },
    { method: 'DELETE', path: `${core}/pods/q` },
    { method: 'POST', path: `${core}/pods`, body: pod('q') },
    { method: 'DELETE', path: `${core}/pods/q?gracePeriodSeconds=0` },
    { method: 'POST', path: `${core}/pods`, body: pod('q', { nodeName: 'n1' }) },
    { method: 'DELETE', path: `${core}/pods/q` },
    { method: 'DELETE', path: `${core}/pods/q?gracePeriodSeconds=0` },
    { method: 'POST', path: `${core}/pods`, body: pod('q', {}, finalized('q').metadata) },
    { method: 'DELETE', path: `${core}/pods/q` },
    patch(`${core}/pods/q`, { metadata: { finalizers: null } }),
    { method: 'POST', path: `${core}/configmaps`, body: finalized('f') },
    { method: 'DELETE', path: `${core}/configmaps/f` },
    { method: 'DELETE', path: `${core}/configmaps/f?gracePeriodSeconds=5` },
    patch(`${core}/configmaps/f`, { metadata: { finalizers: null } }),
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'g' } } },
    { method: 'DELETE', path: `${core}/configmaps/g?propagationPolicy=Foreground` },
    patch(`${core}/configmaps/g`, { metadata: { finalizers: null } }),
    {
      method: 'POST',
      path: `${core}/services`,
      body: { metadata: { name: 's' }, spec: { clusterIP: 'None' } },
    },
    { method: 'DELETE', path: `${core}/services/s` },
    ...['persistentvolumeclaims', 'serviceaccounts', 'podtemplates'].flatMap((plural) => [
      {
        ...{ method: 'POST', path: `${core}/${plural}` },
        body: {
          metadata: { name: 'v' },
          ...(plural === 'persistentvolumeclaims' && {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          }),
          ...(plural === 'podtemplates' && { template: pod('t') }),
        },
      },
      { method: 'DELETE', path: `${core}/${plural}/v` },
    ]),
    { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'gone' } } },
    { method: 'DELETE', path: '/api/v1/namespaces/gone' },
    { method: 'DELETE', path: `${core}/pods?gracePeriodSeconds=0&fieldSelector=metadata.name%3Dp` },
  ]));

test('custom resources and events, which upstream serves in other ways', async () => {
  const group = '/apis/example.com/v1';
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: {
      ...{ group: 'example.com', names, scope: 'Namespaced' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const things = `${group}/namespaces/default/things`;
  for (const url of two.urls) {
    await two.ask(url, { method: 'POST', path: definitions, body: definition });
    await eventually('the kind', async () => (await two.ask(url, get(things))).code === 200);
  }
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, a: 1 };
  const event = (name: string) => ({
    ...{ metadata: { name, namespace: 'default' }, involvedObject: { namespace: 'default' } },
    ...{ reason: 'r', message: 'm', type: 'Normal' },
  });
  await compare([
    { method: 'POST', path: things, body: thing },
    { method: 'HEAD', path: `${things}/t` },
    { method: 'HEAD', path: things },
    get(`${things}?resourceVersion=0&limit=1`),
    patch(`${things}/t`, { metadata: { managedFields: [] } }),
    patch(`${things}/t?fieldManager=m`, { ...thing, metadata: {} }, 'application/apply-patch+yaml'),
    { method: 'PUT', path: `${things}/t`, body: { ...thing, metadata: { name: 't', managedFields: [{}] } } },
    get(`${things}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone`),
    { method: 'DELETE', path: `${things}/t` },
  ]);
  const events = `${core}/events`;
  for (const url of two.urls) {
    for (const name of ['e1', 'e2']) await two.ask(url, { method: 'POST', path: events, body: event(name) });
    const list = await two.ask(url, get(`${events}?resourceVersion=0&limit=1&fieldSelector=reason%3Dr`));
    const { items, metadata } = JSON.parse(list.text) as { items: object[]; metadata: { continue?: string } };
    assert.deepEqual([items.length, Boolean(metadata.continue)], [1, true], url);
  }
});

test('patches that can’t be read, or do not fit', () => {
  const path = `${core}/configmaps/b?dryRun=All`;
  const strategic = 'application/strategic-merge-patch+json';
  const operations = 'application/json-patch+json';
  const unreadable = ['{', '[]', '"x"', '1', '[1]'];
  return compare([
    ...unreadable.flatMap((body) => [patch(path, body), patch(path, body, strategic)]),
    patch(path, 'null'),
    patch(path, 'null', strategic),
    ...['{', '{}', '"x"', '1', 'null', '[]'].map((body) => patch(path, body, operations)),
    ...['[]', '"x"', '1', 'null'].map((body) =>
      patch(`${path}&fieldManager=m`, body, 'application/apply-patch+yaml'),
    ),
    patch(path, [{ op: 'add', path: '/binaryData' }], operations),
  ]);
});

test('a JSON patch with an operation that is none, or does not fit', async () => {
  const path = `${core}/configmaps/b?dryRun=All`;
  const type = 'application/json-patch+json';
  for (const body of [
    [{}],
    [{ op: 'put', path: '/a' }],
    [{ op: 'add', path: 'a', value: 1 }],
    [{ op: 'copy', path: '/data/a' }],
    [{ op: 'test', path: '/metadata/name', value: 'a' }],
  ]) {
    const [ours, theirs] = await Promise.all(two.urls.map((url) => two.ask(url, patch(path, body, type))));
    // Ours says why.
    assert.deepEqual([ours!.code, theirs!.code], [422, 422], JSON.stringify(body));
  }
});

/** Of each answer its code, its warnings, and what a refusal says. */
async function compareWords(all: readonly Asked[]): Promise<void> {
  for (const asked of all) {
    const words = two.urls.map(async (url) => {
      const { code, headers, text } = await two.ask(url, asked);
      const { message } = JSON.parse(text) as { message?: string };
      return { code, warning: headers['warning'], message };
    });
    const [ours, theirs] = await Promise.all(words);
    assert.deepEqual(ours, theirs, `${asked.method} ${asked.path} ${JSON.stringify(asked.body)}`);
  }
}

test('unknown fields and those that stand twice are told of in the same order', () => {
  const doubled =
    '{"metadata":{"name":"u","nmae":"x","labels":{"a":"b","a":"c"}},"data":{"x":"1","x":"2"},"no":1,"immutable":false,"immutable":true}';
  const deep = {
    metadata: { name: 'u' },
    no: 1,
    spec: {
      Containers: [],
      containers: [{ name: 'a', Image: 'b', image: 'b', env: [{ name: 'a', no: 'b' }] }],
    },
  };
  const yaml =
    'metadata: {name: u, zzz: 1}\nspec:\n  no: 1\n  containers:\n  - name: a\n    name: b\n    image: b\n    an: 1\n';
  return compareWords(
    ['Strict', 'Warn', 'Ignore'].flatMap((validation) => {
      const query = `?dryRun=All&fieldValidation=${validation}`;
      return [
        { method: 'POST', path: `${core}/configmaps${query}`, body: doubled },
        { method: 'POST', path: `${core}/pods${query}`, body: deep },
        { method: 'POST', path: `${core}/pods${query}`, body: yaml, type: 'application/yaml' },
      ];
    }),
  );
});

test('a value of the wrong type in a map is told of by the map', () =>
  compareWords([
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'm' }, data: { x: 1 } } },
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'm', labels: { x: [] } } } },
  ]));

test('what is not as its writer may think is warned of', () => {
  const given = 'beta.kubernetes.io/os';
  const terms = { nodeSelectorTerms: [{ matchExpressions: [{ key: given, operator: 'Exists' }] }] };
  const otherPods = [{ weight: 1, podAffinityTerm: { topologyKey: 'x' } }];
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
    { name: 'A', value: '$(A)3' },
  ];
  const template = {
    metadata: {
      labels: { a: 'b' },
      annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' },
    },
    spec: {
      automountServiceAccountToken: false,
      nodeSelector: { [given]: 'linux' },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: given, whenUnsatisfiable: 'ScheduleAnyway' }],
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: otherPods },
      },
      initContainers: [{ name: 'i', image: 'x', env }],
      containers: [
        {
          ...{ name: 'a', image: 'b', env, ports: [{ containerPort: 80, name: 'p' }] },
          resources: { limits: { memory: '100m' } },
        },
        { name: 'b', image: 'b', ports: [{ containerPort: 80 }, { containerPort: 81, name: 'p' }] },
      ],
      imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }],
      hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }],
      volumes: [{ name: 'v', gitRepo: { repository: 'x' } }],
    },
  };
  const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
  const metadata = { name: 'w.x' };
  const selector = { matchLabels: { a: 'b' } };
  const apps = '/apis/apps/v1/namespaces/default';
  const post = (path: string, body: object): Asked => ({ method: 'POST', path, body });
  const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
  return compareWords([
    post(`${core}/pods`, { ...template, metadata: { ...template.metadata, ...metadata } }),
    patch(`${core}/pods/w.x`, { metadata: { labels: { q: 'r' } } }),
    post(`${apps}/deployments`, { metadata, spec: { selector, template } }),
    patch(`${apps}/deployments/w.x`, { metadata: { labels: { q: 'r' } } }),
    patch(`${apps}/deployments/w.x`, { spec: { replicas: 2 } }),
    post(`${apps}/replicasets`, { metadata, spec: { selector, template } }),
    post(`${apps}/statefulsets`, { metadata: { name: 'w' }, spec: { selector, template, serviceName: 's' } }),
    post(`${apps}/daemonsets`, { metadata, spec: { selector, template } }),
    post(`${core}/replicationcontrollers`, { metadata, spec: { template } }),
    post(`${core}/podtemplates`, { metadata, template }),
    post('/apis/batch/v1/namespaces/default/jobs', { metadata, spec: { template: once } }),
    post('/apis/batch/v1/namespaces/default/cronjobs', {
      metadata,
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } },
    }),
    post('/apis/storage.k8s.io/v1/storageclasses', {
      ...{ metadata, provisioner: 'x' },
      allowedTopologies: [{ matchLabelExpressions: [{ key: given, values: ['a'] }] }],
    }),
    post('/api/v1/persistentvolumes', {
      metadata,
      spec: {
        ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
        ...{ persistentVolumeReclaimPolicy: 'Recycle', nodeAffinity: { required: terms } },
      },
    }),
    post(ingresses, {
      metadata: { ...metadata, annotations: { 'kubernetes.io/ingress.class': 'x' } },
      spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } },
    }),
    patch(`${ingresses}/w.x`, { metadata: { labels: { a: 'b' } } }),
    post('/api/v1/nodes', { metadata, spec: { externalID: 'x' } }),
  ]);
});

test('a request whose time is over while a webhook says nothing is told so', async () => {
  const webhook = await TestWebhook.start(two.own.authority);
  webhook.judge = () => undefined;
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const hook = {
    ...{ name: 'slow.example.com', clientConfig: webhook.clientConfig(), sideEffects: 'None' },
    ...{ admissionReviewVersions: ['v1'], timeoutSeconds: 30, failurePolicy: 'Ignore' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['podtemplates'], operations: ['*'] }],
  };
  const body = { metadata: { name: 'slow' }, webhooks: [hook] };
  try {
    for (const url of two.urls) await two.ask(url, { method: 'POST', path: configurations, body });
    const late = { metadata: { name: 'late' }, template: { spec: pod('late').spec } };
    for (const url of two.urls)
      await eventually('the webhook', async () => {
        const path = `${core}/podtemplates?dryRun=All&timeout=300ms`;
        return (await two.ask(url, { method: 'POST', path, body: late })).code === 504;
      });
    await compareWords([
      { method: 'POST', path: `${core}/podtemplates?timeout=700ms`, body: late },
      { method: 'POST', path: `${core}/podtemplates?timeout=700ms&dryRun=All`, body: late },
      get(`${core}/podtemplates/late?timeout=700ms`),
    ]);
  } finally {
    for (const url of two.urls) await two.ask(url, { method: 'DELETE', path: `${configurations}/slow` });
    webhook.close();
  }
});

test('numbers that are none in a query', () =>
  compareWords([
    ...['limit=', 'limit=x', 'timeoutSeconds=', 'timeoutSeconds=x'].map((query) =>
      get(`${core}/configmaps?${query}`),
    ),
    { method: 'DELETE', path: `${core}/configmaps/none?gracePeriodSeconds=` },
  ]));

test('ephemeral containers stay, and their sub-resource changes nothing else', () =>
  compare([
    { method: 'POST', path: `${core}/pods`, body: pod('eph', {}, { labels: { a: 'b' } }) },
    patch(
      `${core}/pods/eph/ephemeralcontainers`,
      { metadata: { labels: { c: 'd' } }, spec: { ephemeralContainers: [{ name: 'e', image: 'x' }] } },
      'application/strategic-merge-patch+json',
    ),
    patch(`${core}/pods/eph/ephemeralcontainers`, { spec: { ephemeralContainers: null } }),
    { method: 'PUT', path: `${core}/pods/eph/ephemeralcontainers`, body: pod('eph') },
    get(`${core}/pods/eph`),
  ]));

test('who applies a status is in nobody’s way by what it says of the rest', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const apply = 'application/apply-patch+yaml';
  const said = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
  };
  await compare([
    patch(`${path}/d?fieldManager=one`, { ...said, spec: { ...spec, replicas: 1 } }, apply),
    patch(
      `${path}/d/status?fieldManager=two`,
      { ...said, spec: { replicas: 2 }, status: { replicas: 3 } },
      apply,
    ),
    patch(
      `${path}/d/status?fieldManager=three`,
      { ...said, spec: { replicas: 2 }, status: { replicas: 4 } },
      apply,
    ),
  ]);
});

test('whose the fields are that a status does not change', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/d/status?fieldManager=four';
  const labels = { a: 'b' };
  await compare([patch(path, { metadata: { labels }, spec: { paused: true }, status: { replicas: 5 } })]);
});

test('who deletes an object is told the version of its end', async () => {
  for (const url of two.urls) {
    const ask = async (method: string, path: string, body?: object) => {
      const { text } = await two.ask(url, { method, path, body });
      return Number((JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
    };
    const made = await ask('POST', `${core}/pods`, pod('ending'));
    assert.ok((await ask('DELETE', `${core}/pods/ending`)) > made, url);
  }
});

test('words for a sender that are no bearer token are not looked at', () =>
  compareWords(
    ['Basic eDp5', 'x', 'Bearer', 'Bearer x'].flatMap((authorization) => [
      { ...get(`${core}/pods`), headers: { authorization }, as: null },
      { ...get('/version'), headers: { authorization }, as: null },
    ]),
  ));

/** By path, resource and name: what is stored as what. */
async function hashes(url: string): Promise<Map<string, string>> {
  const { text } = await two.ask(url, get('/apis'));
  const groups = JSON.parse(text) as { groups: { versions: { groupVersion: string }[] }[] };
  const versions = groups.groups.flatMap(({ versions: all }) => all.map(({ groupVersion }) => groupVersion));
  const found = new Map<string, string>();
  for (const path of ['/api/v1', ...versions.map((version) => `/apis/${version}`)]) {
    const list = JSON.parse((await two.ask(url, get(path))).text) as {
      resources: { name: string; storageVersionHash?: string }[];
    };
    for (const { name, storageVersionHash = '' } of list.resources)
      found.set(`${path}/${name}`, storageVersionHash);
  }
  return found;
}

test('what is stored as what', async () => {
  const [ours, theirs] = await Promise.all(two.urls.map(hashes));
  const shared = [...ours!].filter(([path]) => theirs!.has(path));
  assert.ok(shared.length > 100, `${shared.length} resources`);
  assert.deepEqual(
    shared,
    shared.map(([path]) => [path, theirs!.get(path)]),
  );
});

/** Every combination of these. */
function combinations(parts: readonly (readonly string[])[]): string[] {
  const [first = [''], ...rest] = parts;
  if (rest.length === 0) return [...first];
  return first.flatMap((one) => combinations(rest).map((more) => `${one}${more}`));
}

const watches = combinations([
  ['', '&resourceVersion=0', '&resourceVersion=NOW', '&resourceVersion=LATER'],
  ['', '&sendInitialEvents=true', '&sendInitialEvents=false', '&sendInitialEvents='],
  ['', '&resourceVersionMatch=NotOlderThan', '&resourceVersionMatch=Exact', '&resourceVersionMatch=x'],
  ['', '&allowWatchBookmarks=true'],
]).concat([
  '&continue=abc',
  '&continue=abc&resourceVersion=0',
  '&continue=abc&resourceVersion=NOW',
  '&continue=abc&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  '&limit=1',
  '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&limit=1&allowWatchBookmarks=1',
]);

/** The events of a second, without bookmarks of the end: upstream's come two seconds before it. */
async function watched(url: string, query: string, headers: Record<string, string> = {}): Promise<unknown> {
  const list = await two.ask(url, get(`${core}/configmaps?limit=1`));
  const { resourceVersion } = (JSON.parse(list.text) as { metadata: { resourceVersion: string } }).metadata;
  const filled = query
    .replace('NOW', resourceVersion)
    .replace('LATER', String(Number(resourceVersion) + 1000));
  const path = `${core}/configmaps?watch=true&labelSelector=set%3Dkept&timeoutSeconds=1${filled}`;
  const { code, text } = await two.ask(url, { ...get(path), headers });
  if (code !== 200) return { code, body: parsed(text) };
  const lines = text.split('\n').filter(Boolean);
  const isFinal = (line: string) => line.includes('"BOOKMARK"') && !line.includes('initial-events-end');
  return {
    code,
    lines: lines
      .filter((line) => !isFinal(line))
      .map((line) => settled(JSON.parse(line), (name) => name !== 'managedFields')),
  };
}

test('watches with every combination of where they begin and what they tell', async () => {
  const differences: string[] = [];
  for (const query of watches) {
    // Ours is refused, where upstream's waits in silence.
    if (/LATER(?!.*sendInitialEvents=(true|&|$))/.test(query)) continue;
    const [ours, theirs] = await Promise.all(two.urls.map((url) => watched(url, query)));
    try {
      assert.deepEqual(ours, theirs);
    } catch (error) {
      differences.push(`${query}: ${(error as Error).message}`);
    }
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
});

test('bookmarks in every form', async () => {
  const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const differences: string[] = [];
  for (const as of ['Table', 'PartialObjectMetadata']) {
    const accept = `application/json;as=${as};v=v1;g=meta.k8s.io`;
    const [ours, theirs] = await Promise.all(two.urls.map((url) => watched(url, query, { accept })));
    try {
      assert.deepEqual(ours, theirs);
    } catch (error) {
      differences.push(`${as}: ${(error as Error).message}`);
    }
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
});

/** How a watch over WebSocket goes: its refusal, or its protocol, messages and end. */
function socketOf(
  url: string,
  { protocols = [], headers = {} }: { protocols?: string[]; headers?: Record<string, string> },
): Promise<unknown> {
  const path = `${core}/configmaps?watch=true&labelSelector=set%3Dkept&timeoutSeconds=1`;
  const { admin, authority } = two.own;
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, protocols, {
    ...{ ca: authority.cert, ...admin, headers },
  });
  const seen: unknown[] = [];
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => {
      socket.terminate();
      resolve({ code: response.statusCode, headers: response.rawHeaders });
    });
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary) => seen.push([isBinary, data.at(-1) === 10]));
    socket.on('close', (code) => resolve({ code, protocol: socket.protocol, seen }));
  });
}

test('watches over WebSocket: origins, sub-protocols, messages, the end', async () => {
  const origin = 'https://somewhere.test';
  const protobuf = 'application/vnd.kubernetes.protobuf';
  for (const asked of [
    ...['', origin, 'null', '/', 'x'].map((each) => ({
      headers: (each ? { origin: each } : {}) as Record<string, string>,
    })),
    { headers: { origin }, protocols: ['a'] },
    { headers: { origin }, protocols: ['base64.binary.k8s.io'] },
    { headers: { origin }, protocols: ['a', 'b'] },
    { headers: { origin, accept: protobuf } },
  ]) {
    const [ours, theirs] = await Promise.all(two.urls.map((url) => socketOf(url, asked)));
    assert.deepEqual(ours, theirs, JSON.stringify(asked));
  }
});

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { AdmissionRequest, Node } from '@wherry/kubeapi';
import { TestAuthority } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';
import { patchOf, TestWebhook } from '../../../test/test-webhook.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const everyWrite = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
const onConfigMaps = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

let server: TestServer;
let webhook: TestWebhook;
let made: string[] = [];

before(async () => {
  server = await TestServer.start();
  webhook = await TestWebhook.start(server.authority);
});
after(async () => {
  webhook.close();
  await server.close();
});
beforeEach(() => {
  webhook.asked.length = 0;
  webhook.judge = () => ({ allowed: true });
  made = [];
});
afterEach(async () => {
  for (const path of made) assert.equal((await server.request('DELETE', path)).status, 200);
});

type Kind = 'validating' | 'mutating';

async function configure(kind: Kind, name: string, ...webhooks: object[]): Promise<void> {
  const whole = webhooks.map((each, index) => ({
    ...{ name: `w${index}.${name}.example.com`, clientConfig: webhook.clientConfig(`/${name}`) },
    ...{ rules: [onConfigMaps], sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...each,
  }));
  const answer = await server.request('POST', `${group}/${kind}webhookconfigurations`, {
    body: { metadata: { name }, webhooks: whole },
  });
  assert.equal(answer.status, 201, answer.text);
  made.push(`${group}/${kind}webhookconfigurations/${name}`);
}

/** As whoever reads logs knows a certificate. */
const fingerprintOf = (pem: string) =>
  `X509SHA256=${new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()}`;

const create = (name: string, more: object = {}, query = '') =>
  server.request('POST', `${configMaps}${query}`, { body: { metadata: { name }, ...more } });
const settle = async (name: string) => {
  await server.request('DELETE', `${configMaps}/${name}`);
  webhook.asked.length = 0;
};

describe('a webhook that validates', () => {
  it('is asked from the moment on in which its configuration stands, and refuses in its own words', async () => {
    webhook.judge = () => ({
      allowed: false,
      status: { metadata: {}, code: 418, reason: 'Teapot', message: 'no' },
    });
    await configure('validating', 'deny', {});
    const { status, body } = await create('a');
    assert.equal(status, 418);
    const message = 'admission webhook "w0.deny.example.com" denied the request: no';
    assert.deepEqual(
      [body.kind, body.status, body.message, body.reason],
      ['Status', 'Failure', message, 'Teapot'],
    );
    assert.equal((await server.request('GET', `${configMaps}/a`)).status, 404);
    webhook.judge = () => ({ allowed: false });
    const bare = await create('a');
    assert.deepEqual(
      [bare.status, bare.body.message],
      [400, 'admission webhook "w0.deny.example.com" denied the request without explanation'],
    );
    assert.ok(!('reason' in bare.body), 'a reason that nobody gave is not there');
  });

  it('sees who does what to which object, with its options', async () => {
    await create('seen', { data: { a: '1' } });
    await configure('validating', 'see', { rules: [everyWrite] });
    await server.request('PATCH', `${configMaps}/seen?fieldManager=me&dryRun=All`, {
      ...{ type: 'application/merge-patch+json', body: { data: { a: '2' } } },
    });
    const [review] = webhook.asked;
    const { uid, object, oldObject, ...rest } = review!;
    assert.match(uid!, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      ...{ name: 'seen', namespace: 'default', operation: 'UPDATE', dryRun: true },
      userInfo: {
        ...{ username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        extra: { 'authentication.kubernetes.io/credential-id': [fingerprintOf(server.admin.cert)] },
      },
      options: {
        ...{ kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
        ...{ dryRun: ['All'], fieldManager: 'me' },
      },
    });
    assert.deepEqual([object?.['data'], oldObject?.['data']], [{ a: '2' }, { a: '1' }]);
    await server.request('DELETE', `${configMaps}/seen?propagationPolicy=Background`);
    const last = webhook.asked.at(-1)!;
    assert.deepEqual(
      [last.operation, last.object, last.oldObject?.['kind'], last.options?.['kind']],
      ['DELETE', null, 'ConfigMap', 'DeleteOptions'],
    );
  });

  it('sees sub-resources as what they are: scales, evictions, bindings, streams', async () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', {
      body: { metadata: { name: 'default' } },
    });
    assert.equal(
      (await server.request('POST', '/api/v1/namespaces/default/pods', { body: pod })).status,
      201,
    );
    const labels = { app: 'x' };
    const template = { metadata: { labels }, spec: pod.spec };
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const deployment = {
      metadata: { name: 'd' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    };
    assert.equal((await server.request('POST', deployments, { body: deployment })).status, 201);
    await configure('validating', 'parts', { rules: [everyWrite] });
    const patch = { type: 'application/merge-patch+json', body: { spec: { replicas: 3 } } };
    assert.equal((await server.request('PATCH', `${deployments}/d/scale`, patch)).status, 200);
    const pods = '/api/v1/namespaces/default/pods';
    const binding = { metadata: { name: 'p' }, target: { name: 'node' } };
    await server.request('POST', `${pods}/p/binding`, { body: binding });
    await server.request('POST', `${pods}/p/eviction`, { body: { metadata: { name: 'p' } } });
    webhook.judge = () => ({ allowed: false });
    assert.equal((await server.request('POST', `${pods}/p/attach?stdout=true`)).status, 400);
    const told = ({ kind, resource, subResource, operation, object }: AdmissionRequest) =>
      `${operation} ${resource?.resource}/${subResource} ${kind?.group}/${kind?.kind} ${object?.['kind']}`;
    assert.deepEqual(webhook.asked.map(told), [
      'UPDATE deployments/scale autoscaling/Scale Scale',
      'CREATE pods/binding /Binding Binding',
      'CREATE pods/eviction policy/Eviction Eviction',
      'CONNECT pods/attach /PodAttachOptions PodAttachOptions',
    ]);
    const [scale] = webhook.asked;
    assert.deepEqual(
      [scale?.object?.['spec'], scale?.oldObject?.['spec']],
      [{ replicas: 3 }, { replicas: 1 }],
    );
  });

  it('CVE-2021-25735: sees what a node was, whatever the update says', async () => {
    const labels = { zone: 'a' };
    const path = '/api/v1/nodes';
    const node = {
      metadata: { name: 'worker', labels },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
    };
    assert.equal((await server.request('POST', path, { body: node })).status, 201);
    await configure('validating', 'nodes', { rules: [everyWrite] });
    const patch = { metadata: { labels: { zone: 'b' } }, spec: { taints: null, unschedulable: true } };
    await server.request('PATCH', `${path}/worker`, { type: 'application/merge-patch+json', body: patch });
    const { object, oldObject } = webhook.asked[0] as unknown as { object: Node; oldObject: Node };
    const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    const taints = [...node.spec.taints, notReady];
    assert.deepEqual([oldObject.metadata.labels, oldObject.spec], [labels, { taints }]);
    assert.deepEqual([object.metadata.labels, object.spec], [{ zone: 'b' }, { unschedulable: true }]);
  });

  it('is chosen by labels of namespace and object, by scope, and by every version that the rules name', async () => {
    await configure(
      'validating',
      'chosen',
      { namespaceSelector: { matchLabels: { strict: 'yes' } } },
      { objectSelector: { matchLabels: { watched: 'yes' } } },
      { rules: [{ ...onConfigMaps, scope: 'Cluster' }] },
      { rules: [{ ...onConfigMaps, apiGroups: ['events.k8s.io'], resources: ['events'] }] },
      {
        rules: [{ ...onConfigMaps, apiGroups: ['events.k8s.io'], resources: ['events'] }],
        matchPolicy: 'Exact',
      },
    );
    assert.equal((await create('free')).status, 201);
    assert.equal(webhook.asked.length, 0);
    assert.equal(
      (await create('watched', { metadata: { name: 'watched', labels: { watched: 'yes' } } })).status,
      201,
    );
    assert.equal(webhook.asked.length, 1);
    await settle('free');
    await settle('watched');
    const event = {
      ...{ metadata: { name: 'e' }, involvedObject: { namespace: 'default' }, message: 'm', reason: 'r' },
      type: 'Normal',
    };
    assert.equal(
      (await server.request('POST', '/api/v1/namespaces/default/events', { body: event })).status,
      201,
    );
    const [asked] = webhook.asked;
    assert.equal(webhook.asked.length, 1);
    assert.deepEqual(
      [asked?.kind?.group, asked?.requestKind?.group, asked?.object?.['note'], asked?.object?.['apiVersion']],
      ['events.k8s.io', '', 'm', 'events.k8s.io/v1'],
    );
  });

  it('has no say about configurations of webhooks', async () => {
    webhook.judge = () => ({ allowed: false });
    await configure('validating', 'all', { rules: [everyWrite] });
    await configure('mutating', 'all', { rules: [everyWrite] });
    for (const path of made.splice(0)) assert.equal((await server.request('DELETE', path)).status, 200);
    assert.equal(webhook.asked.length, 0);
  });

  it('warns, also when it refuses, in whatever script it likes', async () => {
    webhook.judge = ({ name }) => ({ allowed: name !== 'bad', warnings: ['größer\r\nx-evil: 1', '注意'] });
    await configure('validating', 'warn', {});
    for (const name of ['good', 'bad']) {
      const { headers } = await create(name);
      const heard = Buffer.from(String(headers['warning']), 'latin1').toString();
      assert.equal(heard, '299 - "größer  x-evil: 1", 299 - "注意"');
      assert.equal(headers['x-evil'], undefined);
    }
    await settle('good');
  });
});

describe('webhooks that change', () => {
  it('are asked by the names of their configurations, and what they leave is read and gets its defaults again', async () => {
    webhook.judge = ({ object }, path) => {
      const data = (object?.['data'] ?? {}) as Record<string, string>;
      const step = path.includes('/b-') ? 'b' : 'a';
      return {
        allowed: true,
        ...patchOf({ op: 'add', path: '/data', value: { ...data, [step]: `after ${Object.keys(data)}` } }),
      };
    };
    await configure('mutating', 'b-second', {});
    await configure('mutating', 'a-first', {});
    const { body } = await create('changed');
    assert.deepEqual(body.data, { a: 'after ', b: 'after a' });
    await settle('changed');
    for (const path of made.splice(0)) await server.request('DELETE', path);
    webhook.judge = () => ({
      allowed: true,
      ...patchOf(
        { op: 'replace', path: '/spec/containers/0', value: { name: 'c', image: 'i:1', unknown: true } },
        { op: 'add', path: '/metadata/uid', value: 'mine' },
      ),
    });
    await configure('mutating', 'pods', { rules: [{ ...onConfigMaps, resources: ['pods'] }] });
    const pod = { metadata: { name: 'patched' }, spec: { containers: [{ name: 'x', image: 'x' }] } };
    const stored = await server.request('POST', '/api/v1/namespaces/default/pods', { body: pod });
    const [container] = stored.body.spec.containers;
    assert.deepEqual(
      [container.name, container.imagePullPolicy, container.unknown],
      ['c', 'IfNotPresent', undefined],
    );
    assert.notEqual(stored.body.metadata.uid, 'mine');
  });

  it('may come as a list of numbers, as kube-rs writes its bytes', async () => {
    const { patch, patchType } = patchOf({ op: 'add', path: '/data', value: { by: 'numbers' } });
    const numbers = [...Buffer.from(patch ?? '', 'base64')];
    webhook.judge = () => ({ allowed: true, patchType, patch: numbers as unknown as string });
    await configure('mutating', 'numbers', {});
    assert.deepEqual((await create('numbered')).body.data, { by: 'numbers' });
    webhook.judge = () => ({ allowed: true, patchType, patch: [...numbers, 256] as unknown as string });
    const refused = await create('misnumbered');
    assert.match(refused.body.message, /received undecodable patch in webhook response/);
  });

  it('are asked once more when they want to, after others and plug-ins have seen the change', async () => {
    const order: string[] = [];
    webhook.judge = ({ object }, path) => {
      order.push(path.replace(/\?.*/, ''));
      const { data = {} } = object as { data?: object };
      if (!path.startsWith('/c') || 'c' in data) return { allowed: true };
      return { allowed: true, ...patchOf({ op: 'add', path: '/data', value: { c: '1' } }) };
    };
    await configure('mutating', 'a', { reinvocationPolicy: 'IfNeeded' });
    await configure('mutating', 'b', {});
    await configure('mutating', 'c', { reinvocationPolicy: 'IfNeeded' });
    assert.equal((await create('again')).status, 201);
    assert.deepEqual(order, ['/a', '/b', '/c', '/a']);
    await settle('again');
  });

  it('are not asked for the first time when others have changed the object', async () => {
    const order: string[] = [];
    webhook.judge = (_, path) => {
      order.push(path.replace(/\?.*/, ''));
      return { allowed: true, ...patchOf({ op: 'add', path: '/metadata/labels', value: { b: 'yes' } }) };
    };
    const objectSelector = { matchLabels: { b: 'yes' } };
    await configure('mutating', 'a', { reinvocationPolicy: 'IfNeeded', objectSelector });
    await configure('mutating', 'b', { reinvocationPolicy: 'IfNeeded' });
    assert.equal((await create('late')).status, 201);
    assert.deepEqual(order, ['/b']);
    await settle('late');
  });

  it('cannot change what is deleted, nor move an object to another namespace', async () => {
    await create('stays');
    webhook.judge = () => ({
      allowed: true,
      ...patchOf({ op: 'add', path: '/metadata/namespace', value: 'x' }),
    });
    await configure('mutating', 'move', { rules: [everyWrite] });
    const gone = await server.request('DELETE', `${configMaps}/stays`);
    assert.equal(gone.status, 500);
    assert.match(gone.body.message, /w0\.move\.example\.com.* not supported for this operation/);
    const moved = await create('moved');
    assert.equal(moved.status, 400);
    assert.match(moved.body.message, /namespace of the provided object does not match/);
    for (const path of made.splice(0)) await server.request('DELETE', path);
    await settle('stays');
  });
});

describe('a webhook is told', () => {
  const placesOf = (asked: readonly AdmissionRequest[]) =>
    asked.map(({ operation, namespace, name }) => [operation, namespace, name]);

  it('no name of what is deleted with others', async () => {
    for (const name of ['one', 'two']) await create(name, {}, '');
    const rules = [{ ...onConfigMaps, operations: ['DELETE'] }];
    await configure('validating', 'many', { rules });
    const selector = 'fieldSelector=metadata.name%3Done';
    assert.equal((await server.request('DELETE', `${configMaps}?${selector}`)).status, 200);
    assert.deepEqual(placesOf(webhook.asked), [['DELETE', 'default', undefined]]);
    webhook.asked.length = 0;
    assert.equal((await server.request('DELETE', `${configMaps}/two`)).status, 200);
    assert.deepEqual(placesOf(webhook.asked), [['DELETE', 'default', 'two']]);
  });

  it('that a namespace is in itself', async () => {
    const rules = [{ ...onConfigMaps, resources: ['namespaces'] }];
    await configure('validating', 'spaces', { rules });
    const body = { metadata: { name: 'told' } };
    assert.equal((await server.request('POST', '/api/v1/namespaces', { body })).status, 201);
    assert.deepEqual(placesOf(webhook.asked), [['CREATE', 'told', 'told']]);
  });
});

describe('a webhook that fails', () => {
  it('ends the request, or is ignored, as its policy says', async () => {
    const nowhere = { ...webhook.clientConfig(), url: 'https://127.0.0.1:1/x' };
    await configure('validating', 'closed', { clientConfig: nowhere });
    const { status, body } = await create('a');
    assert.equal(status, 500);
    assert.match(
      body.message,
      /^Internal error occurred: failed calling webhook "w0\.closed\.example\.com": failed to call webhook: Post "https:\/\/127\.0\.0\.1:1\/x\?timeout=10s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    );
    for (const path of made.splice(0)) await server.request('DELETE', path);
    await configure('validating', 'open', { clientConfig: nowhere, failurePolicy: 'Ignore' });
    assert.equal((await create('a')).status, 201);
    await settle('a');
  });

  it('is not waited for longer than it says', async () => {
    webhook.judge = () => undefined;
    await configure('validating', 'slow', { timeoutSeconds: 1 });
    const { status, body } = await create('a');
    assert.equal(status, 500);
    assert.match(body.message, /\?timeout=1s": context deadline exceeded$/);
    const impatient = await create('a', {}, '?timeout=50ms');
    assert.match(impatient.body.message, /request did not complete within the allotted timeout$/);
  });

  it('is not believed when its certificate is another’s, its answer another’s, or it sends elsewhere', async () => {
    await configure('validating', 'strange', { clientConfig: { url: webhook.clientConfig().url } });
    assert.match(
      (await create('a')).body.message,
      /\?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    );
    for (const path of made.splice(0)) await server.request('DELETE', path);
    webhook.judge = () => ({ allowed: true, uid: 'other' });
    await configure('validating', 'mixed', {});
    assert.match(
      (await create('a')).body.message,
      /received invalid webhook response: expected response.uid=/,
    );
  });

  it('is believed when its own certificate is the bundle, as envtest writes it', async () => {
    const caBundle = Buffer.from(webhook.certificate).toString('base64');
    await configure('validating', 'own', { clientConfig: { ...webhook.clientConfig(), caBundle } });
    assert.equal((await create('by-its-own')).status, 201);
    made.push(`${configMaps}/by-its-own`);
    assert.equal(webhook.asked.length, 1);
  });

  it('is believed when its certificate has the name of the authority that signed it, as knative’s have, and of no other', async () => {
    const authority = await TestAuthority.create('webhook');
    const other = await TestAuthority.create('webhook');
    const namesake = await TestWebhook.start(authority);
    try {
      const bundle = (signer: TestAuthority) => Buffer.from(signer.cert).toString('base64');
      const config = (signer: TestAuthority) => ({ ...namesake.clientConfig(), caBundle: bundle(signer) });
      await configure('validating', 'mimicked', { clientConfig: config(other) });
      const { body } = await create('by-another');
      assert.match(body.message, /x509: certificate signed by unknown authority$/);
      assert.equal(namesake.asked.length, 0);
      for (const path of made.splice(0)) await server.request('DELETE', path);
      await configure('validating', 'namesake', { clientConfig: config(authority) });
      for (const name of ['by-a-namesake', 'and-again']) {
        assert.equal((await create(name)).status, 201);
        made.push(`${configMaps}/${name}`);
      }
      assert.equal(namesake.asked.length, 2);
    } finally {
      for (const path of made.splice(0)) await server.request('DELETE', path);
      namesake.close();
    }
  });

  it('may not be the server itself', async () => {
    await configure('validating', 'own', {
      clientConfig: { ...webhook.clientConfig(), url: server.apiserver.url },
    });
    assert.match((await create('a')).body.message, /address not allowed/);
  });
});

describe('a webhook behind a service', () => {
  const address = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  it('is found through the service’s endpoints, and known by the service’s name; connections are kept', async () => {
    assert.ok(address, 'the machine has an address besides loopback');
    const own = await TestWebhook.start(server.authority, { hosts: ['hook.default.svc'], address });
    try {
      const ports = [{ name: 'https', port: 8443 }];
      const service = { metadata: { name: 'hook' }, spec: { ports } };
      await server.request('POST', '/api/v1/namespaces/default/services', { body: service });
      const slice = {
        metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
        ...{ addressType: 'IPv4', endpoints: [{ addresses: [address] }] },
        ports: [{ name: 'https', port: own.port }],
      };
      const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      assert.equal((await server.request('POST', slices, { body: slice })).status, 201);
      const { caBundle } = own.clientConfig();
      const reference = { namespace: 'default', name: 'hook', path: '/check', port: 8443 };
      await configure('validating', 'service', { clientConfig: { service: reference, caBundle } });
      own.judge = (_request, path) => ({ allowed: path === '/check?timeout=10s' });
      for (const name of ['a', 'b', 'c']) assert.equal((await create(name)).status, 201);
      assert.deepEqual([own.asked.length, own.connections], [3, 1]);
      for (const name of ['a', 'b', 'c']) await settle(name);
    } finally {
      own.close();
    }
  });
});

describe('a configuration', () => {
  const refusal = async (more: object) => {
    const webhooks = [
      {
        ...{ name: 'w.x.example.com', clientConfig: webhook.clientConfig(), rules: [onConfigMaps] },
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
        ...more,
      },
    ];
    const path = `${group}/validatingwebhookconfigurations`;
    const { status, body } = await server.request('POST', path, {
      body: { metadata: { name: 'x' }, webhooks },
    });
    assert.equal(status, 422);
    return body.message as string;
  };

  it('is refused for conditions that do not compile', async () => {
    const matchConditions = [{ name: 'a', expression: 'nothing' }];
    assert.match(
      await refusal({ matchConditions }),
      /matchConditions\[0\]\.expression: .*compilation failed: .*undeclared reference to 'nothing'/s,
    );
  });

  it('is refused for side effects, and for addresses that upstream refuses', async () => {
    assert.match(await refusal({ sideEffects: 'Some' }), /sideEffects: Unsupported value: "Some"/);
    assert.match(
      await refusal({ clientConfig: { url: 'http://a' } }),
      /'https' is the only allowed URL scheme/,
    );
    assert.match(
      await refusal({ clientConfig: { url: 'https://u:p@a/?b#c' } }),
      /user information.*fragments.*query/,
    );
  });
});

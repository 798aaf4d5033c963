import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { forbidden } from '@wherry/kubeapi';
import { MetricsRegistry, SessionBook, silentLogger } from '@wherry/telemetry';
import { TestCollection } from '../../test/test-collection.ts';
import { alwaysAllow } from '../authorization/authorizer.ts';
import { serveProxy } from '../connect/proxy.ts';
import { StreamConnector } from '../connect/streams.ts';
import { createObject, deleteNamed, deleteObject } from '../registry/writes.ts';
import { bindPod } from '../subresources/binding.ts';
import { evictPod } from '../subresources/eviction.ts';
import { finalizeNamespace } from '../subresources/finalize.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'x' }] } };

describe('admission', () => {
  let opened: TestCollection[];
  let asked: AdmissionRequest[];
  beforeEach(() => {
    opened = [];
    asked = [];
  });
  afterEach(() => Promise.all(opened.map((collection) => collection.close())));

  const open = (plural: string) => {
    const plugin: AdmissionPlugin = {
      name: 'Test',
      handles: [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*'] }],
      validate(request) {
        asked.push(request);
        if (request.operation === 'CONNECT') throw forbidden({ group: '', resource: 'test' }, '', 'no');
      },
    };
    const collection = new TestCollection(plural, { admission: [plugin] });
    opened.push(collection);
    return collection;
  };
  const told = () =>
    asked
      .splice(0)
      .map(({ operation, resource, subresource, name }) => [operation, resource.plural, subresource, name]);
  const createPod = async () => {
    const pods = open('pods');
    await createObject(pods.collection, pods.request('POST', '', pod));
    asked.length = 0;
    return pods;
  };

  it('is told of each deletion by name, with its options, also of one among many', async () => {
    const maps = open('configmaps');
    for (const name of ['a', 'b']) {
      await createObject(maps.collection, maps.request('POST', '', { metadata: { name } }));
    }
    asked.length = 0;
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    await deleteObject(maps.collection, maps.request('DELETE', '/a', options));
    assert.deepEqual(asked[0]?.options, { ...options, apiVersion: 'meta.k8s.io/v1' });
    assert.equal(asked[0]?.previous?.metadata.name, 'a');
    await deleteNamed(maps.collection, maps.request('DELETE'), { name: 'b', options: {} });
    assert.deepEqual(told(), [
      ['DELETE', 'configmaps', '', 'a'],
      ['DELETE', 'configmaps', '', 'b'],
    ]);
  });

  it('is asked about an eviction as such, and not about the deletion besides', async () => {
    const pods = await createPod();
    const eviction = { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'a' } };
    await evictPod(pods.collection, undefined, pods.request('POST', '/a/eviction', eviction));
    assert.deepEqual(told(), [['CREATE', 'pods', 'eviction', 'a']]);
  });

  it('is asked about a binding under the name that it has, of pods or by itself', async () => {
    const pods = await createPod();
    const binding = { metadata: { name: 'a' }, target: { kind: 'Node', name: 'worker' } };
    const alone = pods.request('POST', '', binding);
    const info = { ...alone.info, resource: 'bindings' };
    await bindPod(pods.collection, { ...alone, info });
    await assert.rejects(
      bindPod(pods.collection, pods.request('POST', '/a/binding', binding)),
      /already assigned/,
    );
    assert.deepEqual(told(), [
      ['CREATE', 'bindings', '', 'a'],
      ['CREATE', 'pods', 'binding', 'a'],
    ]);
  });

  it('is asked before a namespace is told that it is empty', async () => {
    const namespaces = open('namespaces');
    await createObject(namespaces.collection, namespaces.request('POST', '', { metadata: { name: 'a' } }));
    asked.length = 0;
    const body = { metadata: { name: 'a' }, spec: { finalizers: [] } };
    await finalizeNamespace(namespaces.collection, namespaces.request('PUT', '/a/finalize', body));
    const [request] = asked;
    assert.deepEqual(request?.previous?.spec, { finalizers: ['kubernetes'] });
    assert.deepEqual(request?.object?.spec, { finalizers: [] });
    assert.deepEqual(told(), [['UPDATE', 'namespaces', 'finalize', 'a']]);
  });

  it('is asked about streams, with what they ask for, before their pod is looked for', async () => {
    const pods = open('pods');
    const streams = new StreamConnector({
      ...{ pods: pods.collection, kubelets: undefined as never, authorizer: alwaysAllow },
      ...{ metrics: new MetricsRegistry(), clock: new FakeClock(), logger: silentLogger },
      sessions: new SessionBook({ hop: 'apiserver', clock: new FakeClock() }),
    });
    const refused = { code: 403, message: 'test is forbidden: no' };
    const serve = (below: string) => streams.serve(pods.request('POST', below), undefined);
    await assert.rejects(serve('/a/exec?command=ls&command=-l&stdout=true&container=main'), refused);
    await assert.rejects(serve('/a/attach?stdin=1&tty=true'), refused);
    await assert.rejects(serve('/a/portforward?ports=80&ports=443'), refused);
    const silent = { stdin: false, stdout: false, stderr: false, tty: false };
    assert.deepEqual(
      asked.map(({ options, object }) => [options, object]),
      [
        {
          ...{ kind: 'PodExecOptions', apiVersion: 'v1', ...silent, stdout: true },
          ...{ container: 'main', command: ['ls', '-l'] },
        },
        { kind: 'PodAttachOptions', apiVersion: 'v1', ...silent, stdin: true, tty: true },
        { kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80, 443] },
      ].map((options) => [options, undefined]),
    );
    assert.deepEqual(
      told(),
      ['exec', 'attach', 'portforward'].map((subresource) => ['CONNECT', 'pods', subresource, 'a']),
    );
  });

  it('is asked about proxied requests, whatever their method', async () => {
    const pods = open('pods');
    const options = { pods: pods.collection, services: pods.collection, endpoints: pods.collection };
    const wire = { response: () => assert.fail('it answers'), exchange: undefined };
    const unused = undefined as never;
    const parts = { ...options, kubelets: unused, guard: unused, way: undefined, authorizer: unused };
    for (const method of ['GET', 'DELETE']) {
      await assert.rejects(serveProxy(parts, pods.request(method, '/a:80/proxy/x/y'), wire), { code: 403 });
    }
    assert.deepEqual(asked[0]?.options, { kind: 'PodProxyOptions', apiVersion: 'v1', path: '/x/y' });
    assert.deepEqual(told(), [
      ['CONNECT', 'pods', 'proxy', 'a:80'],
      ['CONNECT', 'pods', 'proxy', 'a:80'],
    ]);
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { JsonObject } from '@wherry/kubeapi';
import { TestConverter } from '../../../test/test-converter.ts';
import { TestServer } from '../../../test/test-server.ts';
import { WatchClient } from '../../../test/watch-client.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const name = 'endpoints.example.com';
const v1 = '/apis/example.com/v1/namespaces/default/endpoints';
const v2 = '/apis/example.com/v2/namespaces/default/endpoints';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const text = { type: 'string' };

/** v1 says `hostPort: "host:port"`, v2 `host` and `port`. */
const definitionOf = (
  converter: TestConverter,
  { stored = 'v1', ...more }: { stored?: string; webhook?: object } = {},
) => {
  const version = (name: string, spec: object) => ({
    ...{ name, served: true, storage: name === stored },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: spec },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
    subresources: { status: {} },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'endpoints', kind: 'Endpoint' } },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: converter.clientConfig, conversionReviewVersions: ['v1'], ...more.webhook },
      },
      versions: [
        {
          ...version('v1', { hostPort: text, mode: { ...text, default: 'plain' } }),
          selectableFields: [{ jsonPath: '.spec.hostPort' }],
          additionalPrinterColumns: [{ name: 'At', type: 'string', jsonPath: '.spec.hostPort' }],
        },
        {
          ...version('v2', { host: text, port: text, mode: text }),
          selectableFields: [{ jsonPath: '.spec.host' }],
          additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
        },
      ],
    },
  };
};

function split(object: JsonObject, apiVersion: string): unknown {
  const { hostPort, host, port, ...rest } = (object['spec'] ?? {}) as Record<string, string | undefined>;
  if (object['apiVersion'] === apiVersion) return object;
  if (apiVersion.endsWith('v1')) {
    const spec = host === undefined ? rest : { ...rest, hostPort: `${host}:${port}` };
    return { ...object, apiVersion, spec };
  }
  const [first, second] = hostPort?.split(':') ?? [];
  return {
    ...object,
    apiVersion,
    spec: hostPort === undefined ? rest : { ...rest, host: first, port: second },
  };
}

describe('versions that a webhook converts', () => {
  let server: TestServer;
  let converter: TestConverter;
  before(async () => {
    server = await TestServer.start();
    converter = await TestConverter.start(server.authority);
    const body = definitionOf(converter);
    const made = await server.request('POST', definitions, { body });
    assert.equal(made.status, 201, made.text);
    await until(async () => (await server.request('GET', v1)).status === 200);
  });
  after(async () => {
    await server.close();
    converter.close();
  });
  beforeEach(() => {
    converter.convert = split;
    converter.answer = () => undefined;
    converter.asked.length = 0;
  });

  const until = async (holds: () => Promise<boolean>) => {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.fail('it never came to be');
  };
  const endpoint = (version: string, name: string, spec: object, metadata: object = {}) => ({
    ...{ apiVersion: `example.com/${version}`, kind: 'Endpoint', metadata: { name, ...metadata }, spec },
  });
  const create = async (path: string, body: object) => {
    const answer = await server.request('POST', path, { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  it('each version shows its own fields of the same object', async () => {
    const made = await create(v2, endpoint('v2', 'one', { host: 'a', port: '1' }));
    assert.deepEqual(
      [made.apiVersion, made.spec],
      ['example.com/v2', { host: 'a', port: '1', mode: 'plain' }],
    );
    assert.deepEqual(
      converter.asked.map(({ desiredAPIVersion, objects }) => [desiredAPIVersion, objects.length]),
      [
        ['example.com/v1', 1],
        ['example.com/v2', 1],
      ],
    );
    converter.asked.length = 0;
    const { body } = await server.request('GET', `${v1}/one`);
    assert.deepEqual([body.apiVersion, body.spec], ['example.com/v1', { hostPort: 'a:1', mode: 'plain' }]);
    assert.equal(body.metadata.resourceVersion, made.metadata.resourceVersion);
    assert.equal(converter.asked.length, 0, 'what is stored in the version is sent to nobody');
  });

  it('what was stored before the storage version changed is converted, lists ask once for all of it', async () => {
    await create(v1, endpoint('v1', 'old', { hostPort: 'b:2' }));
    const put = async (stored: string) => {
      const { body } = await server.request('GET', `${definitions}/${name}`);
      const { spec } = definitionOf(converter, { stored });
      const answer = await server.request('PUT', `${definitions}/${name}`, { body: { ...body, spec } });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const changed = await put('v2');
    assert.deepEqual(changed.status.storedVersions, ['v1', 'v2']);
    // What was installed before serves until the change has been seen.
    await until(async () => {
      converter.asked.length = 0;
      await server.request('POST', `${v2}?dryRun=All`, {
        body: endpoint('v2', 'dry', { host: 'x', port: '0' }),
      });
      return converter.asked.length === 0;
    });
    await create(v2, endpoint('v2', 'new', { host: 'c', port: '3' }));
    converter.asked.length = 0;
    const list = await server.request('GET', v2);
    assert.deepEqual(
      list.body.items.map((item: { spec: object }) => item.spec),
      [
        { host: 'c', port: '3' },
        { host: 'b', port: '2', mode: 'plain' },
        { host: 'a', port: '1', mode: 'plain' },
      ],
    );
    assert.deepEqual(
      converter.asked.map(({ objects }) => objects.length),
      [2],
    );
    const selected = await server.request('GET', `${v1}?fieldSelector=spec.hostPort%3Dc:3`);
    assert.deepEqual(
      selected.body.items.map((item: { spec: object }) => item.spec),
      [{ hostPort: 'c:3' }],
    );
    const rewritten = await server.request('PATCH', `${v2}/old`, { body: {}, type: merge });
    const before = list.body.items[1].metadata.resourceVersion;
    assert.notEqual(
      rewritten.body.metadata.resourceVersion,
      before,
      'a write brings it into the storage version',
    );
    await put('v1');
    await until(async () => {
      converter.asked.length = 0;
      await server.request('POST', `${v1}?dryRun=All`, { body: endpoint('v1', 'dry', { hostPort: 'x:0' }) });
      return converter.asked.length === 0;
    });
  });

  it('patches and applies are made in the version that they are sent to', async () => {
    await create(v1, endpoint('v1', 'patched', { hostPort: 'd:4' }));
    const body = { spec: { port: '5' } };
    const patched = await server.request('PATCH', `${v2}/patched`, { body, type: merge });
    assert.deepEqual(patched.body.spec, { host: 'd', port: '5', mode: 'plain' });
    const { body: seen } = await server.request('GET', `${v1}/patched`);
    assert.equal(seen.spec.hostPort, 'd:5');
    const send = (path: string, manager: string, config: object, query = '') =>
      server.request('PATCH', `${path}?fieldManager=${manager}${query}`, { type: apply, body: config });
    const applied = await send(`${v2}/applied`, 'ann', endpoint('v2', 'applied', { host: 'e', port: '6' }));
    assert.equal(applied.status, 201, applied.text);
    const clash = await send(`${v1}/applied`, 'bob', endpoint('v1', 'applied', { hostPort: 'f:6' }));
    assert.equal(clash.status, 409);
    assert.match(clash.body.message, /conflict with "ann": \.spec\.host$/);
    const taken = await send(
      `${v1}/applied`,
      'bob',
      endpoint('v1', 'applied', { hostPort: 'f:6' }),
      '&force=true',
    );
    assert.equal(taken.body.spec.hostPort, 'f:6');
    const managers = taken.body.metadata.managedFields.map(
      (entry: { manager: string; apiVersion: string; fieldsV1: object }) => [
        entry.manager,
        entry.apiVersion,
        JSON.stringify(entry.fieldsV1),
      ],
    );
    assert.deepEqual(managers, [
      ['ann', 'example.com/v2', '{"f:spec":{"f:port":{}}}'],
      ['bob', 'example.com/v1', '{"f:spec":{"f:hostPort":{}}}'],
    ]);
  });

  it('watches tell each change in their version and in its order, and select by what they show', async () => {
    const all = await WatchClient.open(
      server,
      `${v2}?watch=true&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    );
    const hosts = await WatchClient.open(server, `${v2}?watch=true&fieldSelector=spec.host%3Dg`);
    let wait = 20;
    // Later questions are answered sooner.
    converter.answer = async () => {
      wait -= 5;
      await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 0)));
      return undefined;
    };
    await create(v1, endpoint('v1', 'watched', { hostPort: 'g:7' }));
    for (const hostPort of ['g:8', 'h:8'])
      await server.request('PATCH', `${v1}/watched`, { body: { spec: { hostPort } }, type: merge });
    await server.request('DELETE', `${v1}/watched`);
    const told = ({ type, object }: { type: string; object: { spec: { host: string; port: string } } }) =>
      `${type} ${object.spec.host}:${object.spec.port}`;
    assert.deepEqual((await all.first(4)).map(told), [
      'ADDED g:7',
      'MODIFIED g:8',
      'MODIFIED h:8',
      'DELETED h:8',
    ]);
    assert.deepEqual((await hosts.first(3)).map(told), ['ADDED g:7', 'MODIFIED g:8', 'DELETED g:8']);
    all.close();
    hosts.close();
  });

  it('kubectl shows each version with its own columns', async () => {
    const get = async (version: string) =>
      (await server.kubectl(['get', `endpoints.${version}.example.com`])).stdout;
    assert.match(await get('v1'), /^NAME +AT\n/);
    assert.match(await get('v1'), /\none +a:1\n/);
    assert.match(await get('v2'), /^NAME +HOST\n/);
    assert.match(await get('v2'), /\none +a\n/);
  });

  it('a webhook may change labels and annotations, and no other metadata', async () => {
    converter.convert = (object, apiVersion) => ({
      ...(split(object, apiVersion) as object),
      metadata: {
        ...(object['metadata'] as object),
        ...{ labels: { at: apiVersion.slice(-2) }, finalizers: ['example.com/x'], resourceVersion: '1' },
      },
    });
    const { body } = await server.request('GET', `${v2}/one`);
    assert.deepEqual(body.metadata.labels, { at: 'v2' });
    assert.equal(body.metadata.finalizers, undefined);
    assert.notEqual(body.metadata.resourceVersion, '1');
  });

  const failures: [string, Partial<Pick<TestConverter, 'answer' | 'convert'>>, RegExp][] = [
    ['refuses', { answer: () => ({ result: { status: 'Failed', message: 'not so' } }) }, /: not so$/],
    [
      'says nothing of success',
      { answer: () => ({ result: {} }) },
      /response\.result\.status was '', not 'Success'$/,
    ],
    [
      'answers another question',
      { answer: () => ({ uid: 'x' }) },
      /expected response\.uid="[^"]+", got "x"$/,
    ],
    [
      'answers another kind',
      { answer: () => ({ kind: 'Other' }) },
      /ConversionReview, got apiextensions\.k8s\.io\/v1, Kind=Other$/,
    ],
    ['fails', { answer: () => 'broken' }, /an error on the server \("broken"\) has prevented/],
    ['fails in JSON', { answer: () => '{"why":"broken"}' }, /an error on the server \("unknown"\) has/],
    ['loses objects', { answer: () => ({ convertedObjects: [] }) }, /returned 0 objects, expected 1$/],
    [
      'leaves the version',
      { convert: (object) => object },
      /invalid groupVersion \(expected example\.com\/v2, received example\.com\/v1\)$/,
    ],
    [
      'changes the name',
      {
        convert: (object, apiVersion) => ({
          ...object,
          apiVersion,
          metadata: { ...(object['metadata'] as object), name: 'x' },
        }),
      },
      /must have the same name: one != x$/,
    ],
    [
      'writes bad labels',
      {
        convert: (object, apiVersion) => ({
          ...object,
          apiVersion,
          metadata: { ...(object['metadata'] as object), labels: { 'a b': 'c' } },
        }),
      },
      /invalid metadata in object at index 0: metadata\.labels: Invalid value: "a b"/,
    ],
    ['returns no object', { convert: () => 7 }, /it is no object$/],
  ];
  for (const [what, change, message] of failures)
    it(`a webhook that ${what} fails the request, as upstream words it`, async () => {
      Object.assign(converter, change);
      const { status, body } = await server.request('GET', `${v2}/one`);
      assert.deepEqual([status, body.kind, body.code], [500, 'Status', 500]);
      assert.match(body.message, /^conversion webhook for example\.com\/v1, Kind=Endpoint /);
      assert.match(body.message, message);
      assert.equal((await server.request('GET', v2)).status, 500);
      assert.equal((await server.request('GET', `${v1}/one`)).status, 200);
    });

  it('a watch whose change can not be converted is told so and ends', async () => {
    const watch = await WatchClient.open(
      server,
      `${v2}?watch=true&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    );
    converter.answer = () => ({ result: { status: 'Failed', message: 'not now' } });
    await create(v1, endpoint('v1', 'unseen', { hostPort: 'i:9' }));
    const [line] = await watch.first(1);
    assert.equal(line?.type, 'ERROR');
    assert.match(line?.object.message, /not now$/);
    await watch.end();
  });

  it('a watch that could not tell a change tells it when it is asked for again and the webhook is back', async () => {
    const { body: before } = await server.request('GET', `${v1}?limit=1`);
    const query = `watch=true&resourceVersion=${before.metadata.resourceVersion}`;
    converter.answer = () => ({ result: { status: 'Failed', message: 'not now' } });
    await create(v1, endpoint('v1', 'kept', { hostPort: 'k:9' }));
    const refused = await WatchClient.open(server, `${v2}?${query}`);
    assert.equal((await refused.first(1))[0]?.type, 'ERROR');
    converter.answer = () => undefined;
    const again = await WatchClient.open(server, `${v2}?${query}`);
    const [line] = await again.first(1);
    again.close();
    assert.deepEqual(
      [line?.type, line?.object.metadata.name, line?.object.spec?.host],
      ['ADDED', 'kept', 'k'],
    );
  });

  it('a watch that failed tells nothing behind its error, no bookmark either', async () => {
    const watch = await WatchClient.open(
      server,
      `${v2}?watch=true&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    converter.answer = () => ({ result: { status: 'Failed', message: 'not now' } });
    await create(v1, endpoint('v1', 'untold', { hostPort: 'u:9' }));
    await watch.end();
    assert.deepEqual(
      watch.lines.map(({ type }) => type),
      ['ERROR'],
    );
  });

  it('a definition goes with objects that nobody converts any more', async () => {
    converter.answer = () => 'gone';
    assert.equal((await server.request('DELETE', `${definitions}/${name}`)).status, 200);
    await until(async () => (await server.request('GET', `${definitions}/${name}`)).status === 404);
    assert.equal((await server.request('GET', v1)).status, 404);
  });

  const wrong: [string, object, RegExp][] = [
    ['no webhook', { strategy: 'Webhook' }, /spec\.conversion\.webhookClientConfig: Required value/],
    [
      'a webhook that is not called',
      { strategy: 'None', webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] } },
      /webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook/,
    ],
    [
      'no review versions',
      { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: [] } },
      /conversionReviewVersions: Required value/,
    ],
    [
      'unknown review versions',
      {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v9'] },
      },
      /must include at least one of v1, v1beta1/,
    ],
    [
      'a plain address',
      {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'http://a' }, conversionReviewVersions: ['v1'] },
      },
      /'https' is the only allowed URL scheme/,
    ],
  ];
  for (const [what, conversion, message] of wrong)
    it(`a definition with ${what} is refused`, async () => {
      const body = definitionOf(converter);
      const { status, text } = await server.request('POST', definitions, {
        body: { ...body, spec: { ...body.spec, conversion } },
      });
      assert.equal(status, 422, text);
      assert.match(JSON.parse(text).message, message);
    });

  it('a definition whose bundle holds no certificate is not established', async () => {
    const clientConfig = { ...converter.clientConfig, caBundle: Buffer.from('none').toString('base64') };
    const body = definitionOf(converter, { webhook: { clientConfig } });
    assert.equal((await server.request('POST', definitions, { body })).status, 201);
    type Condition = { type: string; status: string; reason: string };
    const established = async () => {
      const { body } = await server.request('GET', `${definitions}/${name}`);
      return (body.status.conditions as Condition[]).find(({ type }) => type === 'Established');
    };
    await until(async () => (await established()) !== undefined);
    const { status, reason } = (await established())!;
    assert.deepEqual([status, reason], ['False', 'InvalidCABundle']);
    assert.equal((await server.request('GET', v1)).status, 404);
  });
});

/** Names that every JavaScript object inherits, in every place where a request may carry a name. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Answer, type Ask, TestServer } from '../../test/test-server.ts';

const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const configMaps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };

let server: TestServer;
const pristine = Object.getOwnPropertyNames(Object.prototype).sort();

before(async () => {
  server = await TestServer.start();
  await server.request('POST', configMaps, { body: configMap('target') });
});
after(() => server?.close());
beforeEach(() => assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), pristine));

function configMap(name: string, more: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more };
}

/** Sends it as the administrator and as nobody; what comes back is an answer, and never the server's own mistake. */
async function send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
  for (const as of [null, server.admin]) {
    const answer = await server.request(method, path, { ...ask, as });
    const shown = `${method} ${path} ${JSON.stringify(ask)}: ${answer.status} ${answer.text.slice(0, 200)}`;
    assert.ok(answer.status >= 200 && answer.status < 500, shown);
    if (as) return answer;
  }
  throw new Error('nobody was asked');
}

describe('names that every object inherits', { timeout: 120_000 }, () => {
  const headers = [
    ...[
      'accept',
      'accept-encoding',
      'content-type',
      'if-none-match',
      'impersonate-user',
      'impersonate-group',
    ],
    ...['impersonate-uid', 'user-agent', 'x-forwarded-for', 'audit-id', 'kubectl-command', 'x-remote-user'],
    ...['sec-websocket-protocol', 'sec-websocket-version', 'x-stream-protocol-version', 'expect', 'cookie'],
  ];

  it('are answered as headers', async () => {
    for (const name of names) {
      for (const header of headers) {
        if (header === 'expect') continue;
        for (const value of [
          name,
          `application/json;as=${name};g=${name};v=${name}`,
          `${name};${name}=${name}`,
        ]) {
          await send('GET', configMaps, { headers: { [header]: value } });
        }
      }
      await send('GET', configMaps, { headers: { [name]: name, [`impersonate-extra-${name}`]: name } });
    }
  });

  it('are answered as credentials', async () => {
    for (const name of names) {
      for (const value of [name, `Bearer ${name}`, `${name} ${name}`, `Bearer ${name}.${name}.${name}`]) {
        const { status } = await server.request('GET', configMaps, {
          as: null,
          headers: { authorization: value },
        });
        assert.equal(status, value.startsWith('Bearer') ? 401 : 403, value);
      }
      const header = Buffer.from(JSON.stringify({ alg: name, kid: name, [name]: name })).toString(
        'base64url',
      );
      const token = `${header}.${header}.${header}`;
      assert.equal((await server.request('GET', configMaps, { token })).status, 401);
    }
  });

  it('are answered at every place of a path', async () => {
    const paths = [
      '/api/v1/namespaces/default/pods/p/log',
      '/apis/apps/v1/namespaces/default/deployments/d/scale',
    ];
    paths.push(
      '/api/v1/nodes/n/proxy/x',
      '/openapi/v3/api/v1',
      '/healthz/ping',
      '/.well-known/openid-configuration',
    );
    for (const name of names) {
      for (const path of paths) {
        const segments = path.split('/');
        for (let at = 1; at < segments.length; at++) {
          const replaced = segments.with(at, name);
          for (const method of ['GET', 'PUT', 'PATCH', 'POST', 'DELETE']) {
            await send(method, replaced.join('/'), { body: {} });
          }
          await send('GET', replaced.slice(0, at + 1).join('/'));
        }
      }
    }
  });

  it('are answered as methods and as upgrades', async () => {
    for (const name of names) {
      for (const subresource of ['exec', 'attach', 'portforward', 'log', 'proxy']) {
        const headers = {
          ...{ connection: 'upgrade', upgrade: name, 'sec-websocket-protocol': name },
          ...{ 'x-stream-protocol-version': name, 'sec-websocket-key': name },
        };
        await send('GET', `/api/v1/namespaces/default/pods/${name}/${subresource}?${name}=${name}`, {
          headers,
        });
      }
    }
  });

  it('are answered as parameters', async () => {
    const parameters = [
      ...['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch'],
      ...['timeoutSeconds', 'pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'includeObject'],
      ...['propagationPolicy', 'gracePeriodSeconds', 'orphanDependents', 'sendInitialEvents', 'hash'],
    ];
    const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    for (const name of names) {
      for (const parameter of [...parameters, name]) {
        for (const value of [name, `metadata.${name}=${name}`]) {
          const query = `${parameter}=${encodeURIComponent(value)}`;
          await send('GET', `${configMaps}?${query}`, { accept: table });
          await send('GET', `${configMaps}/target?${query}`);
          await send('POST', `${configMaps}?${query}&dryRun=All`, { body: configMap('never') });
          await send('DELETE', `${configMaps}/never?${query}`);
        }
      }
    }
  });

  it('are plain keys of a JSON and of a YAML body', async () => {
    for (const name of names) {
      const inside = `{"${name}":"mine"}`;
      const metadata = `{"name":"target","labels":${inside},"annotations":${inside}}`;
      const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":${metadata},"data":${inside},"${name}":${inside}}`;
      for (const type of ['application/json', 'application/yaml']) {
        const { status, text } = await send('PUT', `${configMaps}/target`, { body, type });
        if (status === 200)
          assert.match(text, new RegExp(`"data":\\{"${name}":"mine"\\}`), `${type} ${text}`);
        else assert.equal(status, 422, text);
      }
      for (const field of ['apiVersion', 'kind']) {
        await send('POST', configMaps, { body: { ...configMap('never'), [field]: name } });
      }
    }
  });

  const patches: [type: string, patch: (name: string) => string][] = [
    ['application/merge-patch+json', (name) => `{"data":{"${name}":"mine"},"${name}":{"polluted":"yes"}}`],
    ['application/merge-patch+json', (name) => `{"metadata":{"${name}":{"polluted":"yes"}}}`],
    ['application/merge-patch+json', (name) => `{"${name}":{"prototype":{"polluted":"yes"}}}`],
    [
      'application/strategic-merge-patch+json',
      (name) => `{"data":{"${name}":"m"},"${name}":{"polluted":"y"}}`,
    ],
    ['application/strategic-merge-patch+json', (name) => `{"${name}":null,"$patch":"${name}"}`],
    [
      'application/strategic-merge-patch+json',
      (name) => `{"$retainKeys":["${name}"],"$setElementOrder/${name}":[]}`,
    ],
    ['application/json-patch+json', (name) => `[{"op":"add","path":"/${name}/polluted","value":"yes"}]`],
    ['application/json-patch+json', (name) => `[{"op":"add","path":"/data","value":{"${name}":"mine"}}]`],
    ['application/json-patch+json', (name) => `[{"op":"${name}","path":"/data/${name}","value":"yes"}]`],
    ['application/json-patch+json', (name) => `[{"op":"copy","from":"/${name}","path":"/data"}]`],
    [
      'application/apply-patch+yaml',
      (name) =>
        `{"apiVersion":"v1","kind":"ConfigMap","data":{"${name}":"mine"},"${name}":{"polluted":"yes"}}`,
    ],
  ];

  it('pollute nothing as keys of a patch', async () => {
    for (const name of names) {
      for (const [type, patch] of patches) {
        const query = type.includes('apply') ? '?fieldManager=test&force=true' : '';
        await send('PATCH', `${configMaps}/target${query}`, { body: patch(name), type });
        assert.equal(({} as { polluted?: string }).polluted, undefined, `${type} ${patch(name)}`);
      }
    }
  });

  it('are no content types', async () => {
    for (const name of names) {
      const created = await send('POST', configMaps, { body: '{}', type: name });
      assert.equal(created.status, 415, created.text);
      const patched = await send('PATCH', `${configMaps}/target`, { body: '{}', type: name });
      assert.equal(patched.status, 415, patched.text);
    }
  });

  it('leave a server that serves', async () => {
    const { status, body } = await server.request('GET', `${configMaps}/target`, { headers: json });
    assert.equal(status, 200);
    assert.equal(body.metadata.name, 'target');
  });
});

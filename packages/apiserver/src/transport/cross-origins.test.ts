import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Http2Client } from '../../test/http2-client.ts';
import { TestServer } from '../../test/test-server.ts';

const page = 'https://ide.example.com';
const path = '/api/v1/namespaces/default/configmaps';

describe('pages of an origin that is allowed', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ corsAllowedOrigins: ['^https://ide\\.example\\.com(:|$)'] });
  });
  after(() => server.close());

  it('may ask, and read what is answered, over HTTP/1.1 and HTTP/2', async () => {
    const headers = { origin: page };
    const http2 = new Http2Client(server);
    for (const answer of [
      await server.request('GET', path, { headers }),
      await http2.request('GET', path, { headers }),
    ]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['access-control-allow-origin'], page);
      assert.equal(answer.headers['access-control-allow-credentials'], 'true');
      assert.equal(answer.headers['access-control-expose-headers'], 'Date');
      assert.equal(answer.body.kind, 'ConfigMapList');
    }
    http2.close();
  });

  it('learn beforehand, without credentials, what they may ask', async () => {
    const headers = { origin: page, 'access-control-request-method': 'PATCH' };
    const { status, headers: told, text } = await server.request('OPTIONS', path, { headers, as: null });
    assert.deepEqual([status, text], [204, '']);
    assert.equal(told['access-control-allow-methods'], 'POST, GET, OPTIONS, PUT, DELETE, PATCH');
    assert.match(String(told['access-control-allow-headers']), /^Content-Type, .*Authorization/);
  });

  it('read why they are refused, too', async () => {
    const { status, headers } = await server.request('GET', path, {
      ...{ headers: { origin: page, authorization: 'Bearer nobody' }, as: null },
    });
    assert.equal(status, 401);
    assert.equal(headers['access-control-allow-origin'], page);
  });

  it('are not those of hosts whose names begin or end alike, and those are told nothing', async () => {
    for (const origin of [
      `${page}.evil.org`,
      'https://evil.org/https://ide.example.com',
      'https://xide.example.com',
    ]) {
      const { status, headers } = await server.request('GET', path, { headers: { origin } });
      assert.equal(status, 200, 'who asks without a browser is not kept from it');
      assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control-')), origin);
    }
  });
});

it('pages of other origins may ask nothing where nobody says so', async (test) => {
  const server = await TestServer.start();
  test.after(() => server.close());
  const { headers } = await server.request('GET', path, { headers: { origin: page } });
  assert.equal(headers['access-control-allow-origin'], undefined);
});

it('origins that do not say where a host begins and ends are refused (CVE-2022-1996)', async () => {
  for (const [expression, said] of [
    [
      'example.com',
      /--cors-allowed-origins has an invalid regular expression: "example.com" does not pin to start/,
    ],
    ['//example.com', /does not pin/],
    ['example.com$', /does not pin/],
    ['^https://(', /--cors-allowed-origins has an invalid regular expression: /],
  ] as const)
    await assert.rejects(TestServer.start({ corsAllowedOrigins: [expression] }), (error: Error) => {
      assert.match(error.message, said);
      assert.equal(error.name, 'SettingsError');
      return true;
    });
});

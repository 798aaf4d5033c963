import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';
import { limits } from '../limits.ts';
import { SqliteStore } from '../store/sqlite-store.ts';

const path = '/api/v1/namespaces/default/configmaps';
const gzip = { 'accept-encoding': 'deflate, gzip' };
const accepts = [
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
];

describe('a long answer', () => {
  let server: TestServer;
  const store = new SqliteStore({ path: ':memory:' });
  before(async () => {
    server = await TestServer.start({ store });
    for (let index = 0; index < 6; index++) {
      const metadata = {
        name: `c-${index}`,
        namespace: 'default',
        uid: `u-${index}`,
        annotations: { a: 'x'.repeat(100_000) },
      };
      await store.write({ key: `/configmaps/default/${metadata.name}`, value: JSON.stringify({ metadata }) });
    }
    const value = JSON.stringify({ metadata: { name: 'long', namespace: 'kube-public', uid: 'u' } });
    const padded = value.replace(
      '"uid"',
      `"annotations":{"a":"${'y'.repeat(limits.unpackedBytesMax)}"},"uid"`,
    );
    await store.write({ key: '/configmaps/kube-public/long', value: padded });
  });
  after(() => server.close());

  it('is compressed for who takes gzip, in every form, and is the same then', async () => {
    for (const url of [path, '/api/v1/namespaces/kube-public/configmaps/long']) {
      for (const accept of accepts) {
        const plain = await server.request('GET', url, { accept });
        const packed = await server.request('GET', url, { accept, headers: gzip });
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal(Number(plain.headers['content-length']), plain.bytes.length);
        assert.equal(packed.headers['content-encoding'], 'gzip', `${url} ${accept}`);
        assert.equal(packed.headers['vary'], 'Accept-Encoding');
        assert.equal(packed.headers['content-type'], plain.headers['content-type']);
        assert.ok(packed.bytes.length * 10 < plain.bytes.length, `${packed.bytes.length} bytes`);
        assert.ok(gunzipSync(packed.bytes).equals(plain.bytes), `${url} ${accept}`);
      }
    }
  });

  it('is sent as it is to who refuses gzip, and so are short ones', async () => {
    for (const encoding of ['', 'identity', 'gzip;q=0', 'deflate, br']) {
      const { headers } = await server.request('GET', path, { headers: { 'accept-encoding': encoding } });
      assert.equal(headers['content-encoding'], undefined, encoding);
    }
    const { headers, body } = await server.request('GET', `${path}?limit=1`, { headers: gzip });
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(body.items.length, 1);
  });

  it('is not compressed when it is a watch', async () => {
    const watch = await WatchClient.open(server, `${path}?watch=true`, undefined, gzip);
    await watch.first(6);
    watch.close();
    assert.equal(watch.response.headers['content-encoding'], undefined);
  });

  it('that is torn off midway harms nobody else', async () => {
    await new Promise<void>((resolve) => {
      const options = { agent: server.agent(), headers: gzip };
      request(`${server.apiserver.url}${path}`, options, (response) => {
        response.once('close', resolve);
        response.on('error', () => {});
        response.destroy();
      }).end();
    });
    assert.equal((await server.request('GET', path, { headers: gzip })).status, 200);
  });
});

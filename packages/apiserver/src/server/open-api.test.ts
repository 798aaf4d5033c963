import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { TestServer } from '../../test/test-server.ts';

const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

test('version 2 is JSON unless protobuf is asked for by name', async () => {
  const json = await get('/openapi/v2');
  assert.equal(json.headers['content-type'], 'application/json');
  assert.ok(json.body.definitions['io.k8s.api.core.v1.Pod']);
  const protobuf = await get('/openapi/v2', { accept: asked });
  assert.equal(
    protobuf.headers['content-type'],
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  );
  assert.equal(protobuf.bytes.subarray(0, 5).toString(), '\n\x032.0');
  assert.equal(protobuf.headers['etag'], json.headers['etag']);
  assert.equal((await get('/openapi/v2', { accept: 'text/html' })).status, 406);
});

test('version 2 comes compressed to those who say so', async () => {
  const plain = await get('/openapi/v2', { accept: asked });
  const compressed = await get('/openapi/v2', { accept: asked, 'accept-encoding': 'br, gzip' });
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  assert.deepEqual(gunzipSync(compressed.bytes), plain.bytes);
  const refused = await get('/openapi/v2', { accept: asked, 'accept-encoding': 'gzip;q=0' });
  assert.equal(refused.headers['content-encoding'], undefined);
});

for (const path of ['/openapi/v2', '/openapi/v3/api/v1']) {
  test(`${path} is not sent again to who has it`, async () => {
    const etag = String((await get(path)).headers['etag']);
    assert.match(etag, /^"[0-9A-F]{128}"$/);
    for (const kept of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': kept });
      assert.deepEqual([again.status, again.bytes.length], [304, 0], kept);
      assert.equal(again.headers['etag'], etag);
    }
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
  });
}

test('version 3 under the hash of another version leads to the one that is', async () => {
  const { paths } = (await get('/openapi/v3')).body;
  const old = await get('/openapi/v3/apis/apps/v1?hash=0123');
  assert.deepEqual([old.status, old.bytes.length], [301, 0]);
  assert.equal(old.headers['location'], paths['apis/apps/v1'].serverRelativeURL);
  const kept = await get(String(old.headers['location']));
  assert.match(String(kept.headers['cache-control']), /immutable/);
  for (const path of ['/openapi/v3/apis/apps/v1', '/openapi/v2'])
    assert.equal((await get(path)).headers['cache-control'], 'no-cache, private', path);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:http2';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { FakeClock } from '@wherry/clock';
import { Http2Client } from '../../test/http2-client.ts';
import { TestKubelet } from '../../test/test-kubelet.ts';
import { TestServer } from '../../test/test-server.ts';
import { limits, periods } from '../limits.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describe('HTTP/2', { timeout: 20_000 }, () => {
  let server: TestServer;
  let client: Http2Client;
  before(async () => {
    server = await TestServer.start({ http2MaxStreamsPerConnection: 5 });
    client = new Http2Client(server);
  });
  after(async () => {
    client?.close();
    await server?.close();
  });

  it('answers as HTTP/1.1 does', async () => {
    const created = await client.request('POST', configMaps, { body: configMap('one', { a: 'b' }) });
    assert.equal(created.status, 201);
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']) {
      const one = await client.request('GET', `${configMaps}/one`, { headers: { accept } });
      const other = await server.request('GET', `${configMaps}/one`, { accept });
      assert.ok(one.bytes.equals(other.bytes), accept);
    }
    const missing = await client.request('GET', `${configMaps}/two`);
    assert.deepEqual([missing.status, missing.body.reason], [404, 'NotFound']);
    assert.equal((await client.request('HEAD', '/apis')).status, 200);
    assert.equal((await client.request('HEAD', `${configMaps}/one`)).status, 405);
    assert.equal((await client.request('GET', `${configMaps}/one/exec`)).status, 404);
  });

  it('packs long lists, and sends them whole', async () => {
    const data = { text: 'x'.repeat(600_000) };
    for (const name of ['l1', 'l2', 'l3'])
      await client.request('POST', configMaps, { body: configMap(name, data) });
    const plain = await client.request('GET', configMaps);
    assert.equal(
      plain.body.items.filter((item: never) => (item as { data: typeof data }).data.text).length,
      3,
    );
    const packed = await client.request('GET', configMaps, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(JSON.parse(gunzipSync(packed.bytes).toString()), plain.body);
  });

  it('tells whose body is too long, and goes on', async () => {
    const body = configMap('long', { text: 'x'.repeat(limits.requestBodyBytesMax) });
    assert.equal((await client.request('POST', configMaps, { body })).status, 413);
    assert.equal((await client.request('GET', `${configMaps}/one`)).status, 200);
  });

  it('takes each line of an Impersonate-Group header for one group', async () => {
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': ['a, b', 'c'] };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await client.request('POST', path, { headers, body: '{}' });
    assert.deepEqual(body.status.userInfo.groups, ['a, b', 'c', 'system:authenticated']);
  });

  it('stores nothing of a body that is broken off', async () => {
    const headers = { ':method': 'POST', ':path': configMaps, 'content-type': 'application/yaml' };
    const stream = client.session.request(headers, { endStream: false });
    stream.on('error', () => {});
    stream.write('metadata: { name: torn }\ndata:\n  a: b\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.destroy();
    await once(stream, 'close');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await client.request('GET', `${configMaps}/torn`)).status, 404);
  });

  it('leads to backends, which see a body that was broken off for what it is', async (test) => {
    const kubelet = await TestKubelet.start(server);
    test.after(() => kubelet.close());
    await kubelet.register(server);
    const path = '/api/v1/nodes/worker/proxy/x';
    kubelet.answer = (request, response) => void request.pipe(response);
    const echoed = await client.request('POST', path, { body: 'hello' });
    assert.deepEqual([echoed.status, echoed.bytes.toString()], [200, 'hello']);
    assert.equal(kubelet.seen.at(-1)?.headers[':path'], undefined);
    const torn = Promise.withResolvers<boolean>();
    kubelet.answer = (request) => {
      request.on('error', () => {});
      request.once('data', () => stream.destroy());
      request.once('close', () => torn.resolve(!request.complete));
    };
    const stream = client.session.request({ ':method': 'POST', ':path': path }, { endStream: false });
    stream.on('error', () => {});
    stream.write('hel');
    assert.equal(await torn.promise, true);
  });

  it('watches, and does without a reader who falls behind', async () => {
    const stream = client.open('GET', `${configMaps}?watch=true&fieldSelector=metadata.name%3Dwatched`);
    const [head] = await once(stream, 'response');
    assert.equal(head[':status'], 200);
    stream.setEncoding('utf8');
    for (const version of ['1', '2']) {
      const method = version === '1' ? 'POST' : 'PUT';
      const path = version === '1' ? configMaps : `${configMaps}/watched`;
      await client.request(method, path, { body: configMap('watched', { version }) });
    }
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      if (text.split('\n').length > 2) break;
    }
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => [JSON.parse(line).type, JSON.parse(line).object.data.version]),
      [
        ['ADDED', '1'],
        ['MODIFIED', '2'],
      ],
    );
    const slow = client.open('GET', `${configMaps}?watch=true&fieldSelector=metadata.name%3Dwatched`);
    await once(slow, 'response');
    const data = { text: 'y'.repeat(1_000_000) };
    for (let at = 0; at < 12; at++)
      await client.request('PUT', `${configMaps}/watched`, {
        body: configMap('watched', { ...data, at: String(at) }),
      });
    let last = '';
    for await (const chunk of slow) last = (last + chunk).slice(-2_000);
    assert.equal(JSON.parse(last.trim().split('\n').at(-1)!).object.reason, 'Expired');
  });

  it('serves no more streams of one connection at a time than it says', async () => {
    const other = new Http2Client(server);
    await once(other.session, 'remoteSettings');
    assert.equal(other.session.remoteSettings.maxConcurrentStreams, 5);
    other.close();
  });

  it('keeps no connection of somebody unknown', async () => {
    const stranger = new Http2Client(server, null);
    assert.equal((await stranger.request('GET', '/version')).status, 200);
    await once(stranger.session, 'close');
    assert.deepEqual(stranger.goaways, [constants.NGHTTP2_NO_ERROR]);
    const wrong = new Http2Client(server, null);
    const headers = { authorization: 'Bearer wrong' };
    assert.equal((await wrong.request('GET', configMaps, { headers })).status, 401);
    await once(wrong.session, 'close');
  });

  it('answers somebody unknown before it takes leave', async () => {
    const stranger = new Http2Client(server, null);
    const order: string[] = [];
    stranger.session.on('goaway', () => order.push('goaway'));
    const stream = stranger.open('GET', '/version');
    stream.on('response', () => order.push('response')).resume();
    await once(stranger.session, 'close');
    assert.deepEqual(order, ['response', 'goaway']);
  });

  it('is what kubectl and curl speak', async () => {
    const { stderr, code } = await server.kubectl(['get', 'configmaps', '-A'], {
      environment: { GODEBUG: 'http2debug=1' },
    });
    assert.equal(code, 0);
    assert.match(stderr, /http2: Framer .*: read HEADERS|http2: Transport received HEADERS/);
    const { admin, authority, folder } = server;
    for (const [name, text] of Object.entries({ crt: admin.cert, key: admin.key, ca: authority.cert }))
      writeFileSync(join(folder, `curl.${name}`), text);
    const at = (name: string) => join(folder, `curl.${name}`);
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--http2', '--cacert', at('ca'), '--cert', at('crt'), '--key', at('key')],
      ...[
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_version} %{http_code}',
        server.apiserver.url + configMaps,
      ],
    ]);
    assert.equal(stdout, '2 200');
  });
});

describe('an HTTP/2 connection', { timeout: 20_000 }, () => {
  it('is not offered where it is switched off', async (test) => {
    const server = await TestServer.start({ disableHttp2Serving: true });
    test.after(() => server.close());
    const client = new Http2Client(server);
    await assert.rejects(client.request('GET', '/version'));
  });

  it('takes no more requests by chance, and serves the one that it has', async (test) => {
    const server = await TestServer.start({ goawayChance: 1 });
    test.after(() => server.close());
    const client = new Http2Client(server);
    assert.equal((await client.request('GET', configMaps)).status, 200);
    await once(client.session, 'close');
    assert.deepEqual(client.goaways, [constants.NGHTTP2_NO_ERROR]);
  });

  it('loses a request whose body is late, and no other', async (test) => {
    const clock = new FakeClock();
    const server = await TestServer.start({ clock });
    const client = new Http2Client(server);
    test.after(() => {
      client.close();
      return server.close();
    });
    const watch = client.open('GET', `${configMaps}?watch=true&allowWatchBookmarks=true`);
    await once(watch, 'response');
    const stream = client.session.request({ ':method': 'POST', ':path': configMaps }, { endStream: false });
    stream.on('error', () => {});
    stream.resume().write('{');
    await client.request('GET', configMaps);
    clock.advance(periods.requestBodyMs);
    await once(stream, 'close');
    assert.equal((await client.request('GET', configMaps)).status, 200);
    assert.equal(watch.closed, false);
  });

  it('ends in order when the server closes', async () => {
    const clock = new FakeClock();
    const server = await TestServer.start({ clock });
    const client = new Http2Client(server);
    const watch = client.open('GET', `${configMaps}?watch=true`);
    await once(watch, 'response');
    watch.resume();
    await Promise.all([server.close(), once(watch, 'end'), once(client.session, 'close')]);
    assert.equal(watch.rstCode, constants.NGHTTP2_NO_ERROR);
    assert.deepEqual(client.goaways, [constants.NGHTTP2_NO_ERROR]);
  });
});

/** What a client of HTTP/2 does that means no good. */
import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MetricsRegistry } from '@wherry/telemetry';
import { endHeaders, endStream, frameTypes, headerBlock, RawHttp2 } from '../../test/raw-http2.ts';
import { TestServer } from '../../test/test-server.ts';
import { limits } from '../limits.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const code = (value: number) => Buffer.from([0, 0, 0, value]);
const headersOf = (method: string, path = configMaps) =>
  headerBlock({ ':method': method, ':path': path, ':scheme': 'https', ':authority': 'a' });

describe('over HTTP/2', { timeout: 20_000 }, () => {
  let server: TestServer;
  const metrics = new MetricsRegistry();
  before(async () => {
    server = await TestServer.start({ metrics });
  });
  after(() => server?.close());

  const inFlight = () => {
    const gauges = /^apiserver_(?:current_inflight|longrunning)_requests\{.*\} (\d+)$/gm;
    return [...metrics.render().matchAll(gauges)].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  it('whoever resets streams as fast as he opens them is cut off, and leaves nothing behind', async () => {
    const raw = await RawHttp2.open(server);
    const block = headersOf('GET');
    for (let at = 0; at < limits.http2ResetsBurst * 2; at++) {
      raw.send(frameTypes.headers, endHeaders | endStream, 2 * at + 1, block);
      raw.send(frameTypes.reset, 0, 2 * at + 1, code(constants.NGHTTP2_CANCEL));
    }
    await raw.closed;
    assert.equal((await server.request('GET', configMaps)).status, 200);
    while (inFlight() > 0) await sleep(5);
  });

  it('headers without end end the connection', async () => {
    const raw = await RawHttp2.open(server);
    raw.send(frameTypes.headers, endStream, 1, headersOf('GET'));
    const part = headerBlock({ x: 'y'.repeat(100) });
    for (let at = 0; at < 20; at++) raw.send(frameTypes.continuation, 0, 1, part);
    await raw.closed;
    assert.equal((await server.request('GET', configMaps)).status, 200);
  });

  it('more streams than were allowed are refused', async () => {
    const raw = await RawHttp2.open(server);
    const block = headersOf('GET', `${configMaps}?watch=true`);
    for (let at = 0; at < limits.http2StreamsMax + 50; at++)
      raw.send(frameTypes.headers, endHeaders | endStream, 2 * at + 1, block);
    await sleep(200);
    assert.ok(inFlight() > 0 && inFlight() <= limits.http2StreamsMax, `${inFlight()}`);
    raw.socket.destroy();
    while (inFlight() > 0) await sleep(5);
  });

  it('a body is not whole that ends in a reset without an error', async () => {
    const raw = await RawHttp2.open(server);
    const headers = headersOf('POST');
    const type = headerBlock({ 'content-type': 'application/yaml' });
    raw.send(frameTypes.headers, endHeaders, 1, Buffer.concat([headers, type]));
    raw.send(frameTypes.data, 0, 1, Buffer.from('metadata: { name: torn }\n'));
    await sleep(50);
    raw.send(frameTypes.reset, 0, 1, code(constants.NGHTTP2_NO_ERROR));
    await sleep(50);
    assert.equal((await server.request('GET', `${configMaps}/torn`)).status, 404);
    raw.socket.destroy();
  });
});

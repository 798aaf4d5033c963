import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { decodeProtobuf } from '@wherry/kubeapi';
import { WebSocket } from 'ws';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';
import type { WatchLine } from '../../test/watch-client.ts';
import { limits } from '../limits.ts';

const path = '/api/v1/namespaces/default/configmaps';
const watched = `${path}?watch=true`;
const tokenProtocol = (token: string) =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;

interface Ask {
  as?: Credentials | null;
  protocols?: string[];
  accept?: string;
  /** Default: one. */
  origin?: string | undefined;
}

describe('a watch over WebSocket', { timeout: 60_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const name of ['a', 'b']) await server.request('POST', path, { body: { metadata: { name } } });
  });
  after(() => server.close());

  const dial = (url: string, { as = server.admin, protocols = [], accept, ...more }: Ask = {}) => {
    const { origin = 'https://somewhere.test' } = more;
    return new WebSocket(`${server.apiserver.url.replace('https', 'wss')}${url}`, protocols, {
      ca: server.authority.cert,
      ...(as ?? {}),
      headers: { ...(accept ? { accept } : {}), ...(origin ? { origin } : {}) },
    });
  };
  /** The first messages; the socket is closed afterwards. */
  const messages = async (
    socket: WebSocket,
    count: number,
  ): Promise<{ data: Buffer; isBinary: boolean }[]> => {
    const all: { data: Buffer; isBinary: boolean }[] = [];
    socket.on('message', (data, isBinary) => {
      all.push({ data: data as Buffer, isBinary });
      if (all.length === count) socket.close();
    });
    await once(socket, 'close');
    return all.slice(0, count);
  };
  const told = (all: { data: Buffer }[]) =>
    all
      .map(({ data }) => JSON.parse(data.toString()) as WatchLine)
      .map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name ?? ''}`);
  const refusal = async (socket: WebSocket): Promise<number> => {
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    socket.terminate();
    return response.statusCode;
  };
  const inFlight = async () => {
    const { text } = await server.request('GET', '/metrics');
    return Number(/^apiserver_longrunning_requests\{verb="WATCH",.*\} (\d+)/m.exec(text)?.[1] ?? 0);
  };

  it('brings each event as a message of text, however many come at once', async () => {
    for (const url of [watched, '/api/v1/watch/namespaces/default/configmaps']) {
      const all = await messages(dial(url), 2);
      assert.deepEqual(told(all), ['ADDED ConfigMap a', 'ADDED ConfigMap b']);
      for (const { data, isBinary } of all) assert.deepEqual([isBinary, data.at(-1)], [false, 10]);
    }
  });

  it('brings Tables, and protobuf in binary messages without a length before each', async () => {
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    for (const [include, kind] of [
      ['', 'PartialObjectMetadata'],
      ['&includeObject=Object', 'ConfigMap'],
      ['&includeObject=None', undefined],
    ]) {
      const tables = (await messages(dial(`${watched}${include}`, { accept: table }), 2)).map(
        ({ data }) => JSON.parse(data.toString()).object,
      );
      assert.deepEqual(
        tables.map((each) => [each.kind, each.columnDefinitions?.length, each.rows[0].object?.kind]),
        [
          ['Table', 3, kind],
          ['Table', undefined, kind],
        ],
      );
    }
    const all = await messages(dial(watched, { accept: 'application/vnd.kubernetes.protobuf' }), 2);
    const read = all.map(({ data, isBinary }) => {
      const { kind, metadata } = decodeProtobuf(
        data.subarray(data.indexOf('k8s\0')),
      ) as unknown as WatchLine['object'];
      return `${isBinary} ${data.subarray(2, 2 + data[1]!)} ${kind} ${metadata.name}`;
    });
    assert.deepEqual(read, ['true ADDED ConfigMap a', 'true ADDED ConfigMap b']);
  });

  it('takes one token, in base64url and beside a sub-protocol to answer with, and refuses others', async () => {
    const plain = 'watch';
    const prefix = tokenProtocol('');
    const ask = (...protocols: string[]) => refusal(dial(watched, { as: null, protocols }));
    assert.equal(await ask(tokenProtocol('x'), plain), 401);
    assert.equal(await ask(tokenProtocol('x')), 401);
    assert.equal(await ask(tokenProtocol('x'), tokenProtocol('y'), plain), 401);
    assert.equal(await ask(`${prefix}${Buffer.from([0xff, 0xfe]).toString('base64url')}`, plain), 401);
    assert.equal(await ask(prefix, plain), 403, 'nobody');
    const account = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', account, { body: { metadata: { name: 'watcher' } } });
    const { body } = await server.request('POST', `${account}/watcher/token`, { body: { spec: {} } });
    const token = tokenProtocol(body.status.token);
    assert.equal(await ask(token, plain), 403, 'somebody who may not');
    assert.equal(await ask(token), 401);
    assert.equal(await ask(`${token}~`, plain), 401, 'what stands in no base64url');
    assert.equal(await ask(token, tokenProtocol('x'), plain), 401);
  });

  it('ends in order after timeoutSeconds', async () => {
    const socket = dial(`${watched}&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=1`);
    const types: string[] = [];
    socket.on('message', (data) => types.push((JSON.parse(String(data)) as WatchLine).type));
    const [code] = await once(socket, 'close');
    assert.deepEqual([code, types.at(-1)], [1000, 'BOOKMARK']);
  });

  it('takes a token as a sub-protocol, never tells it, and is for those who may', async () => {
    const account = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', account, { body: { metadata: { name: 'reader' } } });
    const issued = await server.request('POST', `${account}/reader/token`, { body: { spec: {} } });
    const protocols = [tokenProtocol(issued.body.status.token), 'base64.binary.k8s.io'];
    assert.equal(await refusal(dial(watched, { as: null, protocols })), 403);
    assert.equal(await refusal(dial(watched, { as: null })), 403);
    assert.equal(await refusal(dial(watched, { as: null, protocols: [tokenProtocol('x'), 'y'] })), 401);
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['watch'] }];
    await server.request('POST', `${rbac}/roles`, { body: { metadata: { name: 'reader' }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
    const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }];
    const binding = { metadata: { name: 'reader' }, roleRef, subjects };
    await server.request('POST', `${rbac}/rolebindings`, { body: binding });
    const socket = dial(watched, { as: null, protocols });
    assert.deepEqual(told(await messages(socket, 1)), ['ADDED ConfigMap a']);
    assert.equal(socket.protocol, 'base64.binary.k8s.io');
  });

  it('is for clients that say where they come from and want one sub-protocol at most, as upstream’s', async () => {
    for (const origin of ['', 'null']) assert.equal(await refusal(dial(watched, { origin })), 403, origin);
    assert.equal(await refusal(dial(watched, { protocols: ['a', 'b'] })), 400);
    const socket = dial(watched, { origin: '/', protocols: ['a'] });
    assert.equal((await messages(socket, 1)).length, 1);
    assert.equal(socket.protocol, 'a');
  });

  it('is refused with a Status before it begins', async () => {
    assert.equal(await refusal(dial(`${watched}&resourceVersion=99999999`)), 504);
    assert.equal(await refusal(dial(`${watched}&resourceVersionMatch=Exact`)), 422);
    assert.equal(await refusal(dial('/api/v1/namespaces/default/nonsense?watch=true')), 404);
  });

  it('leaves nothing behind when its client goes or is torn off, whatever it sent', async (test: TestContext) => {
    const before = await inFlight();
    const sockets = Array.from({ length: 20 }, () => dial(watched));
    test.after(() => {
      for (const socket of sockets) socket.terminate();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'message')));
    assert.equal(await inFlight(), before + sockets.length);
    for (const [index, socket] of sockets.entries()) {
      socket.send('nobody listens');
      if (index % 2 === 0) socket.close();
      else socket.terminate();
    }
    for (let tries = 0; (await inFlight()) > before && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(await inFlight(), before);
  });

  it('that nobody reads is ended with 410 rather than buffered without bound', async () => {
    const { body } = await server.request('GET', `${path}?limit=1`);
    const socket = dial(`${watched}&resourceVersion=${body.metadata.resourceVersion}`);
    await once(socket, 'open');
    socket.pause();
    const big = 'x'.repeat(900 * 1024);
    const rounds = Math.ceil((limits.watchBufferBytesMax / big.length) * 2) + 8;
    for (let round = 0; round < rounds; round++) {
      const data = { big, round: String(round) };
      await server.request('PUT', `${path}/a`, { body: { metadata: { name: 'a' }, data } });
    }
    const lines: WatchLine[] = [];
    socket.on('message', (data) => lines.push(JSON.parse(String(data)) as WatchLine));
    socket.resume();
    await once(socket, 'close');
    assert.deepEqual([lines.at(-1)?.type, lines.at(-1)?.object.code], ['ERROR', 410]);
    assert.ok(lines.length < rounds, 'it did not get everything');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtobuf } from '@wherry/kubeapi';
import { parse } from 'yaml';
import { TestServer } from '../../test/test-server.ts';
import { WatchClient, type WatchLine } from '../../test/watch-client.ts';
import { limits } from '../limits.ts';
import { SqliteStore } from '../store/sqlite-store.ts';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, labels: Record<string, string> = {}, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});
interface KubeObject {
  kind: string;
  metadata: { name?: string };
}
const told = (lines: WatchLine[]) =>
  lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`);

describe('a watch', () => {
  let server: TestServer;
  const store = new SqliteStore({ path: ':memory:' });
  before(async () => {
    server = await TestServer.start({ store });
  });
  after(() => server.close());

  const create = (name: string, labels = {}) =>
    server.request('POST', path, { body: configMap(name, labels) });
  const versionNow = async () =>
    (await server.request('GET', `${path}?limit=1`)).body.metadata.resourceVersion;

  it('tells every change after a resourceVersion, also those before it began', async () => {
    const version = await versionNow();
    await create('early');
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${version}`);
    await create('late');
    await server.request('PUT', `${path}/late`, { body: configMap('late', {}, { a: 'b' }) });
    await server.request('DELETE', `${path}/late`);
    const lines = await watch.first(4);
    watch.close();
    assert.deepEqual(told(lines), ['ADDED early', 'ADDED late', 'MODIFIED late', 'DELETED late']);
    const versions = lines.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(
      versions,
      [...versions].sort((left, right) => left - right),
    );
    assert.equal(new Set(versions).size, 4, 'a deletion has a version of its own');
    assert.equal(lines[1]?.object.kind, 'ConfigMap');
  });

  it('is not had as YAML, which has no frames, even where JSON would do as well', async () => {
    const accept = 'application/yaml, application/json';
    const { status, text } = await server.request('GET', `${path}?watch=true`, { accept });
    assert.equal(status, 406);
    const types = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    assert.ok(parse(text).message.endsWith(`only the following media types are accepted: ${types}`), text);
  });

  it('begins with what is there when it names no version', async () => {
    await create('present');
    const watch = await WatchClient.open(server, `${path}?watch=true&fieldSelector=metadata.name%3Dpresent`);
    assert.deepEqual(told(await watch.first(1)), ['ADDED present']);
    watch.close();
  });

  it('marks the end of the initial events with a bookmark', async () => {
    await create('initial', { set: 'initial' });
    const query =
      'watch=true&labelSelector=set%3Dinitial&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await WatchClient.open(server, `${path}?${query}`);
    const lines = await watch.first(2);
    watch.close();
    assert.equal(lines[1]?.type, 'BOOKMARK');
    assert.deepEqual(lines[1]?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
    assert.equal(lines[1]?.object.kind, 'ConfigMap');
  });

  it('without a version marks that end by default, and without initial events begins with now', async () => {
    await create('default', { set: 'default' });
    const selected = `${path}?watch=true&labelSelector=set%3Ddefault&allowWatchBookmarks=true`;
    for (const version of ['', '&resourceVersion=0']) {
      const watch = await WatchClient.open(server, `${selected}${version}`);
      assert.deepEqual(told(await watch.first(2)), ['ADDED default', 'BOOKMARK ']);
      assert.ok(watch.lines[1]?.object.metadata.annotations['k8s.io/initial-events-end']);
      watch.close();
    }
    const none = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
    const watch = await WatchClient.open(server, `${selected}&${none}`);
    await server.request('DELETE', `${path}/default`);
    assert.deepEqual(told(await watch.first(1)), ['DELETED default']);
    watch.close();
  });

  it('tells an object that leaves its selection as deleted, and one that enters as added', async () => {
    const version = await versionNow();
    const query = `watch=true&labelSelector=in%3Dyes&resourceVersion=${version}`;
    const watch = await WatchClient.open(server, `${path}?${query}`);
    await create('mover', { in: 'no' });
    for (const value of ['yes', 'no', 'yes']) {
      await server.request('PUT', `${path}/mover`, { body: configMap('mover', { in: value }) });
    }
    const lines = await watch.first(3);
    watch.close();
    assert.deepEqual(told(lines), ['ADDED mover', 'DELETED mover', 'ADDED mover']);
    assert.equal(lines[1]?.object.metadata.labels.in, 'yes', 'the last state that was selected');
  });

  it('tells that a pod without a node is to go, before it tells that it is gone', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const name = 'unscheduled';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
    const spec = { containers: [{ name: 'main', image: 'x' }], automountServiceAccountToken: false };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    assert.equal((await server.request('POST', pods, { body: pod })).status, 201);
    const watch = await WatchClient.open(server, `${pods}?watch=true`);
    const { body } = await server.request('DELETE', `${pods}/${name}`);
    const [, marked, gone] = await watch.first(3);
    watch.close();
    assert.deepEqual(told(watch.lines), [`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`]);
    for (const line of [marked, gone]) {
      assert.equal(line?.object.metadata.deletionTimestamp, body.metadata.deletionTimestamp);
      assert.equal(line?.object.metadata.deletionGracePeriodSeconds, 0);
    }
    assert.equal(gone?.object.metadata.resourceVersion, body.metadata.resourceVersion);
  });

  it('sends Tables when asked to', async () => {
    const version = await versionNow();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${version}`, accept);
    await create('tabled');
    const [line] = await watch.first(1);
    watch.close();
    assert.equal(line?.object.kind, 'Table');
    assert.equal(line?.object.rows[0].cells[0], 'tabled');
  });

  it('sends a Table with a row of nothing as a bookmark, as upstream', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const query = 'watch=true&allowWatchBookmarks=true&labelSelector=none%3Dsuch';
    const watch = await WatchClient.open(server, `${path}?${query}`, accept);
    const [line] = await watch.first(1);
    watch.close();
    const [{ cells, object }] = line!.object.rows;
    assert.deepEqual([line?.type, cells], ['BOOKMARK', ['', 0, '<unknown>']]);
    assert.deepEqual(object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
    assert.deepEqual(Object.keys(line?.object.metadata ?? {}), ['resourceVersion']);
  });

  it('sends whole objects to who asks for lists of metadata, since no event is a list', async () => {
    const version = await versionNow();
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${version}`, accept);
    await server.request('POST', path, { body: { ...configMap('whole'), data: { a: 'b' } } });
    const [line] = await watch.first(1);
    watch.close();
    assert.deepEqual([line?.object.kind, line?.object.data], ['ConfigMap', { a: 'b' }]);
  });

  it('sends protobuf frames when asked to', async () => {
    const version = await versionNow();
    const accept = 'application/vnd.kubernetes.protobuf;stream=watch';
    const query = `watch=true&resourceVersion=${version}&timeoutSeconds=1&allowWatchBookmarks=true`;
    const answering = server.request('GET', `${path}?${query}`, { accept });
    await create('framed');
    const { bytes, headers } = await answering;
    assert.equal(headers['content-type'], accept);
    const frames: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
      frames.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at)));
    }
    const read = frames.map((frame) => {
      const start = frame.indexOf('k8s\0');
      const { kind, metadata } = decodeProtobuf(frame.subarray(start)) as unknown as KubeObject;
      return `${frame.subarray(2, 2 + frame[1]!)} ${kind} ${metadata.name ?? ''}`;
    });
    assert.deepEqual(read, ['ADDED ConfigMap framed', 'BOOKMARK ConfigMap ']);
  });

  it('ends in order after timeoutSeconds, with a bookmark for those who take one', async () => {
    const watch = await WatchClient.open(
      server,
      `${path}?watch=true&resourceVersion=${await versionNow()}&timeoutSeconds=1&allowWatchBookmarks=true`,
    );
    await watch.end();
    assert.deepEqual(
      watch.lines.map(({ type }) => type),
      ['BOOKMARK'],
    );
    assert.equal(watch.response.complete, true);
  });

  it('tells 410 inside the stream when its version was compacted', async () => {
    const version = await versionNow();
    await create('compacted');
    await create('compacted-2');
    await store.compact(await store.revision());
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${version}`);
    const [line] = await watch.first(1);
    await watch.end();
    assert.equal(line?.type, 'ERROR');
    assert.equal(line?.object.code, 410);
    assert.equal(line?.object.reason, 'Expired');
    const list = await server.request('GET', `${path}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    assert.equal(list.status, 410);
  });

  it('refuses a version that has not happened', async () => {
    const { status, body } = await server.request('GET', `${path}?watch=true&resourceVersion=99999999`);
    assert.equal(status, 504);
    assert.equal(body.details.causes[0].reason, 'ResourceVersionTooLarge');
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=99999999&${initial}`);
    const [line] = await watch.first(1);
    watch.close();
    assert.deepEqual([line?.type, line?.object.code], ['ERROR', 504], 'told once it has not come');
  });

  it('whose client is torn off leaves nothing behind', async () => {
    const inFlight = async () => {
      const { text } = await server.request('GET', '/metrics');
      return Number(
        /^apiserver_longrunning_requests\{verb="WATCH",.*resource="configmaps".*\} (\d+)/m.exec(text)?.[1] ??
          0,
      );
    };
    const before = await inFlight();
    const watches = await Promise.all(
      Array.from({ length: 50 }, () => WatchClient.open(server, `${path}?watch=true`)),
    );
    assert.equal(await inFlight(), before + watches.length);
    await Promise.all(watches.map((watch) => watch.first(1)));
    for (const watch of watches) watch.response.socket.destroy();
    await create('after-the-tear');
    for (let tries = 0; (await inFlight()) > before && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(await inFlight(), before);
  });

  it('that nobody reads is ended with 410 rather than buffered without bound', async () => {
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${await versionNow()}`);
    watch.response.pause();
    const big = 'x'.repeat(900 * 1024);
    await create('big');
    const rounds = Math.ceil((limits.watchBufferBytesMax / big.length) * 2) + 8;
    for (let round = 0; round < rounds; round += 1) {
      await server.request('PUT', `${path}/big`, {
        body: configMap('big', {}, { big, round: String(round) }),
      });
    }
    watch.response.resume();
    await watch.end();
    const last = watch.lines.at(-1);
    assert.equal(last?.type, 'ERROR');
    assert.equal(last?.object.code, 410);
    assert.ok(watch.lines.length < rounds, 'it did not get everything');
    await server.request('DELETE', `${path}/big`);
  });
});

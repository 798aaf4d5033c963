/** Commands about several objects, of which one fails: the others have their turn. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { lastSeen } from '../src/commands/objects/events/columns.ts';
import { inProcess } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-several-'));
const objects = new Map<string, object>();
/** What was asked to change, as `DELETE b {"gracePeriodSeconds":1}`. */
let changes: string[] = [];
let eventSelectors: (string | null)[] = [];

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  answer(request, body, response);
});
const run = (line: string) =>
  inProcess([...line.split(' '), '--server', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);

before(async () => {
  process.env['KUBECONFIG'] = '/dev/null';
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  changes = [];
  eventSelectors = [];
  objects.clear();
  for (const name of ['a', 'b', 'b-2']) objects.set(name, configMap(name));
});

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid: name } });
const discovery = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      versions: [
        {
          version: 'v1',
          resources: [
            { resource: 'configmaps', scope: 'Namespaced', responseKind: { kind: 'ConfigMap' } },
            {
              ...{ resource: 'nodes', singularResource: 'node', scope: 'Cluster' },
              responseKind: { kind: 'Node' },
            },
          ],
        },
      ],
    },
  ],
};

function answer({ method = '', url = '' }: IncomingMessage, body: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://server');
  const send = (code: number, value: object) =>
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (pathname === '/api') return void send(200, discovery);
  if (pathname === '/apis') return void send(200, { kind: 'APIGroupDiscoveryList', items: [] });
  if (pathname.startsWith('/apis/')) return void response.writeHead(404).end('404 page not found');
  const [, name] = /^\/api\/v1\/(?:namespaces\/default\/configmaps|nodes)(?:\/(.+))?$/.exec(pathname) ?? [];
  if (pathname.endsWith('/events')) {
    eventSelectors.push(searchParams.get('fieldSelector'));
    return void send(200, { items: [] });
  }
  if (name === undefined) return void send(200, { kind: 'ConfigMapList', items: [...objects.values()] });
  if (method !== 'GET') changes.push(`${method} ${name}`);
  if (method === 'DELETE') changes.push(body);
  const refused = name === 'refused';
  const object = method === 'PATCH' && !refused ? configMap(name) : objects.get(name);
  if (method === 'DELETE') objects.delete(name);
  if (object) return void send(200, object);
  const reason = refused ? 'Forbidden' : 'NotFound';
  send(refused ? 403 : 404, {
    ...{ kind: 'Status', status: 'Failure', reason, code: refused ? 403 : 404 },
    message: `configmaps "${name}" ${reason}`,
  });
}

const notFound = 'Error from server (NotFound): configmaps "none" NotFound\n';

test('get shows those that are there, and says which is not', async () => {
  const table = await run('get configmap a none b');
  assert.deepEqual(table, {
    code: 1,
    stdout: 'NAME   AGE\na      <unknown>\nb      <unknown>\n',
    stderr: notFound,
  });
  assert.deepEqual(await run('get cm/none'), {
    ...{ code: 1, stdout: '' },
    stderr: `error: the server doesn't have a resource type "cm"; "wherry api-resources" lists what it has\n`,
  });
  assert.deepEqual(await run('get configmap none'), { code: 1, stdout: '', stderr: notFound });
  assert.deepEqual(await run('get configmap none --ignore-not-found'), { code: 0, stdout: '', stderr: '' });
  const names = await run('get configmap/a configmap/none configmap/b -o name');
  assert.deepEqual(names, { code: 1, stdout: 'configmap/a\nconfigmap/b\n', stderr: notFound });
});

test('-v=6 prints requests with their status, and nothing else prints any', async () => {
  const { stderr } = await run('get configmap a -v=6');
  const path = /127\.0\.0\.1:\d+\/api\/v1\/namespaces\/default\/configmaps\/a/.source;
  const line = `^"Response" verb="GET" url="${path}" status="200 OK" milliseconds=\\d+$`;
  assert.match(stderr, new RegExp(line, 'm'));
  const silent = await run('get configmap a -v=5');
  assert.deepEqual(silent, { code: 0, stdout: 'NAME   AGE\na      <unknown>\n', stderr: '' });
});

const namesIn = (text: string) => [...text.matchAll(/^Name: +(\S+)$/gm)].map(([, name]) => name);

test('describe takes the beginning of one name for those that begin with it', async () => {
  objects.delete('b');
  objects.set('b-3', configMap('b-3'));
  const { stdout, code } = await run('describe configmap b');
  assert.deepEqual([namesIn(stdout), code], [['b-2', 'b-3'], 0]);
  const several = await run('describe configmap none b-2 a');
  assert.deepEqual(namesIn(several.stdout), ['b-2', 'a']);
  assert.deepEqual([several.stderr, several.code], [notFound, 1]);
});

test('what was seen several times has since when', () => {
  const event = {
    ...{ metadata: {}, involvedObject: {}, count: 4 },
    ...{ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:06:00Z' },
  };
  const nowMs = Date.parse('2026-01-01T00:07:30Z');
  assert.equal(lastSeen(event, nowMs), '90s (x4 over 7m30s)');
  assert.equal(lastSeen({ ...event, count: 1 }, nowMs), '90s');
});

test('a node is described with the events that know its UID, and its kubelet’s, which give its name for it', async () => {
  objects.set('n', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u' } });
  await run('describe node n');
  const named = 'involvedObject.name=n,involvedObject.namespace=,involvedObject.kind=Node';
  assert.deepEqual(eventSelectors, [`${named},involvedObject.uid=u`, `${named},involvedObject.uid=n`]);
});

test('top says where a cluster has no metrics', async () => {
  for (const line of ['top nodes', 'top pods', 'top pod a']) {
    const { code, stderr } = await run(line);
    assert.deepEqual([code, stderr.split(';')[0]], [1, 'error: Metrics API not available'], line);
  }
});

test('delete takes away those that are there, and says which is not', async () => {
  const { stdout, stderr, code } = await run('delete configmap a none b');
  assert.equal(
    stdout,
    'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n',
  );
  assert.deepEqual([stderr, code], [notFound, 1]);
  assert.deepEqual([...objects.keys()], ['b-2']);
});

test('nothing but --force deletes without a second for what runs', async () => {
  await run('delete configmap a --grace-period=0 --wait=false');
  const { stderr } = await run('delete configmap b --force');
  assert.deepEqual(
    changes.filter((change) => change.startsWith('{')).map((body) => JSON.parse(body).gracePeriodSeconds),
    [1, 0],
  );
  assert.match(stderr, /^Warning: Immediate deletion does not wait/);
});

test('delete -f takes no object from another namespace than --namespace says', async () => {
  const path = join(folder, 'elsewhere.yaml');
  writeFileSync(path, JSON.stringify({ ...configMap('a'), metadata: { name: 'a', namespace: 'default' } }));
  const { stderr } = await run(`delete -f ${path} -n other`);
  assert.match(stderr, /elsewhere\.yaml:1: the namespace from the provided object "default" does not match/);
  assert.deepEqual(changes, []);
});

test('apply goes on behind an object that is refused, and then prints no objects', async () => {
  const path = join(folder, 'three.yaml');
  writeFileSync(
    path,
    ['one', 'refused', 'two'].map((name) => JSON.stringify(configMap(name))).join('\n---\n'),
  );
  const applied = await run(`apply -f ${path}`);
  assert.equal(applied.stdout, 'configmap/one created\nconfigmap/two created\n');
  assert.match(applied.stderr, /^Error from server \(Forbidden\): .*three\.yaml:3: configmaps "refused"/);
  assert.equal(applied.code, 1);
  const { stdout } = await run(`apply -f ${path} -o yaml`);
  assert.equal(stdout, '');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiscoveredResource, KubeObject } from '@wherry/client';
import type { Event, Pod } from '@wherry/kubeapi/types';
import type { Session, SessionEnd, SessionHop, SessionList, SessionStream } from '@wherry/telemetry';
import { conditionRows, nodeTroubles, troubleText } from './conditions.ts';
import { listedKinds } from './kinds.ts';
import { objectHref, referenceHref } from './links.ts';
import { lists } from './lists.ts';
import { podsOf, withoutManagedFields } from './object.ts';
import { outcomeOf, outcomeText } from './outcome.ts';
import { containersGiven } from './pod/container-given.ts';
import { containerNames, podDetails } from './pod/pod.ts';
import { usageTexts } from './pod/usage.ts';
import { formatRoute, parseRoute, type Route } from './route.ts';
import { tableOfServer } from './server-table.ts';
import { filteredSessions, sessionRows } from './sessions.ts';
import { sizeText } from './sizes.ts';
import { countText, tableOf } from './table.ts';
import { toggledTone } from './tones.ts';

const nowMs = Date.parse('2026-11-25T12:00:00Z');
const pod = (name: string, more: Partial<Pod> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, creationTimestamp: '2026-11-25T11:59:00Z' },
  spec: { nodeName: 'one', containers: [{ name: 'main', image: 'app:1' }] },
  status: { phase: 'Running' },
  ...more,
});
const waiting = (reason: string, message: string): Partial<Pod> => ({
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodReadyToStartContainers', status: 'True' }],
    containerStatuses: [
      ...[{ name: 'main', image: 'app:1', imageID: '', ready: false, restartCount: 2 }].map((one) => ({
        ...one,
        state: { waiting: { reason, message } },
        lastState: {
          terminated: { exitCode: 3, reason: 'Error', finishedAt: '2026-11-25T11:59:30Z' },
        },
      })),
    ],
  },
});

describe('a list', () => {
  const options = { nowMs, showsNamespace: true, filter: '' };

  it('has the columns of kubectl, a link, and the reason why a pod waits', () => {
    const objects = [pod('web'), pod('bad', waiting('ImagePullBackOff', 'no such image'))];
    const { columns, rows, nameColumn } = tableOf(lists.pods, { ...options, objects });
    assert.deepEqual(columns, ['Namespace', 'Name', 'Ready', 'Status', 'Restarts', 'Age', 'Node']);
    assert.equal(nameColumn, 1);
    const [bad, web] = rows;
    assert.deepEqual(web?.cells, ['default', 'web', '0/1', 'Running', '0', '60s', 'one']);
    assert.equal(web?.href, '#/pod/default/web/overview');
    assert.equal(bad?.cells[3], 'ImagePullBackOff');
    assert.equal(bad?.tone, 'bad');
    assert.equal(bad?.note, 'waits for image of container main: ImagePullBackOff: no such image');
  });

  it('counts its rows by how they are, and shows those alone that a filter asks for', () => {
    const objects = [pod('web'), pod('bad', waiting('ImagePullBackOff', 'no such image'))];
    const { tones, rows } = tableOf(lists.pods, {
      ...options,
      objects,
      filter: toggledTone('', 'is:failing'),
    });
    assert.deepEqual(
      [...tones],
      [
        ['bad', 1],
        ['waiting', 1],
      ],
    );
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['bad'],
    );
    assert.equal(toggledTone('is:failing web', 'is:failing'), 'web');
    assert.equal(toggledTone('is:failing web', 'is:well'), 'is:well web');
  });

  it('says of a pod that has failed, or runs again, how its container ended', () => {
    const terminated = { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-25T11:59:30Z' };
    const container = { name: 'main', image: '', imageID: '', ready: true, restartCount: 1 };
    const running = { state: { running: {} }, lastState: { terminated } };
    const conditions = [{ type: 'Ready', status: 'True' }];
    const again = pod('again', {
      status: { phase: 'Running', conditions, containerStatuses: [{ ...container, ...running }] },
    });
    const failed = pod('failed', {
      status: { phase: 'Failed', containerStatuses: [{ ...container, state: { terminated } }] },
    });
    const notes = tableOf(lists.pods, { ...options, objects: [again, failed] }).rows.map(({ note }) => note);
    assert.deepEqual(notes, [
      'container main was restarted once; the last time it ended with exit code 137 (OOMKilled)',
      'container main ended with exit code 137 (OOMKilled)',
    ]);
    const later = { ...options, objects: [again], nowMs: nowMs + 3_600_000 };
    assert.equal(tableOf(lists.pods, later).rows[0]?.note, undefined);
  });

  it('is filtered by words in any case, and shown page by page', () => {
    const objects = Array.from({ length: 700 }, (_, index) => pod(`web-${index}`));
    const whole = tableOf(lists.pods, { ...options, objects });
    assert.deepEqual([whole.rows.length, whole.found, whole.total, whole.pageCount], [200, 700, 700, 4]);
    assert.equal(countText(whole), '700 in all');
    assert.equal(countText({ found: 3, total: 700, unread: 0 }), '3 that fit the filter, of 700');
    assert.equal(countText({ found: 500, total: 700, unread: 200 }), 'the first 500 of 700 in all');
    for (const asked of [4, 9]) {
      const last = tableOf(lists.pods, { ...options, objects, pageNumber: asked });
      assert.deepEqual([last.rows.length, last.pageNumber], [100, 4]);
    }
    const some = tableOf(lists.pods, { ...options, objects, filter: 'WEB-69 running' });
    assert.deepEqual([some.rows.length, some.total], [11, 700]);
  });

  it('has the newest events first', () => {
    const event = (name: string, lastTimestamp: string): Event => ({
      ...{ metadata: { name, uid: name }, involvedObject: { kind: 'Pod', name: 'web' }, lastTimestamp },
      ...{ reason: name, type: 'Warning' },
    });
    const objects = [event('old', '2026-11-25T11:00:00Z'), event('new', '2026-11-25T11:30:00Z')];
    const { rows } = tableOf(lists.events, { ...options, showsNamespace: false, objects });
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['new', 'old'],
    );
    assert.equal(rows[0]?.tone, 'bad');
  });

  it('calls events that warn warnings, and finds them so', () => {
    const event = { ...{ metadata: { name: 'one' }, involvedObject: {} }, type: 'Warning' } satisfies Event;
    const shown = (filter: string) =>
      tableOf(lists.events, { ...options, objects: [event], filter }).rows.length;
    assert.deepEqual([shown('is:warnings'), shown('is:failing')], [1, 0]);
  });
});

it('a pod tells of its containers how they are and how they ended before', () => {
  const sight = { events: [], nowMs, resources: [] };
  const { containers, troubles, tone } = podDetails(
    pod('bad', waiting('CrashLoopBackOff', 'back-off')),
    sight,
  );
  assert.equal(containers[0]?.state, 'waiting: CrashLoopBackOff');
  assert.equal(containers[0]?.last, 'ended with exit code 3 (Error), 30s ago');
  assert.deepEqual([tone, containers[0]?.tone], ['bad', 'bad']);
  assert.deepEqual(containers[0]?.ended, { previous: false });
  assert.deepEqual(troubles, [
    'It waits for container main: CrashLoopBackOff: it ended with exit code 3 (Error); back-off',
  ]);
  assert.deepEqual(containerNames(pod('web')), ['main']);
});

it('a container tells what it was given, and of secrets their names alone', () => {
  const web = pod('web');
  web.spec.volumes = [{ name: 'conf', configMap: { name: 'settings' } }];
  web.spec.containers = [
    {
      ...{ name: 'main', command: ['/bin/api', 'a b'], ports: [{ containerPort: 80, name: 'http' }] },
      env: [
        { name: 'MODE', value: 'fast' },
        { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      ],
      volumeMounts: [{ name: 'conf', mountPath: '/etc/conf', readOnly: true }],
      resources: { limits: { memory: '64Mi' } },
      readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5 },
      securityContext: { capabilities: { drop: ['ALL'] } },
    },
  ];
  assert.deepEqual(containersGiven(web)[0]?.given, [
    ['Command', ['/bin/api "a b"']],
    ['Ports', ['80/TCP http']],
    ['Limits', ['memory 64Mi']],
    ['Environment', ['MODE=fast', 'PASSWORD from key password of secret db']],
    ['Mounts', ['/etc/conf: config map settings, read only']],
    ['Readiness probe', ['connection to port 80, every 5 s; 1 s to answer, 3 failures in a row count']],
    ['Security', ['capabilities.drop: ALL']],
  ]);
});

it('what a container uses is told beside its limit', () => {
  const web = pod('web');
  web.spec.containers = [{ name: 'main', resources: { limits: { memory: '64Mi' } } }];
  const metrics = { containers: [{ name: 'main', usage: { cpu: '3012345n', memory: '1024Ki' } }] };
  assert.deepEqual([...usageTexts(metrics, web)], [['main', 'CPU 0.003, memory 1.0 MiB of 64.0 MiB']]);
  assert.deepEqual([...usageTexts(undefined, web)], []);
});

it('conditions are trouble where they are True, or where they are not, by their kind', () => {
  const condition = (type: string, status: string, message = '') => ({ type, status, message });
  const object = (...conditions: object[]): KubeObject => ({ status: { conditions } }) as KubeObject;
  const node = object(condition('Ready', 'True'), condition('MemoryPressure', 'True', 'no memory'));
  assert.equal(troubleText(node, nodeTroubles), 'MemoryPressure: no memory');
  const tones = conditionRows(node, { nowMs, isBad: nodeTroubles }).map(({ tone }) => tone);
  assert.deepEqual(tones, ['good', 'bad']);
  const job = object(condition('Complete', 'False'), condition('Failed', 'False'));
  assert.deepEqual(
    conditionRows(job, { nowMs }).map(({ tone }) => tone),
    ['waiting', 'good'],
  );
  assert.deepEqual(conditionRows({ status: { conditions: 'odd' } } as KubeObject, { nowMs }), []);
});

it('what an object names is a link where the server has such a kind, but for secrets', () => {
  const about = { singular: '', shortNames: [], categories: [], verbs: ['list'] };
  const resources: DiscoveredResource[] = [
    { ...about, group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', namespaced: true },
    { ...about, group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
    { ...about, group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false },
  ];
  const href = (apiVersion: string, kind: string) =>
    referenceHref(resources, { apiVersion, kind, namespace: 'default', name: 'a' });
  assert.equal(href('apps/v1', 'ReplicaSet'), '#/object/apps/v1/replicasets/a?namespace=default');
  assert.equal(href('v1', 'Node'), '#/object/v1/nodes/a');
  assert.equal(href('v1', 'Secret'), undefined);
  assert.equal(href('example.com/v1', 'ReplicaSet'), undefined);
});

it('an address leads back to where it was made, and nowhere when it is none', () => {
  const routes: Route[] = [
    { page: 'list', list: 'pods', namespace: 'team', filter: 'is:failing', pageNumber: 12 },
    { page: 'objects', resource: { group: '', version: 'v1', plural: 'pods' }, namespace: '', pageNumber: 2 },
    { page: 'list', list: 'pods', namespace: 'a b' },
    { page: 'pod', namespace: 'default', name: 'web', tab: 'logs', container: 'main' },
    { page: 'pod', namespace: 'default', name: 'web', tab: 'logs', container: 'main', previous: true },
    { page: 'list', list: 'pods', namespace: '', filter: 'is:failing web&x=1' },
    { page: 'sessions', filter: 'stalled' },
    { page: 'sessions' },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(formatRoute(route)), route);
  for (const hash of ['', '#/', '#/pod/default', '#/pod/default/web/other', '#/sessions/x', '#/pods/x'])
    assert.equal(parseRoute(hash), undefined, hash);
});

it('a session that nobody has ended is told as broken, and one that was not begun as not run', () => {
  const error = (code: string) => Object.assign(new Error('why'), { code });
  assert.equal(outcomeOf(error('connectionLost'), true).kind, 'broken');
  assert.equal(outcomeOf(error('missingStatus'), true).kind, 'broken');
  assert.equal(outcomeOf(error('failure'), true).kind, 'refused');
  assert.equal(outcomeOf(error('unreachable'), false).kind, 'refused');
  assert.equal(outcomeOf(error('aborted'), true).kind, 'closed');
  assert.match(
    outcomeText(outcomeOf(error('connectionLost'), true)),
    /nobody has said how the command ended: why/,
  );
  assert.equal(outcomeText({ kind: 'exited', exitCode: 7 }), 'the command ended with exit code 7');
});

describe('sessions', () => {
  const rowsOf = (hops: SessionList[], before: SessionList[] = []) =>
    sessionRows({ hops, before, unseen: [] });
  const at = (hop: SessionHop, seconds: number, bytes: number, more: Partial<Session> = {}): SessionList => ({
    kind: 'SessionList',
    ...{ hop, time: `2026-11-25T12:00:0${seconds}.000Z`, ...(hop === 'apiserver' ? {} : { node: 'one' }) },
    items: [
      {
        ...{ id: 's', key: '1', kind: 'exec', state: 'open', startTime: '2026-11-25T12:00:00Z' },
        ...{ namespace: 'default', pod: 'web', openTime: '2026-11-25T12:00:00Z', command: ['sh', '-c', 'x'] },
        client: { protocol: 'WebSocket v5.channel.k8s.io', address: '127.0.0.1:5' },
        streams: [{ name: 'stdout', down: { bytes } }],
        ...more,
      },
    ],
  });

  it('are joined by their ids, hop by hop, with rates and what they wait for', () => {
    const held = { heldBytes: 2048, waitsFor: 'client', waitingSince: '2026-11-25T12:00:01Z' } as const;
    const streams: SessionStream[] = [
      { name: 'stdout', down: { bytes: 8192, ...held } },
      { name: 'stderr', down: { bytes: 0, heldBytes: 2048 } },
    ];
    const kubelet = at('kubelet', 4, 8192, { streams });
    const before = [at('kubelet', 2, 4096), at('apiserver', 2, 4096)];
    const [row, ...more] = rowsOf([kubelet, at('apiserver', 4, 6144)], before);
    assert.deepEqual(more, []);
    assert.equal(row?.target, 'default/web');
    assert.equal(row?.what, 'sh -c x');
    assert.deepEqual([row?.state, row?.tone], ['open for 4 s', 'waiting']);
    assert.deepEqual(
      row?.hops.map(({ hop, down }) => [hop, down.bytes, down.rate, down.wait]),
      [
        ['API server', '6.0 KiB', '1.0 KiB/s', ''],
        ['kubelet of one', '8.0 KiB', '2.0 KiB/s', 'waits 3 s for the API server; 2.0 KiB held'],
      ],
    );
    assert.equal(row?.wait, 'the kubelet of one waits for the API server, for 3 s');
    assert.equal(row?.href, '#/pod/default/web/overview');
    const filtered = (filter: string) => filteredSessions(row ? [row] : [], filter).length;
    assert.deepEqual(['sh -c', 'is:held-up', 'is:ended', 'kubelet'].map(filtered), [1, 1, 0, 1]);
  });

  it('have a row for each hop that is not seen, with why', () => {
    const unseen = [{ hop: 'streaming-server', node: 'one', reason: 'elsewhere' }] as const;
    const both = [at('apiserver', 1, 0), at('kubelet', 1, 0)];
    const [row] = sessionRows({ hops: both, before: [], unseen });
    assert.deepEqual(row?.unseen, [{ hop: 'streaming server of one', reason: 'elsewhere' }]);
    const [whole] = rowsOf([...both, at('streaming-server', 1, 0)]);
    assert.deepEqual([whole?.hops.length, whole?.unseen], [3, []]);
  });

  it('tell of each port how many connections it has had, and which numbers count frames', () => {
    const port = { name: 'port', port: 8080, connections: { open: 1, total: 3, failed: 2 } } as const;
    const whole = at('apiserver', 1, 0, {
      kind: 'portforward',
      streams: [{ name: 'connection', up: { bytes: 9 } }],
    });
    const [row] = rowsOf([whole, at('streaming-server', 1, 0, { kind: 'portforward', streams: [port] })]);
    assert.equal(row?.kind, 'port-forward');
    assert.deepEqual(
      row?.hops.map(({ isWhole, ports }) => [isWhole, ...ports]),
      [[true], [false, 'port 8080: 1 of 3 connections open, 2 failed']],
    );
  });

  it('that are not joined yet have sides that speak nothing', () => {
    const sides = { client: { address: '127.0.0.1:5' }, backend: { address: '127.0.0.1:6' } };
    const [row] = rowsOf([at('apiserver', 1, 0, { state: 'connecting', ...sides })]);
    assert.deepEqual([row?.hops[0]?.from, row?.hops[0]?.to], ['127.0.0.1:5', '127.0.0.1:6']);
  });

  it('that have ended stand last, with how', () => {
    const streams: SessionStream[] = [{ name: 'stdout', down: { bytes: 1, waitsFor: 'client' } }];
    const time = '2026-11-25T12:00:01Z';
    const end: SessionEnd = { time, reason: 'broken', by: 'client' };
    const over = at('apiserver', 5, 0, { id: 'o', state: 'ended', end, streams });
    const well: SessionEnd = { time, reason: 'exited', exitCode: 0 };
    const exited = at('kubelet', 5, 0, { id: 'e', state: 'ended', end: well });
    const rows = rowsOf([over, exited, at('apiserver', 5, 0)]);
    assert.deepEqual(
      rows.map(({ state, tone }) => [state, tone]),
      [
        ['open for 5 s', 'good'],
        ['broken by the client', 'bad'],
        ['ended with exit code 0', 'over'],
      ],
    );
    assert.equal(rows[1]?.hops[0]?.down.wait, '');
    assert.deepEqual([0, 512, 1024, 1_572_864].map(sizeText), ['0 B', '512 B', '1.0 KiB', '1.5 MiB']);
  });
});

describe('any kind', () => {
  const found = (group: string, plural: string, kind: string, version = 'v1', verbs = ['list']) => ({
    ...{ group, version, plural, kind, verbs, namespaced: true },
    ...{ singular: '', shortNames: [], categories: [] },
  });

  it('is shown in the version that its server prefers, secrets and what can not be listed are not', () => {
    const groups = listedKinds([
      ...[found('', 'secrets', 'Secret'), found('', 'configmaps', 'ConfigMap')],
      ...[found('example.com', 'widgets', 'Widget', 'v2'), found('example.com', 'widgets', 'Widget')],
      ...[found('', 'bindings', 'Binding', 'v1', ['create']), found('events.k8s.io', 'events', 'Event')],
    ]);
    const shown = groups.map(({ title, kinds }) => [
      title,
      ...kinds.map((one) => `${one.kind} ${one.version}`),
    ]);
    assert.deepEqual(shown, [
      ['core', 'ConfigMap v1'],
      ['example.com', 'Widget v2'],
    ]);
  });

  it('is listed by the columns of its server, with ages as of now and a link to each', () => {
    const metadata = { name: 'one', namespace: 'default', creationTimestamp: '2026-11-25T11:00:00Z' };
    const columnDefinitions = [
      { name: 'Name' },
      { name: 'Size' },
      { name: 'Wide', priority: 1 },
      { name: 'Age' },
    ];
    const rows = [{ cells: ['one', 3, 'x', '5s'], object: { metadata } }];
    const resource = { group: 'example.com', version: 'v2', plural: 'widgets' };
    const table = tableOfServer(
      { kind: 'Table', columnDefinitions, rows, metadata: { remainingItemCount: 7 } },
      { nowMs, showsNamespace: true, filter: '', hrefOf: (object) => objectHref(resource, object) },
    );
    assert.deepEqual(table.columns, ['Namespace', 'Name', 'Size', 'Age']);
    assert.deepEqual(table.rows[0]?.cells, ['default', 'one', '3', '60m']);
    assert.equal(table.rows[0]?.href, '#/object/example.com/v2/widgets/one?namespace=default');
    assert.deepEqual([table.total, table.nameColumn], [8, 1]);
  });

  it('has the pods that it selects, and a node those on it', () => {
    const spec = (selector: object) => ({ metadata: { name: 'web' }, spec: { selector } });
    assert.deepEqual(podsOf({ kind: 'Deployment', ...spec({ matchLabels: { app: 'web' } }) }), {
      labelSelector: 'app=web',
    });
    assert.deepEqual(podsOf({ kind: 'Service', ...spec({ app: 'web' }) }), { labelSelector: 'app=web' });
    assert.deepEqual(podsOf({ kind: 'Node', ...spec({}) }), { fieldSelector: 'spec.nodeName=web' });
    assert.equal(podsOf({ kind: 'Service', metadata: { name: 'web' }, spec: {} } as KubeObject), undefined);
  });

  it('is written without who manages its fields', () => {
    const yaml = [
      ...['metadata:', '  managedFields:', '  - apiVersion: v1', '    fieldsV1:', '      f:data: {}'],
      ...['  - manager: two', '  name: one', 'data:', '  managedFields: mine', ''],
    ];
    assert.equal(
      withoutManagedFields(yaml.join('\n')),
      ['metadata:', '  name: one', 'data:', '  managedFields: mine', ''].join('\n'),
    );
  });
});

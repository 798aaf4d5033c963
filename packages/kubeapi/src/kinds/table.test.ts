import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { humanDuration } from '../table/human-duration.ts';
import type { Cell } from '../table/printer.ts';
import { tableFor } from './table.ts';

const nowMs = Date.parse('2024-01-01T01:00:00Z');
const metadata = { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' };

/** Cells by the column's name. */
function row(group: string, kind: string, object: object): Record<string, Cell> {
  const table = tableFor({ gvk: { group, version: 'v1', kind }, objects: [object], nowMs });
  const { cells } = table.rows[0]!;
  assert.equal(cells.length, table.columnDefinitions.length);
  return Object.fromEntries(table.columnDefinitions.map(({ name }, at) => [name, cells[at] as Cell]));
}

const status = (name: string, state: object, more: object = {}) => ({
  ...{ name, state, ready: false, restartCount: 0, image: '', imageID: '' },
  ...more,
});
const running = { running: { startedAt: '2024-01-01T00:00:00Z' } };

describe('the row of a pod', () => {
  const containers = [{ name: 'c' }, { name: 'd' }];
  const pod = (podStatus: object, spec: object = {}, more: object = {}) =>
    row('', 'Pod', { metadata: { ...metadata, ...more }, spec: { containers, ...spec }, status: podStatus });

  it('counts ready containers and restarts', () => {
    const terminated = { exitCode: 1, finishedAt: '2024-01-01T00:58:00Z' };
    const cells = pod({
      phase: 'Running',
      podIPs: [{ ip: '10.0.0.1' }],
      containerStatuses: [
        status('c', running, { ready: true, restartCount: 3, lastState: { terminated } }),
        status('d', running),
      ],
    });
    assert.equal(cells['Ready'], '1/2');
    assert.equal(cells['Status'], 'Running');
    assert.equal(cells['Restarts'], '3 (2m ago)');
    assert.equal(cells['Age'], '60m');
    assert.equal(cells['IP'], '10.0.0.1');
    assert.equal(cells['Node'], '<none>');
  });

  const words: [name: string, podStatus: object, spec: object, more: object, expected: string][] = [
    ['a pending pod', { phase: 'Pending' }, {}, {}, 'Pending'],
    ['a pod that is going', { phase: 'Running' }, {}, { deletionTimestamp: 'x' }, 'Terminating'],
    ['a pod that is going and done', { phase: 'Succeeded' }, {}, { deletionTimestamp: 'x' }, 'Succeeded'],
    [
      'an image that cannot be had',
      { phase: 'Pending', containerStatuses: [status('c', { waiting: { reason: 'ImagePullBackOff' } })] },
      {},
      {},
      'ImagePullBackOff',
    ],
    [
      'an end without reason',
      { phase: 'Failed', containerStatuses: [status('c', { terminated: { exitCode: 3 } })] },
      {},
      {},
      'ExitCode:3',
    ],
    [
      'an end by signal',
      { phase: 'Failed', containerStatuses: [status('c', { terminated: { exitCode: 137, signal: 9 } })] },
      {},
      {},
      'Signal:9',
    ],
    [
      'an init container at work',
      { phase: 'Pending', initContainerStatuses: [status('i', running)] },
      { initContainers: [{ name: 'i' }, { name: 'j' }] },
      {},
      'Init:0/2',
    ],
    [
      'an init container that failed',
      {
        phase: 'Pending',
        initContainerStatuses: [status('i', { terminated: { exitCode: 1, reason: 'Error' } })],
      },
      { initContainers: [{ name: 'i' }] },
      {},
      'Init:Error',
    ],
    [
      'one done, one not ready',
      {
        phase: 'Running',
        containerStatuses: [
          status('c', { terminated: { exitCode: 0, reason: 'Completed' } }),
          status('d', running, { ready: true }),
        ],
      },
      {},
      {},
      'NotReady',
    ],
    [
      'a gated pod',
      {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
      {},
      {},
      'SchedulingGated',
    ],
  ];
  for (const [name, podStatus, spec, more, expected] of words) {
    it(`says ${expected} of ${name}`, () => assert.equal(pod(podStatus, spec, more)['Status'], expected));
  }

  it('marks pods that are over', () => {
    const gvk = { group: '', version: 'v1', kind: 'Pod' };
    const over = { metadata, spec: { containers: [] }, status: { phase: 'Succeeded' } };
    const [only] = tableFor({ gvk, objects: [over], nowMs }).rows;
    assert.equal(only!.conditions?.[0]?.reason, 'Succeeded');
  });
});

describe('the rows of other kinds', () => {
  it('show a node', () => {
    const cells = row('', 'Node', {
      metadata: { ...metadata, labels: { 'node-role.kubernetes.io/control-plane': '' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        nodeInfo: { kubeletVersion: 'v1.36.2', kernelVersion: '6.18', architecture: 'amd64' },
      },
    });
    assert.equal(cells['Status'], 'Ready,SchedulingDisabled');
    assert.equal(cells['Roles'], 'control-plane');
    assert.equal(cells['Version'], 'v1.36.2');
    assert.equal(cells['Kernel-Version'], '6.18 (amd64)');
    assert.equal(cells['External-IP'], '<none>');
  });

  it('show a service', () => {
    const ports = [
      { port: 80, protocol: 'TCP' },
      { port: 443, nodePort: 30443, protocol: 'TCP' },
    ];
    const cells = row('', 'Service', {
      metadata,
      spec: { type: 'LoadBalancer', clusterIP: '10.1.0.1', ports, selector: { b: '2', a: '1' } },
    });
    assert.equal(cells['Cluster-IP'], '10.1.0.1');
    assert.equal(cells['External-IP'], '<pending>');
    assert.equal(cells['Port(s)'], '80/TCP,443:30443/TCP');
    assert.equal(cells['Selector'], 'a=1,b=2');
  });

  it('show events of both groups alike', () => {
    const target = { kind: 'Pod', name: 'p' };
    const core = {
      metadata,
      involvedObject: target,
      reason: 'Started',
      message: ' m ',
      type: 'Normal',
      count: 2,
      lastTimestamp: '2024-01-01T00:59:30Z',
      source: { component: 'kubelet', host: 'n' },
    };
    const newer = {
      metadata,
      regarding: target,
      reason: 'Started',
      note: ' m ',
      type: 'Normal',
      deprecatedCount: 2,
      deprecatedLastTimestamp: '2024-01-01T00:59:30Z',
      deprecatedSource: { component: 'kubelet', host: 'n' },
    };
    const cells = row('', 'Event', core);
    assert.deepEqual(row('events.k8s.io', 'Event', newer), cells);
    assert.equal(cells['Last Seen'], '30s');
    assert.equal(cells['Object'], 'pod/p');
    assert.equal(cells['Source'], 'kubelet, n');
    assert.equal(cells['Message'], 'm');
    assert.equal(cells['Count'], 2);
  });

  it('show a deployment', () => {
    const spec = {
      replicas: 3,
      selector: { matchLabels: { a: '1' } },
      template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    const cells = row('apps', 'Deployment', { metadata, spec, status: { readyReplicas: 2 } });
    assert.equal(cells['Ready'], '2/3');
    assert.equal(cells['Images'], 'i');
    assert.equal(cells['Selector'], 'a=1');
  });

  it('show three endpoints and count the rest', () => {
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', 'fd00::1'].map((ip) => ({ ip }));
    const cells = row('', 'Endpoints', { metadata, subsets: [{ addresses, ports: [{ port: 80 }] }] });
    assert.equal(cells['Endpoints'], '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...');
  });

  it('show storage', () => {
    const claim = row('', 'PersistentVolumeClaim', {
      metadata,
      spec: { volumeName: 'v', storageClassName: 'fast', volumeMode: 'Filesystem' },
      status: {
        phase: 'Bound',
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        capacity: { storage: '1Gi' },
      },
    });
    assert.equal(claim['Access Modes'], 'RWO,RWX');
    assert.equal(claim['Capacity'], '1Gi');
    const driver = row('storage.k8s.io', 'CSIDriver', { metadata, spec: { attachRequired: false } });
    assert.equal(driver['AttachRequired'], false);
    assert.equal(driver['TokenRequests'], '<unset>');
    assert.equal(row('storage.k8s.io', 'CSINode', { metadata, spec: { drivers: [{}] } })['Drivers'], 1);
  });

  it('show ingresses and quotas', () => {
    const rules = ['a', 'b', 'c', 'd'].map((host) => ({ host }));
    const ingress = row('networking.k8s.io', 'Ingress', { metadata, spec: { rules, tls: [{}] } });
    assert.equal(ingress['Hosts'], 'a,b,c + 1 more...');
    assert.equal(ingress['Ports'], '80, 443');
    const status = { hard: { pods: '2', 'limits.cpu': '1' }, used: { pods: '1', 'limits.cpu': '500m' } };
    const quota = row('', 'ResourceQuota', { metadata, status });
    assert.equal(quota['Request'], 'pods: 1/2');
    assert.equal(quota['Limit'], 'limits.cpu: 500m/1');
  });

  it('show name and creation of kinds without columns of their own', () => {
    assert.deepEqual(row('', 'LimitRange', { metadata }), {
      Name: 'a',
      'Created At': '2024-01-01T00:00:00Z',
    });
  });
});

describe('a table', () => {
  const gvk = { group: '', version: 'v1', kind: 'ConfigMap' };
  const objects = [{ metadata, data: { a: '1' } }];

  it('carries metadata, the whole object or nothing beside the cells', () => {
    const shown = (includeObject: 'None' | 'Metadata' | 'Object') =>
      tableFor({ gvk, objects, nowMs, includeObject }).rows[0]!.object;
    assert.deepEqual(shown('Metadata'), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
    });
    assert.equal(shown('Object'), objects[0]);
    assert.equal(shown('None'), undefined);
  });

  it('leaves the columns out of later events of a watch', () => {
    assert.deepEqual(tableFor({ gvk, objects, nowMs, withColumns: false }).columnDefinitions, []);
  });

  it('counts ages as kubectl does', () => {
    const ages: [seconds: number, text: string][] = [
      [-5, '<invalid>'],
      [0, '0s'],
      [119, '119s'],
      [130, '2m10s'],
      [3600, '60m'],
      [4 * 3600 + 60, '4h1m'],
      [50 * 3600, '2d2h'],
      [30 * 86400, '30d'],
      [3 * 365 * 86400, '3y'],
    ];
    for (const [seconds, text] of ages) assert.equal(humanDuration(seconds * 1000), text);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EndpointSlice, Endpoints, Node, Pod, Service } from '@wherry/kubeapi';
import { planSlices } from './endpoint-slices.ts';
import { endpointsOf } from './endpoint-subsets.ts';
import { planMirror } from './mirrored-slices.ts';

const metadata = { name: 'web', namespace: 'default', uid: 'web-1' };
const nodes = new Map([['node-1', { metadata: { name: 'node-1' } } as Node]]);
const pod: Pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', namespace: 'default', uid: 'pod-1' } },
  spec: { nodeName: 'node-1', containers: [] },
  status: { podIP: '10.88.0.4', podIPs: [{ ip: '10.88.0.4' }, { ip: 'fd00:88::4' }] },
};
const service = (...ipFamilies: ('IPv4' | 'IPv6')[]): Service => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata },
  spec: { clusterIP: 'None', ipFamilies, selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
});
const shown = (slices: readonly EndpointSlice[]) =>
  slices.map(({ addressType, endpoints }) => [
    addressType,
    ...(endpoints ?? []).flatMap(({ addresses }) => addresses),
  ]);
const plan = (of: Service, slices: readonly EndpointSlice[]) =>
  planSlices(of, { pods: [pod], nodes, slices });

describe('slices of a service', () => {
  it('are of its families, each with the addresses that are', () => {
    const { create } = plan(service('IPv4', 'IPv6'), []);
    assert.deepEqual(shown(create), [
      ['IPv4', '10.88.0.4'],
      ['IPv6', 'fd00:88::4'],
    ]);
    assert.deepEqual(shown(plan(service('IPv6'), []).create), [['IPv6', 'fd00:88::4']]);
  });

  it('come and go with its families, and the others stay', () => {
    const both = plan(service('IPv4', 'IPv6'), []).create;
    const fewer = plan(service('IPv4'), both);
    assert.deepEqual([fewer.create, fewer.update, shown(fewer.remove)], [[], [], [['IPv6', 'fd00:88::4']]]);
    const more = plan(service('IPv4', 'IPv6'), both.slice(0, 1));
    assert.deepEqual([shown(more.create), more.update, more.remove], [[['IPv6', 'fd00:88::4']], [], []]);
  });

  it('say for whom endpoints are, where the service prefers those that are close', () => {
    const zoned = {
      metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'a' } },
    } as unknown as Node;
    const isReady = { type: 'Ready', status: 'True' as const };
    const hints = (trafficDistribution: string | undefined, { node = zoned, ready = true } = {}) => {
      const { spec, ...rest } = service('IPv4');
      const of = { ...rest, spec: { ...spec, ...(trafficDistribution ? { trafficDistribution } : {}) } };
      const status = { ...pod.status, conditions: ready ? [isReady] : [] };
      const facts = { pods: [{ ...pod, status }], nodes: new Map([['node-1', node]]), slices: [] };
      return planSlices(of, facts).create[0]?.endpoints?.[0]?.hints;
    };
    const [forZones, forNodes] = [[{ name: 'a' }], [{ name: 'node-1' }]];
    assert.deepEqual(hints('PreferClose'), { forZones });
    assert.deepEqual(hints('PreferSameZone'), { forZones });
    assert.deepEqual(hints('PreferSameNode'), { forZones, forNodes });
    assert.equal(hints(undefined), undefined);
    assert.equal(hints('PreferSameNode', { ready: false }), undefined);
    const nowhere = nodes.get('node-1')!;
    assert.equal(hints('PreferSameZone', { node: nowhere }), undefined);
    assert.deepEqual(hints('PreferSameNode', { node: nowhere }), { forNodes });
  });

  it('change when the service prefers others', () => {
    const near = {
      ...service('IPv4'),
      spec: { ...service('IPv4').spec, trafficDistribution: 'PreferSameNode' },
    };
    const ready = {
      ...pod,
      status: { ...pod.status, conditions: [{ type: 'Ready', status: 'True' as const }] },
    };
    const facts = { pods: [ready], nodes };
    const before = planSlices(near, { ...facts, slices: [] }).create;
    const { create, update, remove } = planSlices(service('IPv4'), { ...facts, slices: before });
    assert.deepEqual(
      [create, remove, update.map(({ endpoints }) => endpoints?.[0]?.hints)],
      [[], [], [undefined]],
    );
    assert.deepEqual(planSlices(near, { ...facts, slices: before }).update, []);
  });

  it('that mirror Endpoints are of the families that these have', () => {
    const ports = [{ port: 80, protocol: 'TCP' as const }];
    const addresses = [{ ip: '192.0.2.7' }, { ip: '2001:db8::7' }];
    const written: Endpoints = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses, ports }],
    };
    assert.deepEqual(shown(planMirror(written, []).create), [
      ['IPv4', '192.0.2.7'],
      ['IPv6', '2001:db8::7'],
    ]);
  });
});

it('Endpoints are of the first family of their service', () => {
  for (const [families, ip] of [
    [['IPv4', 'IPv6'], '10.88.0.4'],
    [['IPv6', 'IPv4'], 'fd00:88::4'],
  ] as const) {
    const [subset] = endpointsOf(service(...families), [pod], undefined).subsets ?? [];
    assert.deepEqual(
      [...(subset?.addresses ?? []), ...(subset?.notReadyAddresses ?? [])].map((each) => each.ip),
      [ip],
    );
  }
});

it('of more than a thousand addresses each set of ports keeps its share, and those that serve go before others', () => {
  const named: Service = {
    ...service('IPv4'),
    spec: { ...service('IPv4').spec, ports: [{ port: 80, targetPort: 'web' }] },
  };
  const podsOn = (port: number, ready: number, unready: number) =>
    Array.from({ length: ready + unready }, (_, index): Pod => {
      const ip = `10.${port}.${Math.floor(index / 250)}.${1 + (index % 250)}`;
      const status = index < ready ? 'True' : 'False';
      return {
        metadata: { name: ip, namespace: 'default', uid: ip },
        spec: {
          nodeName: 'node-1',
          containers: [{ name: 'main', image: 'busybox', ports: [{ name: 'web', containerPort: port }] }],
        },
        status: { podIPs: [{ ip }], conditions: [{ type: 'Ready', status }] },
      };
    });
  const kept = (...pods: Pod[]) => {
    const { subsets = [], metadata } = endpointsOf(named, pods, undefined);
    return [
      metadata.annotations?.['endpoints.kubernetes.io/over-capacity'],
      ...subsets.map(({ addresses = [], notReadyAddresses = [] }) => [
        addresses.length,
        notReadyAddresses.length,
      ]),
    ];
  };
  assert.deepEqual(kept(...podsOn(80, 500, 100), ...podsOn(81, 300, 100)), [
    undefined,
    [500, 100],
    [300, 100],
  ]);
  assert.deepEqual(kept(...podsOn(80, 500, 300), ...podsOn(81, 300, 100)), [
    'truncated',
    [500, 150],
    [300, 50],
  ]);
  assert.deepEqual(kept(...podsOn(80, 900, 10), ...podsOn(81, 600, 10)), ['truncated', [600, 0], [400, 0]]);
});

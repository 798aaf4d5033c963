/** What the outside judge (conformance/scheduling.test.ts) can't ask, and the first look at all filters. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@wherry/kubeapi';
import { clusterOf, type WrittenCluster } from '../../test/cluster-of.ts';
import { podInfo } from './cluster/pod-info.ts';
import { PlaceFinder } from './find-place.ts';

function node(name: string, more: Partial<Node> = {}): Node {
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { cpu: '2', memory: '4Gi', pods: '3' },
    },
    ...more,
  };
}

let made = 0;
function pod(spec: Partial<Pod['spec']> & object = {}, requests: Record<string, string> = {}): Pod {
  made += 1;
  const metadata = { name: `p${made}`, namespace: 'default', uid: `u${made}`, labels: { app: 'web' } };
  return { metadata, spec: { containers: [{ name: 'main', resources: { requests } }], ...spec } };
}

function find(asked: Pod, written: WrittenCluster): string {
  const place = new PlaceFinder(clusterOf(written)).find(podInfo(asked));
  return 'room' in place ? place.room.name : place.message;
}

describe('PlaceFinder', () => {
  it('fits a pod that asks for exactly what is left, and not for a thousandth more', () => {
    const nodes = [node('a')];
    const pods = [pod({ nodeName: 'a' }, { cpu: '700m' }), pod({ nodeName: 'a' }, { cpu: '1.1' })];
    assert.equal(find(pod({}, { cpu: '200m' }), { nodes, pods }), 'a');
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    assert.equal(find(pod({}, { cpu: '201m' }), { nodes, pods }), message);
  });

  it('keeps pods off a node that is not Ready unless they tolerate it', () => {
    const nodes = [node('a', { status: { allocatable: { pods: '3' } } })];
    assert.match(find(pod(), { nodes }), /1 node\(s\) had untolerated taint\(s\)\./);
    const tolerations = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' as const }];
    assert.equal(find(pod({ tolerations }), { nodes }), 'a');
  });

  it('asks for the labels of a namespace where a term excludes some', () => {
    const [x, y] = ['x', 'y'].map((team) => ({ metadata: { name: team, labels: { team } }, spec: {} }));
    const term = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: {},
      namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['x'] }] },
    };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const other = pod({ nodeName: 'a' });
    const inNamespace = (namespace: string) => ({ ...other, metadata: { ...other.metadata, namespace } });
    const ask = (namespace: string) =>
      find(pod({ affinity }), {
        nodes: [node('a')],
        pods: [inNamespace(namespace)],
        namespaces: [x!, y!],
      });
    assert.equal(ask('x'), 'a');
    assert.match(ask('y'), /didn't match pod anti-affinity rules/);
  });

  it('counts pods that are left of a node which is gone in no domain', () => {
    const zoned = (name: string) =>
      node(name, { metadata: { name, labels: { 'topology.kubernetes.io/zone': 'z' } } });
    const term = {
      topologyKey: 'topology.kubernetes.io/zone',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const left = pod({ nodeName: 'gone', affinity: { podAntiAffinity: required } });
    const cluster = clusterOf({ nodes: [zoned('a'), zoned('gone')], pods: [left] });
    const ask = () => {
      const place = new PlaceFinder(cluster).find(podInfo(pod({ affinity: { podAntiAffinity: required } })));
      return 'room' in place ? place.room.name : place.message;
    };
    assert.match(ask(), /2 node\(s\) didn't match pod anti-affinity rules/);
    cluster.removeNode('gone');
    assert.equal(ask(), 'a');
    cluster.setNode(zoned('gone'));
    assert.match(ask(), /2 node\(s\) didn't match pod anti-affinity rules/);
  });

  it('sends a pod that needs features of a kubelet to nodes that declare them, and no victim helps elsewhere', () => {
    const restartPolicyRules = [
      { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } },
    ];
    const asked = pod({ containers: [{ name: 'main', restartPolicy: 'Never', restartPolicyRules }] });
    const nodes = [node('a'), node('b')];
    const message = "0/2 nodes are available: 2 node(s) didn't match Pod's required features.";
    assert.equal(find(asked, { nodes }), message);
    nodes[1]!.status!.declaredFeatures = ['RestartAllContainersOnContainerExits'];
    assert.equal(find(asked, { nodes }), 'b');
    assert.match(find(pod({ hostNetwork: true, hostUsers: false }), { nodes }), /2 node\(s\) didn't match/);
  });

  it('places no pod that is to start together with others, and says so', () => {
    const asked = pod({ schedulingGroup: { podGroupName: 'g' } });
    assert.match(find(asked, { nodes: [node('a')] }), /does not support spec\.schedulingGroup: remove it/);
  });

  it('asks the zones of the volumes that a pod names, not of its own, and says which of them is not there', () => {
    const zone = 'topology.kubernetes.io/zone';
    const cluster = (volumeName: string) => ({
      nodes: [node('a', { metadata: { name: 'a', labels: { [zone]: 'x' } } })],
      volumes: [{ metadata: { name: 'far', labels: { [zone]: 'y' } }, spec: {} }],
      claims: ['data', 'p-own'].map((name) => ({
        metadata: {
          ...{ name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }],
        },
        spec: { volumeName },
      })),
    });
    const named = pod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] });
    assert.match(find(named, cluster('far')), /1 node\(s\) had no available volume zone/);
    assert.equal(find(named, cluster('gone')), '0/1 nodes are available: persistentvolume "gone" not found.');
    const own = pod({ volumes: [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: {} } } }] });
    assert.equal(find({ ...own, metadata: { ...own.metadata, name: 'p', uid: 'u' } }, cluster('far')), 'a');
  });

  it('says so when there is no node at all', () => {
    assert.equal(find(pod(), { nodes: [] }), 'no nodes available to schedule pods');
  });

  it('looks at a share of many nodes, and goes on from there', () => {
    const nodes = Array.from({ length: 400 }, (_, index) => node(`n${index}`));
    const finder = new PlaceFinder(clusterOf({ nodes }));
    const places = [1, 2].map(() => finder.find(podInfo(pod())));
    assert.deepEqual(
      places.map((place) => 'room' in place && place.room.name),
      ['n0', 'n188'],
    );
  });
});

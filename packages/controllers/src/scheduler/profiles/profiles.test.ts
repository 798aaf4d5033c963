/** What profiles do; conformance/scheduling.test.ts holds many more to upstream's framework. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@wherry/kubeapi';
import { clusterOf } from '../../../test/cluster-of.ts';
import { podInfo } from '../cluster/pod-info.ts';
import { PlaceFinder } from '../find-place.ts';
import { readSchedulerConfiguration, schedulerSetupOf } from '../scheduler-configuration.ts';
import { schedulerOf } from './profile.ts';

const setupOf = (fields: object) => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    ...fields,
  };
  return schedulerSetupOf(readSchedulerConfiguration(Buffer.from(JSON.stringify(configuration))));
};
const packing = {
  schedulerName: 'packing',
  pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }],
};

const node = (name: string, labels: Record<string, string> = {}): Node => ({
  metadata: { name, labels },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
  },
});
let made = 0;
const pod = (spec: Partial<NonNullable<Pod['spec']>> & object = {}): Pod => {
  made += 1;
  const requests = { cpu: '1', memory: '1Gi' };
  const metadata = { name: `p${made}`, namespace: 'default', uid: `u${made}` };
  return { metadata, spec: { containers: [{ name: 'main', resources: { requests } }], ...spec } };
};

describe('profiles', () => {
  it('pack pods or part them, each by the name of its scheduler', () => {
    const { profiles } = setupOf({ profiles: [{ schedulerName: 'default-scheduler' }, packing] });
    const cluster = clusterOf({ nodes: [node('a'), node('b')], pods: [pod({ nodeName: 'b' })] });
    const find = (asked: Pod) => {
      const place = new PlaceFinder(cluster).find(podInfo(asked), profiles.get(schedulerOf(asked)));
      return 'room' in place ? place.room.name : place.message;
    };
    assert.equal(find(pod()), 'a');
    assert.equal(find(pod({ schedulerName: 'packing' })), 'b');
  });

  it('without a filter let pods go where it would not have them', () => {
    const { profiles } = setupOf({
      profiles: [{ plugins: { filter: { disabled: [{ name: 'TaintToleration' }] } } }],
    });
    const tainted = node('a');
    tainted.spec = { taints: [{ key: 'k', effect: 'NoSchedule' }] };
    const place = new PlaceFinder(clusterOf({ nodes: [tainted] })).find(
      podInfo(pod()),
      profiles.get('default-scheduler'),
    );
    assert.ok('room' in place);
  });

  it('add an affinity to that of every pod, and say so', () => {
    const term = { matchExpressions: [{ key: 'pool', operator: 'In', values: ['x'] }] };
    const required = { nodeSelectorTerms: [term] };
    const addedAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    const { profiles } = setupOf({
      profiles: [{ pluginConfig: [{ name: 'NodeAffinity', args: { addedAffinity } }] }],
    });
    const place = new PlaceFinder(clusterOf({ nodes: [node('a'), node('b', { pool: 'y' })] })).find(
      podInfo(pod()),
      profiles.get('default-scheduler'),
    );
    const message = "0/2 nodes are available: 2 node(s) didn't match scheduler-enforced node affinity.";
    assert.equal('message' in place && place.message, message);
  });

  it('look at the share of nodes that they name, and at one where nothing scores', () => {
    const nodes = Array.from({ length: 400 }, (_, index) => node(`n${index}`));
    const looked = (fields: object) => {
      const { profiles } = setupOf(fields);
      const finder = new PlaceFinder(clusterOf({ nodes }));
      const places = [1, 2].map(() => finder.find(podInfo(pod()), profiles.get('default-scheduler')));
      return places.map((place) => 'room' in place && place.room.name);
    };
    assert.deepEqual(looked({ percentageOfNodesToScore: 75 }), ['n0', 'n300']);
    assert.deepEqual(looked({ percentageOfNodesToScore: 75, profiles: [{ percentageOfNodesToScore: 50 }] }), [
      'n0',
      'n200',
    ]);
    const unscored = { plugins: { score: { disabled: [{ name: '*' }] } } };
    assert.deepEqual(looked({ profiles: [unscored] }), ['n0', 'n1']);
  });

  it('have times and candidates of their own', () => {
    const { profiles, backoffMs } = setupOf({
      podInitialBackoffSeconds: 3,
      podMaxBackoffSeconds: 7,
      profiles: [
        {
          plugins: { preEnqueue: { disabled: [{ name: 'SchedulingGates' }] } },
          pluginConfig: [
            { name: 'VolumeBinding', args: { bindTimeoutSeconds: 9 } },
            { name: 'DynamicResources', args: { bindingTimeout: '90s' } },
            { name: 'DefaultPreemption', args: { minCandidateNodesAbsolute: 5 } },
          ],
        },
      ],
    });
    assert.deepEqual(backoffMs, { initialMs: 3_000, maxMs: 7_000 });
    const { volumeBindingMs, deviceBindingMs, preemption, heedsGates } = profiles.get('default-scheduler')!;
    assert.deepEqual([volumeBindingMs, deviceBindingMs, heedsGates], [9_000, 90_000, false]);
    assert.equal(preemption?.minCandidateNodesAbsolute, 5);
    assert.equal(preemption?.minCandidateNodesPercentage, 10);
  });

  for (const [what, fields, why] of [
    [
      'a filter without its preparation',
      { profiles: [{ plugins: { preFilter: { disabled: [{ name: 'NodePorts' }] } } }] },
      /profiles\[0\]\.plugins: NodePorts takes part in filter and not in preFilter/,
    ],
    [
      'a part of what binds volumes',
      { profiles: [{ plugins: { preBind: { disabled: [{ name: 'VolumeBinding' }] } } }] },
      /VolumeBinding takes part in preFilter, filter, reserve and not in preBind: enable all, or none/,
    ],
    [
      'groups of pods',
      { profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'GangScheduling' }] } } }] },
      /GangScheduling is about groups of pods/,
    ],
    [
      'another bound of a search for devices',
      { profiles: [{ pluginConfig: [{ name: 'DynamicResources', args: { filterTimeout: '3s' } }] }] },
      /profiles\[0\]\.pluginConfig\[0\]\.args\.filterTimeout: this scheduler bounds/,
    ],
  ] as const)
    it(`with ${what} are refused by name`, () => {
      assert.throws(() => setupOf(fields), why);
    });
});

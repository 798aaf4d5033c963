/** The scheduler beside a real API server, with a node whose pods run. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

const { pods } = kinds;
let there: WorkloadCluster;

before(async () => {
  there = await WorkloadCluster.start();
  for (const [name, value] of [
    ['high', 100],
    ['low', -100],
  ] as const)
    await there.create(kinds.priorityClasses, name, { value } as never);
});
after(() => there.close());

function makePod(name: string, spec: object, labels: Record<string, string> = {}): Promise<Pod> {
  const containers = [{ name: 'main', image: 'busybox', ...('cpu' in spec ? ask(String(spec.cpu)) : {}) }];
  const { cpu: _, ...rest } = spec as { cpu?: string };
  const metadata = { name, labels };
  return there.create(pods, name, { metadata, spec: { containers, ...rest } } as never);
}

const ask = (cpu: string) => ({ resources: { requests: { cpu } } });
const placed = (name: string) =>
  there.until(pods, name, 'has a node', ({ spec }) => spec?.nodeName !== undefined);
const conditionOf = ({ status }: Pod, type: string) => status?.conditions?.find((each) => each.type === type);
const refused = (name: string, message: RegExp) =>
  there.until(pods, name, 'is refused', (pod) =>
    message.test(conditionOf(pod, 'PodScheduled')?.message ?? ''),
  );

describe('the scheduler', () => {
  it('ends pods of lower priority for one that has no room, and tells all of them', async () => {
    await makePod('small', { cpu: '10', priorityClassName: 'low', terminationGracePeriodSeconds: 1 });
    await makePod('large', { cpu: '40', priorityClassName: 'low', terminationGracePeriodSeconds: 1 });
    await Promise.all(['small', 'large'].map(placed));
    const polite = { cpu: '30', priorityClassName: 'high', preemptionPolicy: 'Never' };
    await assert.rejects(makePod('polite', polite), /string value of PreemptionPolicy/);
    await makePod('urgent', { cpu: '50', priorityClassName: 'high' });
    const { status } = await placed('urgent');
    assert.equal(status?.nominatedNodeName, undefined);
    assert.equal((await there.read(pods, 'small')).status?.phase, 'Running');
    await assert.rejects(there.read(pods, 'large'), /not found/);
    const [refusal] = (await there.events('urgent')).filter((each) => each.startsWith('FailedScheduling'));
    assert.equal(refusal, 'FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.');
    const told = await there.events('large');
    assert.ok(
      told.some((each) => /^Preempted: Preempted by pod \S+ on node node-1$/.test(each)),
      `${told}`,
    );
  });

  it('keeps pods apart that want to be, until the other is gone', async () => {
    const term = { labelSelector: { matchLabels: { app: 'one' } }, topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    await makePod('one', { affinity }, { app: 'one' });
    await placed('one');
    await makePod('two', { affinity }, { app: 'one' });
    const wanted =
      "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules. " +
      'no new claims to deallocate, ' +
      "preemption: 0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.";
    const { status } = await refused('two', /anti-affinity/);
    assert.equal(status?.conditions?.[0]?.message, wanted);
    assert.equal(status?.conditions?.[0]?.observedGeneration, 1);
    await there.cluster.client.resource(pods).delete({ name: 'one', namespace: 'default' });
    await placed('two');
  });

  it('leaves gated pods and those of other schedulers alone, and takes a pod whose gates are gone', async () => {
    const gated = await makePod('gated', { schedulingGates: [{ name: 'example.com/wait' }] });
    assert.equal(conditionOf(gated, 'PodScheduled')?.reason, 'SchedulingGated');
    await makePod('foreign', { schedulerName: 'mine' });
    await makePod('ours', {});
    await placed('ours');
    for (const name of ['gated', 'foreign'])
      assert.equal((await there.read(pods, name)).spec?.nodeName, undefined);
    await there.merge(pods, 'gated', { spec: { schedulingGates: null } });
    await placed('gated');
  });

  it('takes the values of label keys from the pod itself', async () => {
    const labelSelector = { matchLabels: { app: 'keyed' } };
    const term = { labelSelector, topologyKey: 'kubernetes.io/hostname', mismatchLabelKeys: ['tenant'] };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    for (const name of ['a-1', 'a-2', 'b-1'])
      await makePod(name, { affinity }, { app: 'keyed', tenant: name.slice(0, 1) });
    await Promise.all(['a-1', 'a-2'].map(placed));
    await refused('b-1', /anti-affinity/);
  });

  it('tells of a pod whose binding is refused, and tries again', async () => {
    const group = 'admissionregistration.k8s.io/v1';
    const resourceRules = [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['pods/binding'], operations: ['CREATE'] },
    ];
    const validations = [{ expression: "object.metadata.name != 'kept'", message: 'not this one' }];
    const make = (type: typeof kinds.validatingAdmissionPolicies, kind: string, spec: object) =>
      there.cluster.client
        .resource(type)
        .create({ apiVersion: group, kind, metadata: { name: 'no-binding' }, spec } as never);
    await make(kinds.validatingAdmissionPolicies, 'ValidatingAdmissionPolicy', {
      matchConstraints: { resourceRules },
      validations,
    });
    const binding = { policyName: 'no-binding', validationActions: ['Deny'] };
    const bindings = kinds.validatingAdmissionPolicyBindings as never;
    await make(bindings, 'ValidatingAdmissionPolicyBinding', binding);
    await makePod('kept', {});
    const why = /^running Bind plugin "DefaultBinder": pods "kept" is forbidden: .*not this one/;
    const { status } = await refused('kept', why);
    assert.equal(conditionOf({ status } as Pod, 'PodScheduled')?.reason, 'SchedulerError');
    assert.ok(
      (await there.events('kept')).some((each) => /^FailedScheduling: running Bind plugin/.test(each)),
    );
    await there.cluster.client.resource(bindings).delete({ name: 'no-binding' });
    await placed('kept');
  });

  it('leaves the pods of a node that may not stay to the node life-cycle, which says why they go', async () => {
    const taint = { key: 'example.com/out', value: 'now', effect: 'NoExecute' };
    const stays = { tolerations: [{ key: taint.key, operator: 'Exists' }] };
    await makePod('leaves', {});
    await makePod('stays', stays);
    const leaving = await placed('leaves');
    await placed('stays');
    const nodes = there.cluster.client.resource(kinds.nodes);
    await nodes.patch({ name: 'node-1', type: 'merge', patch: { spec: { taints: [taint] } } });
    await eventually('the other is gone', async () => {
      const left = await there.cluster.client.resource(pods).list({ namespace: 'default' });
      return left.items.every(({ metadata }) => metadata.uid !== leaving.metadata.uid);
    });
    assert.equal((await there.read(pods, 'stays')).metadata.deletionTimestamp, undefined);
    const told = await there.events('leaves');
    assert.ok(told.includes('TaintManagerEviction: Marking for deletion Pod default/leaves'), `${told}`);
  });
});

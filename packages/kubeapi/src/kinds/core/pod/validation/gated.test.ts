import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeSelectorRequirement, Pod, PodSpec } from '../../../../generated/types.ts';
import { validatePodUpdate } from './update.ts';

const gated = { schedulingGates: [{ name: 'example.com/wait' }] };
const podOf = (spec: Partial<PodSpec>): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'default' } },
  spec: {
    containers: [
      {
        ...{ name: 'c', image: 'i', imagePullPolicy: 'Always' },
        ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
      },
    ],
    ...{ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30 },
    ...spec,
  },
});
const among = (key: string, ...values: string[]): NodeSelectorRequirement => ({
  ...{ key, operator: 'In', values },
});
const affinity = (...terms: NodeSelectorRequirement[][]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});
const said = (before: Partial<PodSpec>, after: Partial<PodSpec>) =>
  validatePodUpdate(podOf(after), podOf(before)).map(
    ({ field, body }) => `${field}: ${body.replace(/^(?:Invalid value: .*|Forbidden): (?=\w+ )/, '')}`,
  );

const zone = { nodeSelector: { zone: 'a' } };
const [inA, onX] = [among('zone', 'a'), among('host', 'x')];

test('where a pod may run is narrowed while it waits at a gate, also by who lets it through', () => {
  for (const [before, after] of [
    [{}, zone],
    [zone, { nodeSelector: { zone: 'a', host: 'x' } }],
    [{}, affinity([inA])],
    [affinity([inA]), affinity([inA, onX])],
    [{ affinity: {} }, affinity([inA])],
    [
      { ...zone, ...affinity([inA], [onX]) },
      { ...zone, ...affinity([inA, onX], [onX, inA]) },
    ],
  ] satisfies [Partial<PodSpec>, Partial<PodSpec>][]) {
    assert.deepEqual(said({ ...gated, ...before }, { ...gated, ...after }), []);
    assert.deepEqual(said({ ...gated, ...before }, after), []);
    assert.match(said(before, after).join(), /^spec: pod updates may not change fields other than /);
  }
});

test('it is never widened', () => {
  const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const selector =
    'spec.nodeSelector: only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  const number = `${terms}: no additions/deletions to non-empty NodeSelectorTerms list are allowed`;
  const term = `${terms}[0]: only additions are allowed (no mutations or deletions)`;
  for (const [before, after, complaint] of [
    [zone, {}, selector],
    [zone, { nodeSelector: { zone: 'b' } }, selector],
    [affinity([inA]), affinity([inA], [onX]), number],
    [affinity([inA]), {}, number],
    [affinity([inA]), affinity([onX, inA]), term],
    [affinity([inA, onX]), affinity([inA]), term],
    [affinity([]), affinity([inA]), term],
  ] satisfies [Partial<PodSpec>, Partial<PodSpec>, string][])
    assert.ok(said({ ...gated, ...before }, { ...gated, ...after }).includes(complaint), complaint);
});

test('what else is said of placement stays as it is', () => {
  const pods = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } };
  const after = { ...gated, affinity: { ...affinity([inA]).affinity, ...pods } };
  assert.match(said(gated, after).join(), /changed: spec\.affinity$/);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@wherry/kubeapi';
import type { NodeInfo } from '@wherry/podrules';
import { selectNode } from './select-node.ts';

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

function pod(spec: Partial<Pod['spec']> & object = {}, requests: Record<string, string> = {}): Pod {
  return { metadata: {}, spec: { containers: [{ name: 'main', resources: { requests } }], ...spec } };
}

const info = (each: Node, pods: Pod[] = []): NodeInfo => ({ node: each, pods });

describe('selectNode', () => {
  it('takes the node with more free cpu and memory, and the first of equals', () => {
    const busy = info(node('a'), [pod({}, { cpu: '1' })]);
    assert.deepEqual(selectNode(pod(), [busy, info(node('b'))]), { nodeName: 'b' });
    assert.deepEqual(selectNode(pod(), [info(node('a')), info(node('b'))]), { nodeName: 'a' });
  });

  it('fits a pod that asks for exactly what is left, and not for a thousandth more', () => {
    const half = info(node('a'), [pod({}, { cpu: '700m' }), pod({}, { cpu: '1.1' })]);
    assert.deepEqual(selectNode(pod({}, { cpu: '200m' }), [half]), { nodeName: 'a' });
    assert.deepEqual(selectNode(pod({}, { cpu: '201m' }), [half]), {
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    });
  });

  it('counts every reason over all nodes', () => {
    const full = info(node('a'), [pod(), pod(), pod()]);
    const tainted = info(node('b', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } }));
    assert.deepEqual(selectNode(pod({}, { 'example.com/gpu': '1' }), [full, tainted]), {
      message:
        '0/2 nodes are available: 1 Insufficient example.com/gpu, 1 Too many pods, ' +
        '1 node(s) had untolerated taint {k: v}.',
    });
  });

  it('places no pod that demands what it does not look at, and names the field', () => {
    const term = { topologyKey: 'kubernetes.io/hostname' };
    const demands: [field: string, spec: object][] = [
      [
        'spec.affinity.podAffinity',
        { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
      ],
      [
        'spec.affinity.podAntiAffinity',
        { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
      ],
      [
        'spec.topologySpreadConstraints',
        { topologySpreadConstraints: [{ maxSkew: 1, ...term, whenUnsatisfiable: 'DoNotSchedule' }] },
      ],
      ['spec.schedulingGroup', { schedulingGroup: { podGroupName: 'g' } }],
    ];
    for (const [field, spec] of demands) {
      assert.deepEqual(selectNode(pod(spec), [info(node('a'))]), {
        message: `this scheduler does not support ${field}: remove it, or name another scheduler`,
      });
    }
    const wish = { weight: 1, podAffinityTerm: term };
    const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [wish] } };
    assert.deepEqual(selectNode(pod({ affinity }), [info(node('a'))]), { nodeName: 'a' });
  });

  it('keeps pods off a node that is not Ready unless they tolerate it', () => {
    const sick = info(node('a', { status: { allocatable: { pods: '3' } } }));
    const decision = selectNode(pod(), [sick]);
    assert.match(
      'message' in decision ? decision.message : '',
      /untolerated taint \{node.kubernetes.io\/not-ready: \}/,
    );
    const tolerations = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' as const }];
    assert.deepEqual(selectNode(pod({ tolerations }), [sick]), { nodeName: 'a' });
  });

  it('honours node selector and required affinity, and follows preferred affinity', () => {
    const nodes = [info(node('a')), info(node('b'))];
    const selector = { 'kubernetes.io/hostname': 'b' };
    assert.deepEqual(selectNode(pod({ nodeSelector: selector }), nodes), { nodeName: 'b' });
    const term = {
      matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn' as const, values: ['a'] }],
    };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    assert.deepEqual(selectNode(pod({ affinity: { nodeAffinity: required } }), nodes), { nodeName: 'b' });
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term }] };
    assert.deepEqual(selectNode(pod({ affinity: { nodeAffinity: preferred } }), nodes), { nodeName: 'b' });
  });

  it('does not give one host port away twice', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const web = pod({ containers: [{ name: 'web', ports }] });
    assert.deepEqual(selectNode(web, [info(node('a'), [web])]), {
      message: "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
    });
  });

  it('says so when there is no node at all', () => {
    assert.deepEqual(selectNode(pod(), []), { message: 'no nodes available to schedule pods' });
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readNodeLabels } from './node-labels.ts';

it('labels of a node are those of whoever starts its kubelet, and of Kubernetes’ own those that kubelets set', () => {
  const labels = readNodeLabels([
    'disk=fast, example.com/rack=12',
    'topology.kubernetes.io/zone=a',
    'pool.node.kubernetes.io/size=',
  ]);
  assert.deepEqual(labels, {
    ...{ disk: 'fast', 'example.com/rack': '12' },
    ...{ 'topology.kubernetes.io/zone': 'a', 'pool.node.kubernetes.io/size': '' },
  });
});

it('labels that no node of a kubelet can have are refused before it starts', () => {
  const given = [
    'node-role.kubernetes.io/worker=,foo.k8s.io/a=b',
    'node-restriction.kubernetes.io/a=b,disk',
    'a b=c,disk=a=b',
  ];
  assert.throws(
    () => readNodeLabels(given),
    ({ message }: Error) => {
      const [head, ...problems] = message.split('\n').map((line) => line.trim());
      assert.equal(head, '--node-labels has 6 bad field(s):');
      const places = [
        ...[
          "node-role.kubernetes.io/worker=: a label of Kubernetes' own",
          "foo.k8s.io/a=b: a label of Kubernetes' own",
        ],
        ...["node-restriction.kubernetes.io/a=b: a label of Kubernetes' own", 'disk: is no KEY=VALUE'],
        ...['a b=c: name part must consist of', 'disk=a=b: a valid label must be'],
      ];
      for (const [index, place] of places.entries())
        assert.ok(problems[index]?.startsWith(place), `${problems[index]} for ${place}`);
      return true;
    },
  );
});

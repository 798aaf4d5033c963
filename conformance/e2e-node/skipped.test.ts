import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOfNodeSuite, skippedTable } from './skipped.ts';

const specOf = (name: string, message?: string) => ({
  ...{ LeafNodeText: name, ContainerHierarchyTexts: ['[sig-node] Kubelet'], LeafNodeType: 'It' },
  ...{ State: 'skipped', ...(message !== undefined && { Failure: { Message: message } }) },
});

it('specs that did not run are counted by what they say, or else by their label', () => {
  const specs = [
    specOf('a [Serial] [Feature:Swap]'),
    specOf('b [Feature:Swap]'),
    specOf('c [Feature:Disk] [Slow]'),
    specOf('d', '\nneeds a|b\nat x.go:1'),
    specOf('e'),
  ];
  assert.equal(
    skippedTable(specs),
    [
      '| not run: what they say, or are labelled with | specs |',
      '| --- | ---: |',
      '| `[Feature:…]` | 2 |',
      '| `[Serial]` | 1 |',
      '| needs a\\|b | 1 |',
      '| neither chosen nor labelled | 1 |',
      '',
    ].join('\n'),
  );
  assert.equal(skippedTable([]), '');
});

it('a spec is of the node suite when it, or what it stands in, is written there', () => {
  const [own, shared] = [
    '/m/k8s.io/kubernetes/test/e2e_node/a.go',
    '/m/k8s.io/kubernetes/test/e2e/common/b.go',
  ];
  const at = (leaf: string, above: string) => ({
    ...specOf('a'),
    ...{ LeafNodeLocation: { FileName: leaf }, ContainerHierarchyLocations: [{ FileName: above }] },
  });
  assert.ok(isOfNodeSuite(at(own, shared)));
  assert.ok(isOfNodeSuite(at(shared, own)));
  assert.ok(!isOfNodeSuite(at(shared, shared)));
  assert.ok(!isOfNodeSuite(specOf('without places')));
});

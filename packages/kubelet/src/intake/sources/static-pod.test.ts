import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestDocument, staticPod } from './static-pod.ts';

const origin = { name: '/m/a.yaml', identity: 'host:h', nodeName: 'node', toleratesNoExecute: true };
const manifest = (more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'a', image: 'demo:1' }], ...more },
});
const podOf = (document: unknown) => staticPod(document as never, origin);

test('a manifest becomes a pod of this node with the defaults of the API', () => {
  const { metadata, spec, status } = podOf({ ...manifest(), bogus: 1 });
  assert.equal(metadata.name, 'web-node');
  assert.equal(metadata.namespace, 'default');
  assert.equal(metadata.annotations?.['kubernetes.io/config.hash'], metadata.uid);
  assert.deepEqual([spec.nodeName, spec.restartPolicy, status?.phase], ['node', 'Always', 'Pending']);
  assert.deepEqual(spec.tolerations, [{ operator: 'Exists', effect: 'NoExecute' }]);
});

test('that it stays through NoExecute taints stands in it once, and for good', () => {
  const mine = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const other = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const { spec } = podOf(manifest({ tolerations: [mine, other] }));
  assert.deepEqual(spec.tolerations, [other, { operator: 'Exists', effect: 'NoExecute' }]);
});

const broken: [what: string, document: unknown, complaint: RegExp][] = [
  ['a list', [1], /holds a nameless kind/],
  ['a container that is a text', manifest({ containers: 'a' }), /manifest "\/m\/a.yaml": .*containers/],
  ['a container that is null', manifest({ containers: [null] }), /spec\.containers\[0\]\.name/],
  ['a port that is a text', manifest({ containers: [{ name: 'a', image: 'b', ports: 'c' }] }), /ports/],
  ['no containers', manifest({ containers: [] }), /spec\.containers: Required value/],
  ['a name that is no DNS name', { ...manifest(), metadata: { name: '../../etc' } }, /metadata\.name/],
  [
    'a namespace that leads elsewhere',
    { ...manifest(), metadata: { name: 'a', namespace: '../x' } },
    /metadata\.namespace/,
  ],
  ['a UID that leads elsewhere', { ...manifest(), metadata: { name: 'a', uid: '../x' } }, /metadata\.uid/],
  [
    'two containers of one name',
    manifest({
      containers: [
        { name: 'a', image: 'b' },
        { name: 'a', image: 'b' },
      ],
    }),
    /Duplicate value/,
  ],
  [
    'a mount without a volume',
    manifest({ containers: [{ name: 'a', image: 'b', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }),
    /volumeMounts\[0\]\.name: Not found/,
  ],
];
for (const [what, document, complaint] of broken) {
  test(`a manifest with ${what} is refused by name`, () => assert.throws(() => podOf(document), complaint));
}

test('a manifest is one document', () => {
  assert.throws(() => manifestDocument('a: 1\n---\nb: 2', 'x'), /one document, not 2/);
  assert.throws(() => manifestDocument('', 'x'), /not 0/);
  assert.throws(() => manifestDocument('a: [', 'x'), /manifest "x"/);
});

test('a manifest is read as Go reads YAML: yes is true, and a number that begins with a 0 is octal', () => {
  const text =
    'metadata: {name: m}\nspec: {hostNetwork: yes, volumes: [{secret: {defaultMode: 0644}}, {secret: {defaultMode: 0o644}}]}';
  const volumes = [{ secret: { defaultMode: 420 } }, { secret: { defaultMode: 420 } }];
  assert.deepEqual(manifestDocument(text, 'm.yaml'), {
    ...{ metadata: { name: 'm' }, spec: { hostNetwork: true, volumes } },
  });
});

test('of a key that a manifest has twice the last counts', () => {
  assert.deepEqual(manifestDocument('metadata: {name: a}\nmetadata: {name: b}\n', 'm.yaml'), {
    metadata: { name: 'b' },
  });
});

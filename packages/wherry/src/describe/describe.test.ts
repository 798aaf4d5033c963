import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKubeClient, type KubeObject } from '@wherry/client';
import { templateText } from '../commands/rollout/history.ts';
import { describeObject } from './describe-object.ts';
import { smartLabel } from './smart-label.ts';
import { aligned } from './text/aligned.ts';

/** What is told of an object that needs nothing else of a server. */
const told = (group: string, object: KubeObject): Promise<string> => {
  const client = createKubeClient({ server: 'https://127.0.0.1:1' });
  const resource = { group, kind: object.kind ?? '' };
  return describeObject({ resource, object }, { client, showEvents: false, chunkSize: 0 });
};

test('a cell is as wide as the widest right above and below it, and what ends a line is not padded', () => {
  assert.equal(
    aligned(['a\tb\tc', 'long\tb\td', 'alone', 'x\ty', 'x\t', '\tz']),
    [...['a     b  c', 'long  b  d', 'alone', 'x  y', 'x  ', '   z', '']].join('\n'),
  );
  assert.equal(aligned(['é😀\tb', 'a\tline\nof\ttwo']), 'é😀  b\na   line\nof  two\n');
});

test('what would move a terminal’s cursor is shown', () => {
  assert.equal(aligned(['a\u001b[2J\rb']), 'a^[[2J\\rb\n');
  const containers = [{ name: 'c', image: 'i\u001b[2J' }];
  assert.match(templateText({ spec: { containers } }), /^ {4}Image:\ti\^\[\[2J$/m);
});

test('names of fields are parted into words as kubectl parts them', () => {
  const labels = ['apiVersion', 'podIP', 'hostIPs', 'uid', 'someGUID', 'HTTPServerURL', 'a-b', 'v1', 'a.b'];
  assert.deepEqual(labels.map(smartLabel), [
    ...['API Version', 'Pod IP', 'Host I Ps', 'UID', 'Some GUID', 'HTTPServer URL', 'A - B', 'v1', 'a.b'],
  ]);
});

test('of a secret the lengths of its words are told, of a token too, and nothing that holds them', async () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"token":"aHVzaA=="}}' };
  const text = await told('', {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', annotations } },
    ...{ type: 'kubernetes.io/service-account-token', data: { token: 'aHVzaA==', none: '' } },
  } as KubeObject);
  assert.match(text, /^Annotations: {2}<none>$/m);
  assert.match(text, /^Data\n====\nnone: {3}0 bytes\ntoken: {2}4 bytes\n$/m);
  assert.doesNotMatch(text, /aHVzaA|hush/);
});

test('what a server writes null for is not there, but for kinds that are told field by field', async () => {
  const object = { metadata: { name: 'a' }, spec: { drivers: null, none: null } } as unknown as KubeObject;
  const node = { ...object, apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' };
  assert.match(await told('storage.k8s.io', node), /^Spec:\n$/m);
  assert.match(await told('example.com', { ...object, kind: 'Thing' }), /^ {2}None: {5}<nil>$/m);
});

test('a kind that has no summary is told field by field, but for what stands at the top', async () => {
  const text = await told('example.com', {
    ...{ apiVersion: 'example.com/v1', kind: 'Thing' },
    metadata: { name: 'a', labels: { b: 'c' }, managedFields: [{ manager: 'me' }], generation: 1 },
    spec: { toString: 'x', list: [{ name: 'y' }, 'z', null] },
  } as KubeObject);
  assert.equal(
    text,
    [
      ...['Name:         a', 'Namespace:    ', 'Labels:       b=c', 'Annotations:  <none>'],
      ...['API Version:  example.com/v1', 'Kind:         Thing', 'Metadata:', '  Generation:  1', 'Spec:'],
      ...['  List:', '    Name:  y', '    z', '    <nil>', '  To String:  x', ''],
    ].join('\n'),
  );
});

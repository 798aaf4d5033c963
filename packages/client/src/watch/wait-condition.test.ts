import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../objects/objects.ts';
import { judgeOf } from './wait-condition.ts';

test('a field that says itself how it becomes a text is compared as JSON', () => {
  const object = JSON.parse(
    '{"metadata":{"name":"x"},"spec":{"list":[{"type":{"toString":1}},{"type":"A","is":{"toString":1}}]}}',
  );
  const holds = (condition: string) => judgeOf(condition)(object);
  assert.ok(holds('jsonpath={.spec.list[?(@.type=="A")].is}={"toString":1}'));
  assert.ok(!holds('jsonpath={.spec.list[?(@.type=="B")].is}=x'));
  assert.ok(!holds('jsonpath={.spec.list[0].type}=B'));
});

test('a condition that answers a promise is refused, since every promise would pass for a yes', () => {
  const late = (async () => Promise.reject(new Error('never'))) as unknown as (object: KubeObject) => boolean;
  const judge = judgeOf(late);
  assert.equal(judge(undefined), false);
  assert.throws(() => judge({ apiVersion: 'v1', kind: 'Pod' }), { code: 'bad-argument', message: /promise/ });
});

test('a path that is none is refused at once, and waits for nothing', () => {
  const bad = [
    ...[
      '',
      '={}',
      '{}',
      '{.}',
      '{.status.phase=Running',
      '.status.phase}=Running',
      '{.status.phase}x=Running',
    ],
    ..."'{.status.phase}'=Running|{.status phase}=a|{range .items[*]}|{.a..b}|{.a[}|{.a[b]}|{.a.}".split('|'),
    ...['{.a[?(@.b>1)]}', '{[0]b}', '{.a}{.b}', '{$a}'],
  ];
  for (const path of bad)
    assert.throws(() => judgeOf(`jsonpath=${path}`), { code: 'bad-argument' }, JSON.stringify(path));
});

test('a path may do without its braces, its first dot and its dollar sign', () => {
  const object = { metadata: { labels: { 'a.b/c-d': 'x=y' } }, status: { ready: [true, false] } };
  const good = [
    ...[
      '{.status.ready[0]}=true',
      '.status.ready[0]=true',
      'status.ready[-1]=false',
      '{$.status.ready[*]}=true',
    ],
    ...["{.metadata.labels['a.b/c-d']}=x=y", '{.metadata.labels.a\\.b/c-d}=x=y', '{$.status}', '{.status.*}'],
  ];
  for (const path of good) assert.ok(judgeOf(`jsonpath=${path}`)(object as KubeObject), path);
});

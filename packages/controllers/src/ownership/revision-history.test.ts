import assert from 'node:assert/strict';
import { it } from 'node:test';
import { olderFirst, revisionData, revisionHash } from './revision-history.ts';

it('a revision has the hash that upstream gives it', () => {
  const spec = { containers: [{ name: 'main', image: 'a&b' }] };
  const data = revisionData({ spec: { template: { metadata: { labels: { app: 'web' } }, spec } } });
  // Worked out by hash/fnv and rand.SafeEncodeString of Go, over what encoding/json writes.
  assert.equal(revisionHash(data, 0), '5bb6c45d85');
  assert.equal(revisionHash(data, 1), '5bb6c45d84');
});

it('a revision has the hash that upstream gives it with what the server puts into templates, empty objects too', () => {
  const main = { name: 'x', image: 'y', resources: {}, imagePullPolicy: 'Always' };
  const messages = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
  const policies = { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' };
  const defaults = { ...policies, securityContext: {}, schedulerName: 'default-scheduler' };
  const spec = { containers: [{ ...main, ...messages }], ...defaults };
  const data = revisionData({ spec: { template: { metadata: { labels: { a: 'sts' } }, spec } } } as never);
  assert.equal(revisionHash(data, 0), '8cd985c64', 'as kube-controller-manager 1.36.2 names it');
});

it('the data of a revision has its fields in the order of Go, by whose bytes upstream knows it', () => {
  const containers = [{ name: 'app', image: 'a', args: ['b', 'a'], resources: {} }];
  const template = {
    spec: { restartPolicy: 'Always', containers },
    metadata: { labels: { b: '1', a: '2' } },
  };
  const metadata = '"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}}';
  const app = '{"args":["b","a"],"image":"a","name":"app","resources":{}}';
  const spec = `{"containers":[${app}],"restartPolicy":"Always"}`;
  const text = `{"spec":{"template":{${metadata},"spec":${spec}}}}`;
  assert.equal(JSON.stringify(revisionData({ spec: { template } } as never)), text);
});

it('of revisions of one number the one made first is the oldest, then that with the lesser name', () => {
  const revision = (name: string, number: number, second: number) => ({
    metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
    revision: number,
    data: {},
  });
  const mixed = [
    revision('a', 3, 2),
    revision('c', 3, 1),
    revision('B', 3, 1),
    revision('d', 2, 9),
    revision('e', 1, 9),
  ];
  const names = mixed.sort(olderFirst).map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['e', 'd', 'B', 'c', 'a']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../http/door.ts';
import { builtInType, KindNames } from './kind-names.ts';

const groups = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'example.com' },
      versions: [{ version: 'v1', resources: [{ resource: 'widgets', responseKind: { kind: 'Widget' } }] }],
    },
  ],
};

/** A server that answers what it is asked once `answer` is called. */
function slowServer() {
  const asked: HttpRequest[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const kinds = new KindNames({
    request: async <T>(request: HttpRequest) => {
      asked.push(request);
      await Promise.race([
        promise,
        new Promise((_, reject) =>
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
        ),
      ]);
      return groups as T;
    },
  });
  return { kinds, asked, answer: resolve };
}

test('of several who wait for one answer each gives up alone', async () => {
  const { kinds, asked, answer } = slowServer();
  const stop = new AbortController();
  const impatient = assert.rejects(kinds.find('widget.example.com', stop.signal), /enough/);
  const patient = kinds.find('Widget');
  const other = new AbortController();
  const late = assert.rejects(kinds.find('Widget', other.signal), /me too/);
  stop.abort(new Error('enough'));
  other.abort(new Error('me too'));
  await Promise.all([impatient, late]);
  answer();
  assert.equal((await patient).plural, 'widgets');
  assert.equal((await kinds.find('Widget')).plural, 'widgets');
  assert.equal(asked.length, 2, 'one answer, of two requests, is kept for all');
});

test('what nobody waits for any more is asked no more, and anew by the next', async () => {
  const { kinds, asked, answer } = slowServer();
  const stop = new AbortController();
  const given = assert.rejects(kinds.find('Widget', stop.signal), /enough/);
  stop.abort(new Error('enough'));
  await given;
  assert.ok(asked.every(({ signal }) => signal?.aborted));
  const next = kinds.find('Widget');
  answer();
  assert.equal((await next).plural, 'widgets');
  assert.equal(asked.length, 4);
});

test('the bare name of a kind that has several versions or groups is that whose type it has', () => {
  const versions = ['HorizontalPodAutoscaler', 'Event', 'Pod'].map((kind) => {
    const { group, version } = builtInType(kind) ?? {};
    return `${group}/${version}`;
  });
  assert.deepEqual(versions, ['autoscaling/v2', '/v1', '/v1']);
  const older = builtInType({ apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' });
  assert.equal(older?.version, 'v1');
});

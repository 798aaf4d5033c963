import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient } from '../resources/resource-client.ts';
import type { WatchEvent } from '../resources/watch-events.ts';
import { Reflector } from './reflector.ts';

/** A reflector of nothing, on a clock of its own; `watch` is how its watches go. */
function reflect(watch: () => AsyncGenerator<WatchEvent<KubeObject>>) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const asked = { lists: 0, watches: 0 };
  const resource = {
    listAll: async () => {
      asked.lists += 1;
      return { metadata: { resourceVersion: '1' }, items: [] };
    },
    watch: () => {
      asked.watches += 1;
      return watch();
    },
  } as unknown as ResourceClient<KubeObject>;
  const reflector = new Reflector<KubeObject>({
    ...{ resource, select: {}, streamsList: false, clock, random: () => 0 },
    reflection: { replace() {}, change() {}, failed() {}, watching() {} },
  });
  const running = reflector.run(stop.signal);
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) await clock.advanceAsync(100);
  };
  const end = async () => {
    stop.abort(new Error('over'));
    await running;
    assert.equal(clock.pendingTimers, 0);
  };
  return { asked, pass, end };
}

/** How often something happens in a minute whose waits grow to the longest. */
const perMinuteMax = 60_000 / limits.informerBackoffMs.maxMs + 8;

// biome-ignore lint/correctness/useYield: it fails before its first event.
async function* forbidden(): AsyncGenerator<WatchEvent<KubeObject>> {
  throw new StatusError({ code: 403, reason: 'Forbidden', message: 'may be listed, not watched' });
}

async function* endsAtOnce(): AsyncGenerator<WatchEvent<KubeObject>> {}

test('what may be listed and not watched is listed later and later', async () => {
  const { asked, pass, end } = reflect(forbidden);
  await pass(60_000);
  assert.ok(asked.lists > 8 && asked.lists <= perMinuteMax, `${asked.lists} lists in a minute`);
  await end();
});

test('watches that end at once, without an event, are begun again later and later', async () => {
  const { asked, pass, end } = reflect(endsAtOnce);
  await pass(60_000);
  assert.ok(asked.watches > 8 && asked.watches <= perMinuteMax, `${asked.watches} watches in a minute`);
  assert.equal(asked.lists, 1);
  await end();
});

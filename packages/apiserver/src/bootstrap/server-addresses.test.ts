import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { FindCollection } from './ensure.ts';
import { ServerAddresses } from './server-addresses.ts';

/** Stored objects by the plural names of their resources; one of each. */
function stored(objects: Map<string, ApiObject>): FindCollection {
  return ((group: string, version: string, plural: string) => ({
    resource: { facts: { group, version, plural } },
    storage: {
      find: async () => objects.get(plural),
      change: async ({ change }: { change(current: ApiObject): { next: ApiObject } }) =>
        objects.set(plural, change(objects.get(plural) as ApiObject).next),
    },
    create: async (object: ApiObject) => objects.set(plural, object),
  })) as unknown as FindCollection;
}

test('the service kubernetes and its endpoints come back where somebody deletes them', async () => {
  const objects = new Map<string, ApiObject>();
  const clock = new FakeClock();
  const addresses = new ServerAddresses({
    ...{ collection: stored(objects), serviceRange: '10.96.0.0/16', bindAddress: '0.0.0.0' },
    ...{ advertiseAddress: '192.0.2.9', securePort: 6443, clock, logger: silentLogger },
    store: { shared: undefined } as never,
    keepsEndpoints: true,
  });
  await addresses.start();
  const first = structuredClone([...objects]);
  assert.deepEqual([...objects.keys()], ['services', 'endpoints']);
  objects.clear();
  await clock.advanceAsync(periods.serverAddressMs);
  assert.deepEqual([...objects], first);
  await addresses.close();
  objects.clear();
  await clock.advanceAsync(3 * periods.serverAddressMs);
  assert.equal(objects.size, 0);
});

test('a server that ends while it says that it is there has not said so afterwards', async () => {
  const living = new Map<string, string>();
  const gate = Promise.withResolvers<void>();
  let isSlow = false;
  const store = {
    shared: { answersWithin: () => true },
    async write({ key, value }: { key: string; value: string | null }) {
      if (value === null) return living.delete(key);
      if (isSlow) await gate.promise;
      return living.set(key, value);
    },
    range: async () => ({ items: [...living].map(([key, value]) => ({ key, value })) }),
  };
  const clock = new FakeClock();
  const addresses = new ServerAddresses({
    ...{ collection: stored(new Map()), serviceRange: '10.96.0.0/16', bindAddress: '0.0.0.0' },
    ...{
      keepsEndpoints: true,
      advertiseAddress: '192.0.2.9',
      securePort: 6443,
      clock,
      logger: silentLogger,
      store: store as never,
    },
  });
  await addresses.start();
  assert.deepEqual([...living.keys()], ['/masterleases/192.0.2.9']);
  isSlow = true;
  await clock.advanceAsync(periods.serverAddressMs);
  const closed = addresses.close();
  await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([...living.keys()], []);
});

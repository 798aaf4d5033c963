import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { FolderDriver } from '../../../test/csi-driver.ts';
import { CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import { CsiDriverReports } from './csi-driver-reports.ts';

const name = 'folders.example';

test('how many volumes a node can have is asked and told anew as often as the object of the driver says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'csi-reports-'));
  await using driver = new FolderDriver(name, folder);
  await driver.listen();
  const drivers = new CsiDrivers();
  drivers.add(name, drivers.open(name, { endpoint: driver.endpoint, version: [1, 0, 0] }));
  const clock = new FakeClock();
  const changes = new EventEmitter();
  let version = 0;
  const asking = (nodeAllocatableUpdatePeriodSeconds?: number) => ({
    metadata: { name, resourceVersion: String(++version) },
    spec: { nodeAllocatableUpdatePeriodSeconds },
  });
  const client = {
    resource: () => ({
      listAll: async () => ({ items: [asking(20)], metadata: { resourceVersion: '1' } }),
      async *watch({ signal }: { signal: AbortSignal }) {
        for await (const [object] of on(changes, 'updated', { signal })) yield { type: 'MODIFIED', object };
      },
    }),
  } as unknown as KubeClient;
  const told: number[] = [];
  const object = {
    begin: async () => {},
    install: async ({ volumesMax }: { volumesMax: number }) => void told.push(volumesMax),
    uninstall: async () => {},
  };
  const logger = createLogger('test', { level: 'error', write: () => {} });
  const reports = new CsiDriverReports({ drivers, cluster: { client, object }, clock, logger });
  const life = new AbortController();
  /** So many seconds later, and once as much was told, for which calls have to be answered. */
  const later = async (seconds: number, count = told.length) => {
    await clock.advanceAsync(seconds * 1_000);
    for (const end = performance.now() + 5_000; ; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (told.length >= count || performance.now() > end) return;
    }
  };
  try {
    await reports.begin(life.signal);
    reports.follow(name);
    await later(0);
    driver.volumesMax = 3;
    await later(19);
    assert.deepEqual(told, []);
    driver.failures.set('nodeGetInfo', [{ code: 'INTERNAL' }]);
    await later(1);
    assert.deepEqual(told, [], 'what fails is left to the next time');
    await later(20, 1);
    assert.deepEqual(told, [3]);
    changes.emit('updated', asking());
    await later(0);
    await later(100);
    assert.deepEqual(told, [3], 'an object without a time asks for nothing');
    changes.emit('updated', asking(10));
    await later(0);
    await later(10, 2);
    assert.deepEqual(told, [3, 3]);
    await reports.withdraw(name, life.signal);
    await later(100);
    assert.deepEqual(told, [3, 3]);
  } finally {
    life.abort();
    drivers.close();
    rmSync(folder, { recursive: true });
  }
});

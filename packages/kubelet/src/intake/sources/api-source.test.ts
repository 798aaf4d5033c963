import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type Pod, StatusError } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { ApiSource } from './api-source.ts';

const expired = () => new StatusError({ code: 410, reason: 'Expired', message: 'too old' });

test('a list that is made anew is told of as such, and the source is ready once', async () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const versions = ['20', '10'];
  const watched = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  const resource = {
    listAll: async () => ({
      metadata: { resourceVersion: versions.shift() },
      items: [pod({ containers: [container('a')] }) as Pod],
    }),
    // biome-ignore lint/correctness/useYield: nothing changes
    watch: async function* () {
      await watched[1 - versions.length]?.promise;
    },
  };
  const source = new ApiSource({
    client: { resource: () => resource } as never,
    ...{ clock, logger: silentLogger, nodeName: 'node' },
    handlers: {
      ...{ added: () => said.push('added'), updated: () => {}, reconciled: () => {}, removed: () => {} },
      ready: () => said.push('ready'),
    },
    starts: { seen: () => {}, forget: () => {} },
    statuses: { listed: () => said.push('listed') },
  });
  source.start();
  await clock.advanceAsync(1);
  assert.deepEqual(said.splice(0), ['added', 'ready', 'listed']);
  watched[0]?.reject(expired());
  await clock.advanceAsync(60_000);
  assert.deepEqual(said, ['listed']);
  const closed = source.close();
  watched[1]?.reject(new Error('closed'));
  await closed;
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { EndpointSlice, Service } from '@wherry/kubeapi';
import type { TableContent, WantedTable } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { limits } from './limits.ts';
import { ServiceRouter } from './service-router.ts';
import { KernelTable } from './table/kernel-table.ts';

/** A table without a kernel, which may refuse. */
class RefusingTable extends KernelTable {
  refuses = false;
  readonly moves: string[] = [];

  override get isMissing(): boolean {
    return false;
  }
  override async settle(): Promise<TableContent> {
    return { elements: [], chains: [] };
  }
  override apply(wanted: WantedTable): boolean {
    if (this.refuses) throw new Error('no');
    wanted.change()?.done();
    return true;
  }
  override moveClients(_: Buffer, renumbered: (number: number) => number | undefined): void {
    this.moves.push([0, 1, 2].map((number) => `${number}→${renumbered(number)}`).join(' '));
  }
}

test('of what a service was while the kernel refused only the last is made up for', async () => {
  const clock = new FakeClock();
  const options = {
    tables: ['test', 'next'] as const,
    bridgeName: 'none',
    foreignBridges: undefined,
    masqueradesAll: false,
  };
  const table = new RefusingTable({ ...options, family: 'ip', serviceCidr: '10.96.0.0/16' });
  const service: Service = {
    metadata: { namespace: 'default', name: 'sticky' },
    spec: { clusterIP: '10.96.0.7', ports: [{ port: 80 }], sessionAffinity: 'ClientIP' },
  };
  let lasts: readonly number[] = [];
  const slice = (): EndpointSlice => ({
    ...{ metadata: {}, addressType: 'IPv4', ports: [{ port: 8080 }] },
    endpoints: lasts.map((last) => ({ addresses: [`10.88.0.${last}`] })),
  });
  const router = new ServiceRouter({
    ...{ family: 'ip', table, clock, logger: silentLogger, isComplete: () => true },
    place: () => ({
      family: 'ip',
      nodeName: '',
      zone: undefined,
      nodeAddress: undefined,
      isOwn: () => false,
    }),
    ...{ service: () => service, slices: () => [slice()], furtherRanges: () => [] },
  });
  const become = async (...now: number[]) => {
    lasts = now;
    router.mark('default/sticky');
    await clock.advanceAsync(limits.retryMs);
  };
  await become(1, 2, 3);
  table.moves.length = 0;
  table.refuses = true;
  await become(2, 3);
  await become(3);
  await become(4, 3);
  table.refuses = false;
  await clock.advanceAsync(limits.retryMs);
  await router.close();
  assert.deepEqual(table.moves, ['0→undefined 1→undefined 2→0'], 'all at once');
});

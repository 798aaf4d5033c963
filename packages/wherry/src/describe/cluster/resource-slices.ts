import { kinds } from '@wherry/client';
import { type ResourceSlice, StatusError } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { columns, type Lines, section } from '../text/lines.ts';
import { sortedEntries } from '../text/values.ts';

const poolsShownMax = 10;

/** The pools of devices that a node alone has; nothing where slices may not be read. */
export async function sliceLines(node: string, surroundings: Surroundings): Promise<Lines> {
  const rows = poolRows(await slicesOf(node, surroundings));
  if (rows.length === 0) return [];
  const left = rows.length - poolsShownMax;
  return section('Node-Local ResourceSlices', [
    ...columns(['Driver', 'Pool', 'Slices', 'Devices'], rows.slice(0, poolsShownMax)),
    ...(left > 0 ? [`...and ${left} more pools`] : []),
  ]);
}

async function slicesOf(node: string, surroundings: Surroundings): Promise<ResourceSlice[]> {
  try {
    return await surroundings.list(kinds.resourceSlices, { fieldSelector: `spec.nodeName=${node}` });
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}

function poolRows(slices: readonly ResourceSlice[]): (string | number | undefined)[][] {
  const pools = Map.groupBy(slices, ({ spec }) => `${spec.driver}/${spec.pool.name}`);
  return sortedEntries(Object.fromEntries(pools)).map(([, all]) => {
    const devices = all.reduce((sum, { spec }) => sum + (spec.devices ?? []).length, 0);
    const [first] = all;
    return [first?.spec.driver, first?.spec.pool.name, all.length, devices];
  });
}

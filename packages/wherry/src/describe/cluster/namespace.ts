import { type KubeObject, kinds } from '@wherry/client';
import { hasReason, type Namespace } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { conditionTable } from '../text/conditions.ts';
import { metadataLines } from '../text/labels.ts';
import { field, type Lines } from '../text/lines.ts';
import { limitRangeLines, quotaLines } from './limits.ts';

/** A namespace, with its quotas and limits. */
export async function describeNamespace(one: Namespace, surroundings: Surroundings): Promise<Lines> {
  const { metadata, status } = one;
  const query = { namespace: metadata.name };
  const quotas = await unlessUnknown(surroundings.list(kinds.resourceQuotas, query));
  const ranges = await unlessUnknown(surroundings.list(kinds.limitRanges, query));
  const conditions = status?.conditions ?? [];
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    field('Status', status?.phase),
    ...(conditions.length > 0 ? conditionTable(conditions) : []),
    ...(quotas ? ['', ...quotaLines(quotas)] : []),
    ...(ranges ? ['', ...limitRangeLines(ranges)] : []),
  ];
}

/** Undefined of a server that does not know such objects. */
async function unlessUnknown<T extends KubeObject>(work: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

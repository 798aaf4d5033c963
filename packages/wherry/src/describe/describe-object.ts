import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { type Describer, describers } from './describers.ts';
import { describeAny } from './generic.ts';
import { type DescribeSettings, Surroundings } from './surroundings.ts';
import { aligned } from './text/aligned.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * What kubectl says of an object, as text that ends with a line's end: a summary, or every field of a kind that has none. Throws
 * what the server answers where something that the summary needs may not be read.
 */
export async function describeObject(
  {
    resource: { kind, group },
    object,
  }: { resource: Pick<DiscoveredResource, 'kind' | 'group'>; object: KubeObject },
  settings: DescribeSettings,
): Promise<string> {
  const own = describers.get(group === '' ? kind : `${kind}.${group}`) as Describer<KubeObject> | undefined;
  const surroundings = new Surroundings(settings);
  return aligned(await (own ? own(withoutNulls(object), surroundings) : describeAny(object, surroundings)));
}

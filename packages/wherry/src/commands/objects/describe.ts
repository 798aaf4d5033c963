import type { KubeClient } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { describeObject } from '../../describe/describe-object.ts';
import type { DescribeSettings } from '../../describe/surroundings.ts';
import { clientFor } from '../../kube/flags.ts';
import { listedNamespace, nothingFound } from '../../kube/scope.ts';
import { withType } from '../../objects/catalog.ts';
import {
  type FoundObject,
  fetchMeant,
  type Meant,
  meantUnfiltered,
  type SelectFlags,
} from '../../objects/find-objects.ts';
import { Failures } from '../../output/failures.ts';

/** Flags of `wherry describe`. */
export interface DescribeFlags extends SelectFlags {
  chunkSize: number;
  /** Undefined for those of an object that is described alone. */
  showEvents?: boolean;
}

/**
 * Prints of each object what its kind's summary tells, and what happened to it. Of one name that is nobody's those whose names begin
 * with it, as kubectl takes it.
 */
export async function describe(words: readonly string[], flags: DescribeFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures({ ignores: saidBefore() });
  const meant = await meantUnfiltered(client, { words, flags, isAllByDefault: true, failures });
  const found = await fetchMeant(client, meant, { flags, failures });
  const alike =
    words.length === 2 && hasReason(failures.only, 'NotFound') ? await namedAlike(client, meant, flags) : [];
  const { showEvents = failures.isEmpty && found.length === 1, chunkSize } = flags;
  const settings = { client, showEvents, chunkSize };
  if (alike.length > 0) return describeAlike(alike, settings);
  await describeAll(found, settings, failures);
  if (found.length === 0 && failures.isEmpty) console.error(nothingFound(listedNamespace(client, flags)));
  failures.report();
}

/** What fails for many objects in the same words, such as a list that may not be read, is said once. */
function saidBefore(): (error: unknown) => boolean {
  const said = new Set<string>();
  return (error) => {
    const { message } = error as Error;
    const isKnown = said.has(message);
    said.add(message);
    return isKnown;
  };
}

/** The objects of the type whose names begin with the only one that was meant. */
async function namedAlike(
  client: KubeClient,
  { named }: Meant,
  flags: DescribeFlags,
): Promise<FoundObject[]> {
  const [only, ...more] = named;
  if (!only || more.length > 0) return [];
  const failures = new Failures();
  const all = await fetchMeant(client, { named: [], selections: [only] }, { flags, failures });
  failures.report();
  return all.filter(({ name }) => name.startsWith(only.name));
}

/** The first that fails ends it, as at kubectl. */
async function describeAlike(found: readonly FoundObject[], settings: DescribeSettings): Promise<void> {
  for (const one of found) console.log(await textOf(one, settings));
}

async function describeAll(
  found: readonly FoundObject[],
  settings: DescribeSettings,
  failures: Failures,
): Promise<void> {
  let before = '';
  for (const one of found) {
    const text = await failures.attempt(textOf(one, settings));
    if (text === undefined) continue;
    console.log(before + text.slice(0, -1));
    before = '\n\n';
  }
}

const textOf = ({ resource, object }: FoundObject, settings: DescribeSettings): Promise<string> =>
  describeObject({ resource, object: withType(resource, object) }, settings);

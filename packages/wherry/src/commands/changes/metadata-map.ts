import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { causeAnnotations } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { localObjects, refuseServerDryRunLocally } from './local-objects.ts';

/** Flags of `wherry label` and `wherry annotate`. */
export interface MetadataMapFlags extends SelectFlags, OutcomeFlags {
  overwrite?: boolean;
  list?: boolean;
  /** Change what files hold, and ask no server. */
  local?: boolean;
  resourceVersion?: string;
  fieldManager: string;
}

/** What is to be set, and what to be taken away. */
export interface MapChanges {
  set: ReadonlyMap<string, string>;
  remove: readonly string[];
}

/** What is so of one of the two maps. */
export interface MapVerb {
  field: 'labels' | 'annotations';
  /** Throws `CommandError` where a value would be lost. */
  refuseOverwrites(current: ReadonlyMap<string, string>): void;
  /** What is said of an object that was changed so. */
  doneFor(added: number, removed: number): string;
  /** Said of keys that are not there to be removed. */
  absent?(key: string): string;
  /** What files are called where they are missing. */
  file: 'pod' | 'rsrc';
}

interface Change extends MapVerb {
  resources: readonly string[];
  changes: MapChanges;
}

/** Changes, or lists, the labels or annotations of objects. */
export async function changeMaps(change: Change, flags: MetadataMapFlags): Promise<void> {
  const { field, resources, changes } = change;
  refuseContradictions(change, flags);
  const client = flags.local ? undefined : clientFor(flags);
  const failures = new Failures();
  const found = client
    ? await findObjects(client, { words: resources, flags, failures })
    : await localObjects(flags, failures);
  const isOne = found.length === 1 && !flags.all && !flags.selector && !flags.fieldSelector;
  if (!isOne && flags.resourceVersion)
    throw new CommandError('--resource-version may only be used with a single resource');
  const tell = outcomePrinter(flags);
  for (const one of found) {
    const current = one.object.metadata?.[field] ?? {};
    const changed = await failures.attempt(changeOne(client, one, { change, flags }));
    if (!changed) continue;
    if (flags.list) {
      const { kind, group } = one.resource;
      if (!isOne) console.log(`Listing ${field} for ${kind}.${group}/${one.name}:`);
      const after = changed.metadata?.[field] ?? {};
      for (const [key, value] of Object.entries(after)) console.log(`${isOne ? '' : ' '}${key}=${value}`);
      continue;
    }
    const { added, removed } = countChanges(current, changes);
    tell({ resource: one.resource, object: changed, done: change.doneFor(added, removed) });
  }
  failures.report();
}

function refuseContradictions(
  { field, resources, changes, file }: Change,
  { list, output, all, selector, fieldSelector, filename, local, dryRun }: MetadataMapFlags,
): void {
  if (list && output !== undefined)
    throw new CommandError('--list and --output may not be specified together');
  if (all && selector) throw new CommandError('cannot set --all and --selector at the same time');
  if (all && fieldSelector) throw new CommandError('cannot set --all and --field-selector at the same time');
  refuseServerDryRunLocally({ local, dryRun });
  const files = `-f ${file}.yaml or --filename=${file}.json`;
  if (local && resources.length > 0)
    throw new CommandError(`can only use local files by ${files} when --local=true is set`);
  if (local && !filename) throw new CommandError(`one or more files must be specified as ${files}`);
  if (resources.length === 0 && !filename) {
    throw new CommandError(
      'one or more resources must be specified as <resource> <name> or <resource>/<name>',
    );
  }
  if (changes.set.size + changes.remove.length === 0 && !list)
    throw new CommandError(`at least one ${field.slice(0, -1)} update is required`);
}

/** Keys whose values would be lost. */
export const lostKeys = (current: ReadonlyMap<string, string>, { set }: MapChanges): string[] =>
  [...set].filter(([key, value]) => current.has(key) && current.get(key) !== value).map(([key]) => key);

function countChanges(current: Readonly<Record<string, string>>, { set, remove }: MapChanges) {
  const now = new Map(Object.entries(current));
  const added = [...set].filter(([key, value]) => now.get(key) !== value).length;
  const removed = remove.filter((key) => now.has(key)).length;
  return { added, removed };
}

async function changeOne(
  client: KubeClient | undefined,
  { resource, name, namespace, object }: FoundObject,
  { change, flags }: { change: Change; flags: MetadataMapFlags },
): Promise<KubeObject> {
  const { field, changes } = change;
  const current = object.metadata?.[field] ?? {};
  const server = flags.dryRun !== 'client' && !flags.list ? client : undefined;
  if (server && change.absent) {
    const gone = changes.remove.filter((key) => !Object.hasOwn(current, key));
    for (const key of gone) console.log(change.absent(key));
  }
  if (!flags.overwrite) change.refuseOverwrites(new Map(Object.entries(current)));
  const { added, removed } = countChanges(current, changes);
  const recorded = causeAnnotations(flags);
  // Annotations are sent with what is recorded among them, whatever else differs.
  const isSame = added + removed === 0 && (field === 'labels' || flags.changeCause === undefined);
  if (!server || isSame) return { ...object, metadata: changedMetadata(object, field, changes) };
  const values: [string, string | null][] = [
    ...changes.set,
    ...changes.remove.filter((key) => Object.hasOwn(current, key)).map((key): [string, null] => [key, null]),
  ];
  const { resourceVersion, fieldManager } = flags;
  const metadata = {
    ...(field === 'labels' && flags.changeCause !== undefined ? { annotations: recorded } : {}),
    [field]: { ...(field === 'annotations' ? recorded : {}), ...Object.fromEntries(values) },
    ...(resourceVersion ? { resourceVersion } : {}),
  };
  return server.resource<KubeObject>(resource).patch({
    ...{ type: 'merge', name, namespace, patch: { metadata }, fieldManager },
    dryRun: flags.dryRun === 'server',
  });
}

function changedMetadata(object: KubeObject, field: MapVerb['field'], { set, remove }: MapChanges) {
  const after = new Map([...Object.entries(object.metadata?.[field] ?? {}), ...set]);
  for (const key of remove) after.delete(key);
  return { ...object.metadata, [field]: Object.fromEntries(after) };
}

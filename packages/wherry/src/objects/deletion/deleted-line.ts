import type { OutputFormat } from '../../output/output-format.ts';
import { typeName } from '../catalog.ts';
import { type DryRun, dryRunWords } from '../outcome.ts';
import type { NamedObject } from '../targets.ts';

/** How an object was deleted, and how that is told. */
export interface DeletedLineOptions {
  /** `name` for the object's name alone. */
  output?: OutputFormat | undefined;
  /** Nobody waits for what runs in it. */
  isForced?: boolean | undefined;
  dryRun?: DryRun | undefined;
}

/** What kubectl says of an object that is deleted: `pod "web" deleted from default namespace`. */
export function deletedLine(
  { resource, name, namespace }: NamedObject,
  { output, isForced = false, dryRun }: DeletedLineOptions = {},
): string {
  const type = typeName(resource);
  if (output === 'name') return `${type}/${name}`;
  const done = isForced ? 'force deleted' : 'deleted';
  const from = namespace === undefined ? '' : ` from ${namespace} namespace`;
  return `${type} "${name}" ${done}${from}${dryRunWords.get(dryRun) ?? ''}`;
}

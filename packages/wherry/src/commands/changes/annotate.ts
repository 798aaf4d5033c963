import { CommandError } from '../../errors.ts';
import { changeCauseAnnotation } from '../../objects/change-cause.ts';
import { changeMaps, lostKeys, type MapChanges, type MetadataMapFlags } from './metadata-map.ts';
import { splitPairs } from './pairs.ts';

/** Sets annotations of objects by `KEY=VALUE`, takes them away by `KEY-`, or lists them. */
export async function annotate(words: readonly string[], flags: MetadataMapFlags): Promise<void> {
  const { resources, pairs } = splitPairs(words, 'annotation');
  const changes = readAnnotations(pairs);
  const both = changes.remove.filter((key) => changes.set.has(key));
  if (both.length > 0) {
    throw new CommandError(
      `can not both modify and remove the following annotation(s) in the same command: ${both.join(', ')}`,
    );
  }
  const refuseOverwrites = (current: ReadonlyMap<string, string>) => {
    const each = lostKeys(current, changes)
      // May always be overwritten.
      .filter((key) => key !== changeCauseAnnotation)
      .map((key) => `'${key}' already has a value (${current.get(key)})`);
    if (each.length === 0) return;
    throw new CommandError(
      `--overwrite is false but found the following declared annotation(s): ${each.join('; ')}`,
    );
  };
  await changeMaps(
    { field: 'annotations', resources, changes, refuseOverwrites, doneFor: () => 'annotated', file: 'rsrc' },
    flags,
  );
}

function readAnnotations(pairs: readonly string[]): MapChanges {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at > 0) set.set(pair.slice(0, at), pair.slice(at + 1));
    else remove.push(pair.slice(0, -1));
  }
  return { set, remove };
}

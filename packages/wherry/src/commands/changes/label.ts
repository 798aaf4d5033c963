import { labelValueFormat } from '@wherry/kubeapi';
import { CommandError, SeveralProblems } from '../../errors.ts';
import { changeMaps, lostKeys, type MapChanges, type MetadataMapFlags } from './metadata-map.ts';
import { splitPairs } from './pairs.ts';

/** Sets labels of objects by `KEY=VALUE`, takes them away by `KEY-`, or lists them. */
export async function label(words: readonly string[], flags: MetadataMapFlags): Promise<void> {
  const { resources, pairs } = splitPairs(words, 'label');
  const changes = readLabels(pairs);
  const refuseOverwrites = (current: ReadonlyMap<string, string>) => {
    const each = lostKeys(current, changes).map(
      (key) => `'${key}' already has a value (${current.get(key)}), and --overwrite is false`,
    );
    if (each.length > 0) throw new SeveralProblems(each);
  };
  const doneFor = (added: number, removed: number) => {
    if (added > 0) return removed > 0 ? 'modified' : 'labeled';
    return removed > 0 ? 'unlabeled' : 'not labeled';
  };
  const absent = (key: string) => `label "${key}" not found.`;
  await changeMaps(
    { field: 'labels', resources, changes, refuseOverwrites, doneFor, absent, file: 'pod' },
    flags,
  );
}

function readLabels(pairs: readonly string[]): MapChanges {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    if (!pair.includes('=')) {
      remove.push(pair.slice(0, -1));
      continue;
    }
    const [key = '', value = '', ...more] = pair.split('=');
    if (more.length > 0) throw new CommandError(`invalid label spec: ${pair}`);
    const problems = labelValueFormat(value);
    if (problems.length > 0) throw new CommandError(`invalid label value: "${pair}": ${problems.join(';')}`);
    set.set(key, value);
  }
  if (remove.some((key) => set.has(key)))
    throw new CommandError('can not both modify and remove a label in the same command');
  return { set, remove };
}

import type { EnvVar } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';

/** What is to be set, and the names of what is to be taken away. */
export interface VariableChanges {
  set: readonly EnvVar[];
  remove: readonly string[];
}

/**
 * The variables of a container behind a change. One that is set takes the place of all that had its name; what is set and taken away
 * is gone.
 */
export function changedVariables(present: readonly EnvVar[], { set, remove }: VariableChanges): EnvVar[] {
  const covered = new Set(remove);
  const changed: EnvVar[] = [];
  for (const one of [...present, ...set]) {
    if (covered.has(one.name)) continue;
    const wanted = set.find(({ name }) => name === one.name);
    if (wanted) covered.add(one.name);
    changed.push(wanted ?? one);
  }
  return changed;
}

/** Throws `CommandError` where a value would be lost. */
export function refuseOverwrites(present: readonly EnvVar[], { set }: VariableChanges): void {
  for (const { name, value = '' } of set) {
    const current = present.find((one) => one.name === name);
    if (!current || (current.value ?? '') === value) continue;
    throw new CommandError(
      `'${name}' already has a value (${current.value ?? ''}), and --overwrite is false`,
    );
  }
}

import { resolve } from 'node:path';
import { shownJson } from '@wherry/bytes';
import type { GivenFlags } from '@wherry/node';
import { type FlaggedRole, givenFlagsProblem, isPathFlag } from '@wherry/node/roles';
import type { Place } from './place.ts';

/** A flag's value, as YAML has it. */
const textOf = (place: Place): string =>
  ['number', 'boolean'].includes(typeof place.value) ? shownJson(place.value) : place.text();

/**
 * Flags that a file gives a process: texts, numbers, switches, or a list where a flag is repeated. Paths are those of the file's folder.
 * Throws `CommandError` with file and line for what the process does not take.
 */
export function givenFlagsOf(
  role: FlaggedRole,
  place: Place | undefined,
  folder: string,
): GivenFlags | undefined {
  return place?.map((flag, name) => {
    const texts = Array.isArray(flag.value) ? flag.list().map(textOf) : [textOf(flag)];
    const values = isPathFlag(role, name) ? texts.map((path) => resolve(folder, path)) : texts;
    const problem = givenFlagsProblem(role, { [name]: values });
    if (problem !== undefined) throw flag.wrong(problem);
    return values;
  });
}

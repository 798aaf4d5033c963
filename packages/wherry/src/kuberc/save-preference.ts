import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { CommandError } from '../errors.ts';
import { sortedKeys, toJson } from '../output/json.ts';
import { formatKyaml } from '../output/kyaml/kyaml.ts';
import { printValue } from '../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../output/output-format.ts';

/** Writes preferences as kubectl does, and says so. */
export function savePreference(preference: object, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(path, `${yamlOf(preference)}\n`, { mode: 0o644 });
  } catch (error) {
    throw new CommandError(`failed to write kuberc file: ${(error as Error).message}`, { cause: error });
  }
  console.log(`Updated ${path}`);
}

/** Prints preferences; as YAML unless told otherwise. */
export function printPreference(preference: object, output: OutputFormat = 'yaml'): void {
  if (output === 'yaml') console.log(yamlOf(preference));
  else if (output === 'json') console.log(toJson(preference, 4));
  else if (output === 'kyaml') console.log(formatKyaml(preference, { isSorted: false }));
  else if (output !== 'name' && isValueFormat(output)) printValue(preference, output);
}

const yamlOf = (preference: object): string =>
  stringify(sortedKeys(preference), {
    ...{ lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false, compat: 'yaml-1.1' },
  }).trimEnd();

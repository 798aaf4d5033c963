import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeYaml, type YamlValue } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { printValue } from '../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../output/output-format.ts';

/** Writes preferences as kubectl does, and says so. */
export function savePreference(preference: object, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(path, writeYaml(preference as YamlValue), { mode: 0o644 });
  } catch (error) {
    throw new CommandError(`failed to write kuberc file: ${(error as Error).message}`, { cause: error });
  }
  console.log(`Updated ${path}`);
}

/** Prints preferences; as YAML unless told otherwise. */
export function printPreference(preference: object, output: OutputFormat = 'yaml'): void {
  if (isValueFormat(output)) printValue(preference, output);
}

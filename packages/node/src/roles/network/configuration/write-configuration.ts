import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

/** Writes a configuration as YAML. Throws what the file system says. */
export function writeConfiguration(file: string, configuration: unknown): void {
  writeFileSync(file, stringify(configuration));
}

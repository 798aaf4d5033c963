/** What all `scripts/generate.ts` have in common: `node SCRIPT [VERSION] [--into FOLDER]`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/** How a generator was called. */
export interface Generation {
  /** From the root of the repository, as the header of its files names it. */
  script: string;
  /** Of the source. */
  version: string;
  /** Where its files go; `src/generated` of its package unless told otherwise. */
  folder: string;
}

/** Reads the command line of the generator in `scriptFolder` (its `import.meta.dirname`). */
export function readGeneration(scriptFolder: string, standardVersion: string): Generation {
  const { values, positionals } = parseArgs({
    options: { into: { type: 'string' } },
    allowPositionals: true,
  });
  return {
    script: join(relative(join(import.meta.dirname, '..'), scriptFolder), 'generate.ts'),
    version: positionals[0] ?? standardVersion,
    folder: values.into ?? join(scriptFolder, '../src/generated'),
  };
}

/** Writes one file, headed by its source (`Kubernetes 1.36.2`) and by how to make it again. */
export function writeGenerated(
  { script, version, folder }: Generation,
  { name, source, text }: { name: string; source: string; text: string },
): void {
  const header = `// Generated from the facts of ${source}. Do not edit; make it again: node ${script} ${version}\n\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), header + text);
}

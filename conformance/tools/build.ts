/** Programs in Go that developers run, as their modules have them. */
import { join } from 'node:path';
import { buildFrom, sourceOf } from '../peers/go-sources.ts';

const skaffold = { module: 'github.com/GoogleContainerTools/skaffold/v2', version: 'v2.16.1' };

const programs = {
  // It stands in place of other modules of several that it needs, which only a main module does.
  skaffold: { source: () => sourceOf('skaffold', skaffold), path: './cmd/skaffold' },
  kail: { source: () => join(import.meta.dirname, 'kail'), path: 'github.com/boz/kail/cmd/kail' },
} as const;

/** Builds one of them and answers its path. The first time it compiles for minutes. */
export async function buildTool(name: keyof typeof programs): Promise<string> {
  const { source, path } = programs[name];
  return buildFrom(await source(), { name, path });
}

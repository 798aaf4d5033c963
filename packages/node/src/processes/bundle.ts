import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { modulesOf } from './source-modules.ts';

/** What is bundled, and into which folder. */
export interface BundleRequest {
  /** The module that is run. */
  program: string;
  /** Folder of the packages whose modules it may load. */
  packages: string;
  folder: string;
  /**
   * How packages from elsewhere are found: as each module finds them on this machine, or by their names from wherever the
   * bundle will lie; such a one is made small.
   */
  externals: 'absolute' | 'named';
}

/**
 * Writes a program and its threads into a folder, as JavaScript without types: all modules of the workspace in it that they
 * load, in few files. Modules named `*-thread.ts` are threads' programs, each in a file of that name. Gives what the
 * bundle loads from elsewhere. Throws where a module would look for something else beside itself.
 */
export async function bundle({ program, packages, folder, externals }: BundleRequest): Promise<string[]> {
  const threads = modulesOf(packages).filter((path) => path.endsWith('-thread.ts'));
  const { metafile } = await build({
    entryPoints: [program, ...threads.map((path) => join(packages, path))],
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: [],
    mainFields: ['main'],
    plugins: [externals === 'named' ? namedPackages : installedPackages, threadsBeside],
    ...(externals === 'named' && { minifyWhitespace: true, lineLimit: 160 }),
    logLevel: 'silent',
  });
  return externalsOf(metafile);
}

const isOurs = (path: string) => path.startsWith('@wherry/') || path.startsWith('node:');

const namedPackages: Plugin = {
  name: 'named-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || isOurs(path) ? undefined : { path, external: true },
    ),
};

/** Set while a module of another package is looked up by the bundler's own rules. */
const lookedUp = Symbol('looked up');

const installedPackages: Plugin = {
  name: 'installed-packages',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || isOurs(path) || pluginData === lookedUp) return undefined;
      const found = await resolve(path, { kind, resolveDir, importer, pluginData: lookedUp });
      return { path: pathToFileURL(found.path).href, external: true, errors: found.errors };
    }),
};

const threadAddress = /new URL\('\.\/(?:[\w-]+\/)*([\w-]+-thread)\.ts', import\.meta\.url\)/g;

/** Threads lie beside the bundle. */
const threadsBeside: Plugin = {
  name: 'threads-beside',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (source.replaceAll(threadAddress, '').includes('import.meta'))
        throw new Error(`${path}: finds no more beside itself in a bundle than threads, *-thread.ts`);
      const contents = source.replaceAll(threadAddress, "new URL('./$1.js', import.meta.url)");
      return { contents, loader: 'ts' as const };
    }),
};

function externalsOf({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ external, path }) => external && !path.startsWith('node:'));
  return [...new Set(names.map(({ path }) => path))].sort();
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { modulesOf } from './source-modules.ts';

/** Set while a module of another package is looked up by the bundler's own rules. */
const lookedUp = Symbol('looked up');

/**
 * Writes a program and its threads into a folder, as JavaScript without types: all modules of the workspace in it that they
 * load, in few files. Modules named `*-thread.ts` are threads' programs, each in a file of that name. Packages from
 * elsewhere stay where they are installed.
 */
export async function bundle(program: string, packages: string, folder: string): Promise<void> {
  const threads = modulesOf(packages).filter((path) => path.endsWith('-thread.ts'));
  await build({
    entryPoints: [program, ...threads.map((path) => join(packages, path))],
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    conditions: [],
    mainFields: ['main'],
    plugins: [externalPackages, ownAddresses],
    logLevel: 'silent',
  });
}

/** Packages from elsewhere are loaded from where the module that imports them finds them. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup(context) {
    context.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      const isOurs = kind === 'entry-point' || path.startsWith('@wherry/') || path.startsWith('node:');
      if (isOurs || pluginData === lookedUp) return undefined;
      const found = await context.resolve(path, { kind, resolveDir, importer, pluginData: lookedUp });
      return { path: pathToFileURL(found.path).href, external: true, errors: found.errors };
    });
  },
};

/** What a module finds beside itself it finds from the bundle: threads in it, everything else where the module was. */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup(context) {
    context.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replace(
          /new URL\('\.\/(?:[\w-]+\/)*([\w-]+-thread)\.ts', import\.meta\.url\)/g,
          "new URL('./$1.js', import.meta.here)",
        )
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.here', 'import.meta.url'),
      loader: 'ts',
    }));
  },
};

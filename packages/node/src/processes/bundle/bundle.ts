import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { DirectImports } from './direct-imports.ts';
import { signOf } from './sign.ts';
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

/** What a bundle was made of. */
export interface Bundled {
  /** What it loads from elsewhere, by the names or addresses that stand in it. */
  externals: string[];
  /** The files that are in it, and what `signOf` said of each before it was read. */
  files: Map<string, string>;
}

/**
 * Writes a program and its threads into a folder, as JavaScript without types: all modules of the workspace in it that they
 * load, in few files. Modules named `*-thread.ts` are threads' programs, each in a file of that name. The URL that a module
 * knows of itself is where it lies outside of the bundle: it finds there what lies beside it. Throws where it asks for more.
 */
export async function bundle({ program, packages, folder, externals }: BundleRequest): Promise<Bundled> {
  const threads = modulesOf(packages).filter((path) => path.endsWith('-thread.ts'));
  const files = new Map<string, string>();
  const direct = new DirectImports(packages, (path) => files.set(path, signOf(path) ?? ''));
  const addressOf = externals === 'named' ? installedAddress : cloneAddress;
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
    plugins: [
      externals === 'named' ? namedPackages : installedPackages,
      sources(files, direct, (path) => addressOf(packages, path)),
    ],
    ...(externals === 'named' && { minifyWhitespace: true, lineLimit: 160 }),
    logLevel: 'silent',
  });
  return { externals: externalsOf(metafile), files };
}

const isOurs = (path: string) => path.startsWith('@wherry/') || path.startsWith('node:');

/** Of packages from elsewhere, this one is loaded for what that does; the others where something of them is used. */
const hasEffects = (path: string) => path === 'reflect-metadata';

const namedPackages: Plugin = {
  name: 'named-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || isOurs(path)
        ? undefined
        : { path, external: true, sideEffects: hasEffects(path) },
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
      const { href } = pathToFileURL(found.path);
      return { path: href, external: true, sideEffects: hasEffects(path), errors: found.errors };
    }),
};

/** A module's address in a clone, as an expression. */
const cloneAddress = (_packages: string, path: string) => JSON.stringify(pathToFileURL(path).href);

/** A module's address where its package is installed beside the bundle, as an expression. */
function installedAddress(packages: string, path: string): string {
  const [member = '', , ...inside] = relative(packages, path).split('/');
  const { name } = JSON.parse(readFileSync(join(packages, member, 'package.json'), 'utf8')) as {
    name: string;
  };
  const compiled = join('dist', ...inside).replace(/\.ts$/, '.js');
  return `new URL('./${compiled}',${meta}.resolve('${name}/package.json')).href`;
}

/** How a module says its own address; put together, since this module is in bundles, too. */
const meta = ['import', 'meta'].join('.');
const here = `${meta}.url`;

/** Where a module says its own URL, and what it looks for from there. */
const ownAddress = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)|import\.meta\.url/g;

/** Reads modules so that each finds itself where it is outside of the bundle, and its threads beside the bundle. */
const sources = (
  files: Map<string, string>,
  direct: DirectImports,
  addressOf: (path: string) => string,
): Plugin => ({
  name: 'sources',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(ts|json)$/ }, ({ path }) => {
      files.set(path, signOf(path) ?? '');
      const source = readFileSync(path, 'utf8');
      if (path.endsWith('.json')) return { contents: source, loader: 'json' as const };
      if (source.replaceAll(ownAddress, '').includes(meta))
        throw new Error(`${path}: in a bundle ${meta} has no more than a URL`);
      const address = addressOf(path);
      const extension = address.startsWith('new ') ? 'js' : 'ts';
      const contents = direct.rewrite(source).replaceAll(ownAddress, (_, neighbour?: string) => {
        if (neighbour === undefined) return address;
        if (neighbour.endsWith('-thread')) return `new URL('./${basename(neighbour)}.js', ${here})`;
        return `new URL('${neighbour}.${extension}', ${address})`;
      });
      return { contents, loader: 'ts' as const };
    }),
});

function externalsOf({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ external, path }) => external && !path.startsWith('node:'));
  return [...new Set(names.map(({ path }) => path))].sort();
}

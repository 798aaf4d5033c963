import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Browsers of the last years: all that has `Promise.withResolvers`. */
const target = ['chrome119', 'firefox121', 'safari17.4'];

/**
 * Makes the files of the page from its sources in `folder`: one script, one style sheet, what lies there as it is, and the
 * licences of what came in from other packages. Throws with the bundler's complaints.
 */
export async function buildPage(folder: string): Promise<Map<string, Uint8Array>> {
  const { outputFiles, metafile } = await build({
    entryPoints: { page: join(folder, 'main.ts'), styles: join(folder, 'styles.css') },
    outdir: folder,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target,
    legalComments: 'none',
    plugins: [unusedNode],
    logLevel: 'silent',
  });
  const needed = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  if (needed.length > 0) throw new Error(`the page would need ${needed.join(', ')}`);
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  for (const name of readdirSync(folder))
    if (/\.(html|svg)$/.test(name)) files.set(name, readFileSync(join(folder, name)));
  files.set('licenses.txt', Buffer.from(licensesOf(metafile)));
  return files;
}

/** Rules of kinds stand beside their printers, and need Node; of them nothing comes into the page. */
const unusedNode: Plugin = {
  name: 'unused-node',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false })),
};

/** The licences of the packages that a bundle has something of. Their paths are relative to where the process works. */
function licensesOf({ inputs }: Metafile): string {
  const folders = new Map<string, string>();
  for (const path of Object.keys(inputs)) {
    const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(name, folder);
  }
  const texts = [...folders].sort().map(([name, folder]) => {
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((one) =>
      existsSync(join(folder, one)),
    );
    if (file === undefined) throw new Error(`${name}: brings no licence, and its code is in the page`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n----\n\n');
}

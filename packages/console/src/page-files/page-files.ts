import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConsoleError } from '../errors.ts';

/** A file of the page, held in memory. */
export interface PageFile {
  contentType: string;
  content: Uint8Array;
}

/** The files of the page by their names. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
]);

/** The page: as it was shipped, or built from its sources in a clone. Throws `ConsoleError` `page`. */
export async function pageFiles(): Promise<PageFiles> {
  const own = import.meta.url;
  const contents = own.endsWith('.ts') ? await builtPage() : shippedPage(new URL('../../page/', own));
  return new Map([...contents].map(([name, content]) => [name, { contentType: typeOf(name), content }]));
}

/** A page that is looked at while it is written is always that of the sources: bundling takes a fraction of a second. */
async function builtPage(): Promise<Map<string, Uint8Array>> {
  const { buildPage } = await import('./build-page.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConsoleError('page', 'the page is not built, and esbuild is not installed: run npm install');
  });
  return buildPage(fileURLToPath(new URL('../page/', import.meta.url)));
}

function shippedPage(folder: URL): Map<string, Uint8Array> {
  try {
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));
  } catch (error) {
    const message = `the page is missing from this installation: ${(error as Error).message}; install it again`;
    throw new ConsoleError('page', message, { cause: error });
  }
}

const typeOf = (name: string): string =>
  contentTypes.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';

import { type Exceptions, filesMax } from './exceptions.ts';
import { circleOf, type Folder, knots } from './folders.ts';
import type { SourceFile } from './source-files.ts';

const place = 'tools/floors/exceptions.ts';

/** Circles of imports between the entries of one folder, beyond the known ones, and known ones that are gone. */
export function circleComplaints(folders: readonly Folder[], known: Exceptions['circles']): string[] {
  return compared(
    folders.map((folder) => {
      const found = knots(folder);
      return [
        folder.path,
        found.flat().length,
        `imports in a circle: ${found.map((knot) => circleOf(knot, folder)).join('; ')}`,
      ];
    }),
    known,
  );
}

/** Folders with more source files than a listing should have, and reasons that are no longer needed. */
export function sizeComplaints(folders: readonly Folder[], known: Exceptions['largeFolders']): string[] {
  return compared(
    folders.map(({ path, fileCount }) => [
      path,
      fileCount > filesMax ? fileCount : 0,
      `${fileCount} source files are more than ${filesMax}; part them by subject`,
    ]),
    Object.fromEntries(Object.entries(known).map(([path, [files]]) => [path, files])),
  );
}

/** Files of a core that import Node's modules without a reason, and reasons without such a file. */
export function nodeComplaints(
  files: readonly SourceFile[],
  cores: readonly string[],
  known: Exceptions['nodeFiles'],
): string[] {
  const found = importers(files, cores, /^node:/);
  return [
    ...found
      .filter((path) => !Object.hasOwn(known, path))
      .map((path) => `${path}: imports node:…, which this core does without; take it as a parameter`),
    ...Object.keys(known)
      .filter((path) => !found.includes(path))
      .map((path) => `${path}: imports no node:… any more; take it off ${place}`),
  ];
}

/** Files of a timeless core that import the clock. */
export function timeComplaints(files: readonly SourceFile[], cores: readonly string[]): string[] {
  return importers(files, cores, /^@wherry\/clock$/).map(
    (path) => `${path}: imports the clock; this core is handed its time`,
  );
}

const importers = (files: readonly SourceFile[], cores: readonly string[], what: RegExp) =>
  files
    .filter(({ path, isShipped }) => isShipped && cores.some((core) => path.startsWith(`${core}/`)))
    .filter(({ specifiers }) => specifiers.some((specifier) => what.test(specifier)))
    .map(({ path }) => path);

function compared(
  found: readonly (readonly [path: string, count: number, breach: string])[],
  known: Readonly<Record<string, number>>,
): string[] {
  const counts = new Map(found.map(([path, count]) => [path, count]));
  const allowed = (path: string) => (Object.hasOwn(known, path) ? (known[path] ?? 0) : 0);
  return [
    ...found
      .filter(([path, count]) => count > allowed(path))
      .map(
        ([path, count, breach]) =>
          `${path}: ${breach}${allowed(path) ? ` (${count}, ${allowed(path)} known)` : ''}`,
      ),
    ...Object.entries(known)
      .filter(([path, count]) => (counts.get(path) ?? 0) < count)
      .map(([path, count]) => {
        const left = counts.get(path) ?? 0;
        const remedy = left === 0 ? 'take it off' : `write ${left} into`;
        return `${path}: better than the ${count} known; ${remedy} ${place}`;
      }),
  ];
}

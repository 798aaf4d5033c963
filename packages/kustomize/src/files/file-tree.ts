/** The files that a kustomization is made of: those of a machine, or others. */
import { KustomizeError } from '../errors.ts';

/** Absolute paths with slashes. */
export interface FileTree {
  /** Where a path leads when all links are followed; undefined where nothing is there. */
  locate(path: string): { path: string; isFolder: boolean } | undefined;
  /** The content of a file that was located. */
  read(path: string): Uint8Array;
}

/** Files that are held in memory, by their absolute path. */
export function memoryFiles(files: Readonly<Record<string, string | Uint8Array>>): FileTree {
  const held = new Map(Object.entries(files));
  return {
    locate(path) {
      if (held.has(path)) return { path, isFolder: false };
      const below = path === '/' ? '/' : `${path}/`;
      return [...held.keys()].some((one) => one.startsWith(below)) ? { path, isFolder: true } : undefined;
    },
    read(path) {
      const content = held.get(path);
      if (content === undefined) throw new KustomizeError(`no file ${path}`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
  };
}

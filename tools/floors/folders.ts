import { posix } from 'node:path';
import { circleThrough, groups } from './knots.ts';
import { neighbours, type SourceFile } from './source-files.ts';

/** A folder below `src`: its entries (files and folders in it), and which of them import which. */
export interface Folder {
  path: string;
  /** Source files directly in it, without tests and generated ones. */
  fileCount: number;
  /** Entries of this folder that each entry imports something of; never itself. */
  arrows: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The folders of shipped files, by path. An import is an arrow in the innermost folder that holds both its ends. */
export function folders(files: readonly SourceFile[]): Folder[] {
  const found = new Map<string, { path: string; fileCount: number; arrows: Map<string, Set<string>> }>();
  const entry = (path: string, name: string): Set<string> => {
    const folder = found.get(path) ?? { path, fileCount: 0, arrows: new Map() };
    found.set(path, folder);
    const targets = folder.arrows.get(name) ?? new Set();
    folder.arrows.set(name, targets);
    return targets;
  };
  for (const file of files.filter(({ isShipped }) => isShipped)) {
    const parts = file.path.split('/');
    for (let depth = 3; depth < parts.length; depth += 1)
      entry(parts.slice(0, depth).join('/'), parts[depth]!);
    if (!file.isGenerated) found.get(posix.dirname(file.path))!.fileCount += 1;
    for (const target of neighbours(file)) {
      const others = target.split('/');
      const depth = parts.findIndex((part, at) => part !== others[at]);
      if (depth >= 3) entry(parts.slice(0, depth).join('/'), parts[depth]!).add(others[depth]!);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Entries of a folder that import each other in a circle, directly or through others. */
export function knots({ arrows }: Folder): string[][] {
  return groups(arrows).filter(({ length }) => length > 1);
}

/** A shortest circle of a knot, in words. */
export function circleOf(knot: readonly string[], { arrows }: Folder): string {
  return circleThrough(knot[0] ?? '', arrows).join(' → ');
}

/**
 * The folder's sub-folders by layer, the topmost first: `proxy > spdy websocket > http`. Those of a circle stand in
 * brackets. Loose files take part without being named. Empty with fewer than two sub-folders.
 */
export function layersOf({ arrows }: Folder): string {
  const depths = new Map<string, number>();
  const layers: string[][] = [];
  for (const group of groups(arrows)) {
    const isFolder = group.filter((name) => !name.endsWith('.ts'));
    const below = group
      .flatMap((name) => [...(arrows.get(name) ?? [])])
      .filter((name) => !group.includes(name));
    const under = Math.max(-1, ...below.map((name) => depths.get(name) ?? -1));
    const depth = isFolder.length > 0 ? under + 1 : under;
    for (const name of group) depths.set(name, depth);
    if (isFolder.length === 0) continue;
    const title = isFolder.join(' ');
    layers[depth] = [...(layers[depth] ?? []), group.length > 1 ? `(${title})` : title];
  }
  const named = layers.map((titles) => titles.sort().join(' ')).reverse();
  return named.join(' > ').split(/[ >]+/).length > 1 ? named.join(' > ') : '';
}

/** Namespaces that are pinned without being there, in place of `packages/linux/src/namespace/namespace.ts`. */
import { join } from 'node:path';
import { bindMount, unmount } from '../../packages/linux/src/filesystem/mount.ts';
import type { PinRequest } from '../../packages/linux/src/namespace/namespace.ts';
import { namespaceFile } from '../machine/attributes.ts';
import { closeSync, openSync, rmSync } from '../machine/files.ts';

export function pinNamespaces({ types, directory, inside }: PinRequest): Record<string, string> {
  const pins = Object.fromEntries(types.map((type) => [type, join(directory, type)]));
  try {
    for (const path of Object.values(pins)) {
      closeSync(openSync(path, 'w', 0o444));
      bindMount(namespaceFile, path);
    }
    inside?.();
  } catch (error) {
    for (const path of Object.values(pins)) unpinNamespace(path);
    throw error;
  }
  return pins;
}

export function unpinNamespace(path: string): void {
  unmount(path, { detach: true });
  rmSync(path, { force: true });
}

export const withNetworkNamespace = <T>(_path: string, action: () => T): T => action();
export const setHostname = (): void => {};
export const enterNamespaces = (_pins: unknown, action: () => void): void => action();

import { type FSWatcher, readFileSync, watch } from 'node:fs';

/**
 * Resolves with what to say when the file that was read has other content: who runs it starts it anew, as upstream ends then. Of a
 * file in a ConfigMap's volume the kernel tells when the kubelet replaces it.
 */
export function configurationChange(file: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const before = readFileSync(file);
  const look = () => {
    let now: Buffer;
    try {
      now = readFileSync(file);
    } catch {
      // It is gone, or about to be replaced: what was read holds.
      return;
    }
    if (!now.equals(before)) resolve(`the content of the configuration "${file}" has changed`);
  };
  let watcher: FSWatcher;
  try {
    watcher = watch(file, { persistent: false, signal }, look);
  } catch {
    // No watches are left: what was read holds until somebody starts it anew.
    return promise;
  }
  watcher.on('error', () => watcher.close());
  return promise;
}

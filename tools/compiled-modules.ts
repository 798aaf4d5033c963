import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has the processes that this one starts share what they compile, in a folder that goes with it: each test file is a
 * process of its own, and they load the same modules. What `NODE_COMPILE_CACHE` says already stays.
 */
export function shareCompiledModules(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'wherry-compiled-'));
  process.env['NODE_COMPILE_CACHE'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

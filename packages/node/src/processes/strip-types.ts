/**
 * Writes every module of a folder of packages without its types into the folder of STATE, each under the digest of its
 * source, removes what is of no use there any more, and makes STATE last: `node strip-types.ts PACKAGES STATE`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { modulesOf } from './source-modules.ts';

const [packages = '', state = ''] = process.argv.slice(2);
const folder = dirname(state);
const kept = new Set([basename(state)]);

/** A file is there as a whole or not at all, also for those who read it meanwhile. */
function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Whether another process like this one, which a start beside this one has begun, has yet to finish that file. */
function isBeingWritten(name: string): boolean {
  const [, pid] = /\.(\d+)$/.exec(name) ?? [];
  return pid !== undefined && existsSync(`/proc/${pid}`);
}

for (const path of modulesOf(packages)) {
  const source = readFileSync(join(packages, path), 'utf8');
  const digest = createHash('sha256').update(source).digest('hex');
  kept.add(digest);
  const target = join(folder, digest);
  if (!existsSync(target)) writeWhole(target, `${stripTypeScriptTypes(source)}\n// ${digest}\n`);
}
for (const name of readdirSync(folder))
  if (!kept.has(name) && !isBeingWritten(name)) rmSync(join(folder, name), { force: true });
writeWhole(state, '');

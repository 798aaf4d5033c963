import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCacheFolder, roleProgram } from '@wherry/node/program';
import { placeKeeperProgram } from '@wherry/node/store-place';
import { CommandError } from '../../errors.ts';
import { launcher } from './launcher.ts';

/** Options of `wherry envtest`. */
export interface EnvtestOptions {
  out?: string;
}

const wherry = fileURLToPath(new URL('../../../bin/wherry.cjs', import.meta.url));

/** What envtest starts, and by which words of Node each is: they end with what it is given. */
const programs = (): Readonly<Record<string, readonly string[]>> => ({
  'kube-apiserver': [wherry, 'apiserver'],
  etcd: [fileURLToPath(placeKeeperProgram)],
  kubectl: [wherry],
});

/** Writes a launcher of each program that envtest starts, and prints their folder. May be repeated, also at the same time. */
export async function envtest({ out }: EnvtestOptions): Promise<void> {
  const folder = out === undefined ? usualFolder() : resolve(out);
  mkdirSync(folder, { recursive: true });
  for (const [name, words] of Object.entries(programs()))
    writeProgram(join(folder, name), launcher([process.execPath, ...words]));
  // What a clone has to make first takes longer, on a busy machine, than envtest waits for a server.
  await roleProgram();
  console.log(folder);
}

function usualFolder(): string {
  const cache = compileCacheFolder();
  if (cache !== undefined) return join(cache, 'envtest');
  throw new CommandError('this user has no folder for what can be made again: say where, by --out DIR');
}

/** Who starts it meanwhile finds the old one or the new one, whole. */
function writeProgram(path: string, text: string): void {
  const made = `${path}.${process.pid}`;
  try {
    writeFileSync(made, text, { flag: 'wx', mode: 0o755 });
    // Whatever the umask says: it is a program.
    chmodSync(made, 0o755);
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

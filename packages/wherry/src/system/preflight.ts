import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chrootRefusal, isInChroot, rightsRefusal } from '@wherry/linux';
import { CommandError } from '../errors.ts';

/** A program that a node drives: one of several, why, and the Debian package of the first. */
interface Needed {
  oneOf: readonly string[];
  purpose: string;
  packageName: string;
}

const needed: readonly Needed[] = [
  { oneOf: ['runc', 'crun'], purpose: 'creates and starts containers', packageName: 'runc' },
  { oneOf: ['nft'], purpose: 'gives pods their network', packageName: 'nftables' },
];

/**
 * Refuses what a node cannot begin without: root with its rights, a root file system of its own, and programs in the path. Throws `CommandError` that names all that is
 * missing and how to get it.
 */
export function checkMachine(path: string = process.env['PATH'] ?? ''): void {
  if (process.geteuid?.() !== 0) {
    throw new CommandError('a node needs root: namespaces, mounts and cgroups; run it with sudo');
  }
  const refusal = rightsRefusal();
  if (refusal) throw new CommandError(refusal);
  if (isInChroot()) throw new CommandError(chrootRefusal);
  const missing = needed.filter(({ oneOf }) => !oneOf.some((program) => isInPath(program, path)));
  if (missing.length === 0) return;
  const said = missing.map(({ oneOf, purpose }) => `${oneOf.join(' or ')}, which ${purpose}`);
  const packages = missing.map(({ packageName }) => packageName).join(' ');
  throw new CommandError(
    `not found in PATH: ${said.join('; ')}. On Debian: apt-get install ${packages}. "wherry doctor" looks at the rest`,
  );
}

function isInPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

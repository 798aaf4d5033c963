import { randomBytes } from 'node:crypto';
import type { Pod } from '@wherry/kubeapi';
import type { DebugFlags } from './flags.ts';

/** Letters and digits that form no words (apimachinery, util/rand). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;

/** Five characters that may end any name. */
export const randomSuffix = (): string =>
  [...randomBytes(suffixLength)].map((byte) => alphabet[byte % alphabet.length]).join('');

/** The name of the new container: that of `--container`, else one that no other of the pod has, which is said. */
export function containerName({ spec }: Pod, { container, quiet }: DebugFlags): string {
  if (container) return container;
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  const taken = new Set([...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name));
  let name: string;
  do name = `debugger-${randomSuffix()}`;
  while (taken.has(name));
  if (!quiet) console.log(`Defaulting debug container name to ${name}.`);
  return name;
}

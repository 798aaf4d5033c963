import type { KubeClient } from '@wherry/client';
import { CommandError } from '../errors.ts';
import type { KubeFlags } from './flags.ts';

/** Where a command that lists looks; undefined for everywhere. */
export const listedNamespace = (
  { access }: KubeClient,
  { allNamespaces, namespace }: KubeFlags & { allNamespaces?: boolean },
): string | undefined => (allNamespaces ? undefined : (namespace ?? access.namespace));

/** What kubectl says of an empty list. */
export const nothingFound = (namespace: string | undefined): string =>
  namespace === undefined ? 'No resources found' : `No resources found in ${namespace} namespace.`;

/** Throws `CommandError` for a selector, or `--all`, beside names, which stand among `words`. */
export function refuseSelectors(
  flags: { selector?: string; fieldSelector?: string; all?: boolean },
  words: readonly string[] = [],
): void {
  if (flags.selector === undefined && flags.fieldSelector === undefined && !flags.all) return;
  throw new CommandError(
    words.some((word) => word.includes('/'))
      ? 'selectors and the all flag cannot be used when passing resource/name arguments'
      : 'name cannot be provided when a selector is specified',
  );
}

import { ClientError, type KubeClient } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { type FoundObject, findObjects, noneNamed, type SelectFlags } from '../../objects/find-objects.ts';
import { typedManifest } from '../../objects/manifests/typed-manifest.ts';
import type { OutcomeFlags } from '../../objects/outcome.ts';
import type { Failures } from '../../output/failures.ts';
import { localObjects } from '../changes/local-objects.ts';

/** Flags of all verbs below `wherry set`. */
export interface SetFlags extends SelectFlags, OutcomeFlags {
  /** Change what files hold, and ask no server. */
  local?: boolean;
  fieldManager: string;
}

/** Objects, and the server that they are of; none with `--local`. */
export interface Chosen {
  client: KubeClient | undefined;
  objects: FoundObject[];
}

/** The objects that words and flags mean, as the server or, with `--local`, files have them; what is not there is told to `failures`. */
export async function chooseObjects(
  words: readonly string[],
  flags: SetFlags,
  failures: Failures,
): Promise<Chosen> {
  if (flags.local) {
    if (!flags.filename) throw new CommandError(noneNamed);
    return { client: undefined, objects: await localObjects(flags, failures, typedManifest) };
  }
  const client = clientFor(flags);
  return { client, objects: await findObjects(client, { words, flags, failures }) };
}

/** The namespace where a command looks; `default` with `--local` and no kubeconfig. */
export function namespaceFor(flags: SetFlags): string {
  if (flags.namespace !== undefined) return flags.namespace;
  try {
    return clientFor(flags).access.namespace;
  } catch (error) {
    if (flags.local && error instanceof ClientError) return 'default';
    throw error;
  }
}

/** Throws `CommandError` for words about objects beside `--local`: files name them. */
export function refuseWordsLocally(words: readonly string[], { local }: SetFlags): void {
  if (!local || words.length === 0) return;
  throw new CommandError(
    'error: you must specify resources by --filename when --local is set.\nExample resource specifications include:\n' +
      "   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
  );
}

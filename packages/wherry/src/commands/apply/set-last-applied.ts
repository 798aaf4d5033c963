import type { KubeObject } from '@wherry/client';
import { type JsonValue, jsonEqual } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { eachManifest, type ManifestFlags, placed } from '../../objects/given/each-manifest.ts';
import { givenText, lastApplied, lastAppliedAnnotation } from '../../objects/manifests/last-applied.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';

/** Flags of `wherry apply set-last-applied`. */
export interface SetLastAppliedFlags extends ManifestFlags, OutcomeFlags {
  /** Of objects that client-side apply has not made, too. */
  createAnnotation?: boolean;
}

interface Setting extends FoundObject {
  text: string;
}

/** Lets client-side apply take files for what it was given last; nothing else of the objects changes, and nothing at all when one of them can't be found. */
export async function setLastApplied(flags: SetLastAppliedFlags): Promise<void> {
  const settings: Setting[] = [];
  const { client } = await eachManifest({
    ...{ connect: () => clientFor(flags), flags, attempt: (work) => work },
    async work(one, kube) {
      const { resource, namespace, place } = one;
      const wanted = placed(one);
      const name = wanted.metadata?.name;
      if (!name) throw new CommandError(`${place}: resource name may not be empty`);
      const object = await kube.resource<KubeObject>(resource).get({ name, namespace });
      const given = lastApplied(object);
      if (!given && !flags.createAnnotation) {
        throw new CommandError(
          `no last-applied-configuration annotation found on resource: ${name}, to create the annotation, run the command with --create-annotation`,
        );
      }
      if (given && jsonEqual(given, wanted as object as JsonValue))
        console.log(`set-last-applied ${name}: no changes required.`);
      else settings.push({ resource, name, namespace, object, text: givenText(wanted) });
    },
  });
  const tell = outcomePrinter(flags);
  for (const { resource, name, namespace, object, text } of settings) {
    const after =
      flags.dryRun === 'client'
        ? object
        : await client.resource<KubeObject>(resource).patch({
            ...{ type: 'merge', name, namespace, patch: patchOf(text) },
            ...{ fieldManager: 'wherry', dryRun: flags.dryRun === 'server' },
          });
    tell({ resource, object: after, done: 'configured' });
  }
}

/** What sets the annotation. */
export const patchOf = (text: string): object => ({
  metadata: { annotations: { [lastAppliedAnnotation]: text } },
});

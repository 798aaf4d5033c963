import type { KubeClient, KubeObject } from '@wherry/client';
import { type JsonObject, jsonEqual } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { withCause } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { givenText, lastApplied } from '../../objects/manifests/last-applied.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { editObjects } from '../edit/edit-session.ts';
import { editedForm } from '../edit/edited-form.ts';
import type { EditFlags } from '../edit/flags.ts';
import { EditResults } from '../edit/results.ts';
import { patchOf } from './set-last-applied.ts';

/** Flags of `wherry apply edit-last-applied`. */
export type EditLastAppliedFlags = Omit<EditFlags, 'outputPatch' | 'saveConfig' | 'subresource'>;

/** An object, and what client-side apply was given of it last. */
interface Given {
  found: FoundObject;
  given: JsonObject;
}

/** Opens what client-side apply was given last in an editor; nothing else of the objects changes. */
export async function editLastApplied(words: readonly string[], flags: EditLastAppliedFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const objects = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  if (!failures.isEmpty) return failures.report();
  const all = objects.flatMap((found): Given[] => {
    const given = lastApplied(found.object);
    return given ? [{ found, given }] : [];
  });
  if (all.length === 0) {
    throw new CommandError(
      'no last-applied-configuration annotation found on resources, to create the annotation, use command `wherry apply set-last-applied --create-annotation`',
    );
  }
  const { windowsLineEndings } = flags;
  const output = editedForm(flags.output);
  await editObjects({
    ...{ objects: all.map(({ given }) => given as object), output, windowsLineEndings },
    store: (saved) =>
      setAll(
        saved.map(({ object }) => withCause(object as KubeObject, flags)),
        { client, all, flags },
      ),
  });
}

interface Session {
  client: KubeClient;
  all: readonly Given[];
  flags: EditLastAppliedFlags;
}

async function setAll(saved: readonly KubeObject[], { client, all, flags }: Session): Promise<EditResults> {
  const tell = outcomePrinter(flags);
  const results = new EditResults();
  const { fieldManager, validate: fieldValidation } = flags;
  // All of them are looked at before any is sent.
  for (const { edited, before } of saved.map((object) => ({
    edited: object,
    before: givenOf(object, all),
  }))) {
    const { resource, name, namespace } = before.found;
    const differs = !jsonEqual(before.given, edited as object as JsonObject);
    const patch = { type: 'merge', patch: patchOf(givenText(edited)) } as const;
    try {
      if (differs)
        await client.resource(resource).patch({ ...patch, name, namespace, fieldManager, fieldValidation });
      tell({ resource, object: edited, done: differs ? 'edited' : 'skipped' });
    } catch (error) {
      results.add(error, before.found);
    }
  }
  return results;
}

function givenOf(edited: KubeObject, all: readonly Given[]): Given {
  const before = all.find(({ found }) => isSame(found, edited));
  if (before) return before;
  throw new CommandError(`no original object found for ${edited.kind}/${edited.metadata?.name}`);
}

/** What is edited has no UID: its kind and its name tell whose it is. */
function isSame({ resource, name, namespace }: FoundObject, { kind, metadata = {} }: KubeObject): boolean {
  const isThere = metadata.namespace === undefined || metadata.namespace === namespace;
  return resource.kind === kind && name === metadata.name && isThere;
}

import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { withCause } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { withLastApplied } from '../../objects/manifests/last-applied.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { changeTo, sendChange } from './change.ts';
import { editObjects } from './edit-session.ts';
import { editedForm } from './edited-form.ts';
import type { EditFlags } from './flags.ts';
import { EditResults } from './results.ts';

/** Opens objects in an editor, and changes them as the saved file has them, until the server takes it or nothing new is saved. */
export async function edit(words: readonly string[], flags: EditFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  if (!failures.isEmpty) return failures.report();
  if (found.length === 0) throw new CommandError('edit cancelled, no objects found');
  const originals: FoundObject[] = [];
  for (const one of found) {
    const { subresource } = flags;
    if (subresource === undefined) originals.push(one);
    else {
      const object = await client.resource<KubeObject>(one.resource).get({ ...one, subresource });
      originals.push({ ...one, object });
    }
  }
  const { windowsLineEndings } = flags;
  const output = editedForm(flags.output);
  await editObjects({
    ...{ objects: originals.map(({ object }) => object), output, windowsLineEndings },
    store: (saved) =>
      changeAll(
        saved.map(({ object }) => object as KubeObject),
        { client, flags, originals },
      ),
  });
}

interface Edited {
  client: KubeClient;
  flags: EditFlags;
  /** As the server has them. */
  originals: readonly FoundObject[];
}

async function changeAll(
  objects: readonly KubeObject[],
  { client, flags, originals }: Edited,
): Promise<EditResults> {
  const tell = outcomePrinter(flags);
  const results = new EditResults();
  // All of them are looked at before any is sent.
  const changes = objects.map((object) =>
    changeTo(withCause(flags.saveConfig ? withLastApplied(object) : object, flags), originals),
  );
  for (const change of changes) {
    const { resource } = change.before;
    try {
      const object = await sendChange(client, change, flags);
      tell({ resource, object, done: change.patch ? 'edited' : 'skipped' });
    } catch (error) {
      results.add(error, change.before);
    }
  }
  return results;
}

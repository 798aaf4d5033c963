import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { Failures } from '../../output/failures.ts';
import { EditSession } from './edit-session.ts';
import { EditedFile } from './edited-file.ts';
import type { EditFlags } from './flags.ts';

/** Opens objects in an editor, and changes them as the saved file has them, until the server takes it or nothing new is saved. */
export async function edit(words: readonly string[], flags: EditFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  if (!failures.isEmpty) return failures.report();
  if (found.length === 0) throw new CommandError('edit cancelled, no objects found');
  const objects: FoundObject[] = [];
  for (const one of found) {
    const { subresource } = flags;
    if (subresource === undefined) objects.push(one);
    else {
      const object = await client.resource<KubeObject>(one.resource).get({ ...one, subresource });
      objects.push({ ...one, object });
    }
  }
  const file = new EditedFile(flags.output ?? 'yaml');
  try {
    await new EditSession({ client, flags, objects, file }).run();
  } finally {
    if (file.isChanged)
      console.error(`A copy of your changes has been stored to ${JSON.stringify(file.path)}`);
    else file.remove();
  }
}

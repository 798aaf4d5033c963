import type { FoundManifest } from '../../../objects/manifests/manifests.ts';
import type { Outcome } from '../../../objects/outcome.ts';
import { editObjects } from '../../edit/edit-session.ts';
import type { EditedForm } from '../../edit/edited-form.ts';
import { EditResults } from '../../edit/results.ts';
import type { Creator } from './creator.ts';
import type { CreateFlags } from './flags.ts';

/** How the objects of one file are created. */
export interface EditedCreation {
  creator: Creator;
  flags: CreateFlags;
  format: EditedForm | undefined;
  tell(outcome: Outcome): void;
}

/**
 * Opens the object of a file in an editor, and creates what is saved: one object, or what it was made to. Without a change nothing is
 * created, and what the server refuses is not opened again, as in kubectl; the file is kept then.
 */
export async function createEdited(
  manifest: FoundManifest,
  { creator, flags, format, tell }: EditedCreation,
): Promise<void> {
  const before = await creator.place(manifest);
  await editObjects({
    ...{ objects: [before.object], output: format, windowsLineEndings: flags.windowsLineEndings },
    async store(saved) {
      // All of them are looked at before any is sent.
      const placed = [];
      for (const one of saved) placed.push(await creator.place(one, { namespace: before.namespace }));
      for (const one of placed)
        tell({ resource: one.resource, object: await creator.create(one), done: 'created' });
      return new EditResults();
    },
  });
}

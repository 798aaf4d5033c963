import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../../errors.ts';
import { clientFor } from '../../../kube/flags.ts';
import { readLabelMatcher } from '../../../kube/label-selector.ts';
import { sendFile } from '../../../kube/raw.ts';
import { type FoundManifest, readManifests } from '../../../objects/manifests/manifests.ts';
import { withSource } from '../../../objects/manifests/with-source.ts';
import { outcomePrinter } from '../../../objects/outcome.ts';
import { Failures } from '../../../output/failures.ts';
import { editedForm } from '../../edit/edited-form.ts';
import { Creator } from './creator.ts';
import { createEdited } from './edited.ts';
import type { CreateFlags } from './flags.ts';

/** Creates the objects of files; one that is there already is a failure, and keeps none of the others. */
export async function createFiles(flags: CreateFlags): Promise<void> {
  if (flags.raw !== undefined) {
    if (flags.edit) throw new CommandError('--raw and --edit are mutually exclusive');
    return sendFile('POST', flags.raw, flags);
  }
  const format = flags.edit ? editedForm(flags.output) : undefined;
  const selected = readLabelMatcher(flags.selector ?? '');
  const failures = new Failures();
  const manifests = (
    await readManifests(flags.filename, { isRecursive: flags.recursive === true, failures })
  ).filter(({ object }) => selected.matches((object as KubeObject).metadata?.labels));
  if (manifests.length === 0) throw new CommandError('no objects passed to create');
  const creator = new Creator(clientFor(flags), flags);
  const tell = outcomePrinter(flags);
  for (const manifest of manifests) {
    if (flags.edit) await failures.attempt(createEdited(manifest, { creator, flags, format, tell }));
    else await failures.attempt(createOne(manifest, creator).then(tell));
  }
  failures.report();
}

async function createOne(manifest: FoundManifest, creator: Creator) {
  const placed = await creator.place(manifest);
  const object = await creator.create(placed).catch((error: unknown) => {
    throw withSource(error, 'creating', manifest.source);
  });
  return { resource: placed.resource, object, done: 'created' };
}

import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { readLabelMatcher } from '../../kube/label-selector.ts';
import type { Catalog } from '../../objects/catalog.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { inNamespace, namespaceOf } from '../../objects/namespace-of.ts';
import type { NamedObject } from '../../objects/targets.ts';
import type { DiffFlags } from './flags.ts';

/** An object of a file, and where it goes. */
export interface Wanted extends NamedObject {
  object: KubeObject;
  /** The file. */
  source: string;
}

/** The objects of the files that the selector leaves. Throws `CommandError`. */
export async function wantedObjects(
  { client, catalog }: { client: KubeClient; catalog: Catalog },
  flags: DiffFlags,
): Promise<Wanted[]> {
  const manifests = await readManifests(flags.filename, {
    isRecursive: flags.recursive === true,
    mayBeNone: true,
  });
  const selector = readLabelMatcher(flags.selector ?? '');
  return manifests
    .filter(({ object }) => selector.matches((object as KubeObject).metadata?.labels))
    .map((manifest) => {
      const { object, place, source } = manifest;
      const resource = catalog.ofObject(object);
      const { name } = object.metadata;
      if (!name) throw new CommandError(`${place}: resource name may not be empty`);
      const namespace = namespaceOf(manifest, resource, { flags, client });
      return { resource, name, namespace, object: inNamespace(object, namespace), source };
    });
}

import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import type { Catalog } from '../../objects/catalog.ts';
import { withCause } from '../../objects/change-cause.ts';
import { asGiven } from '../../objects/manifests/last-applied.ts';
import type { FoundManifest } from '../../objects/manifests/manifests.ts';
import { failedAt } from '../../objects/manifests/with-source.ts';
import { inNamespace, namespaceOf } from '../../objects/namespace-of.ts';
import type { NamedObject } from '../../objects/targets.ts';
import type { ReplaceFlags } from './flags.ts';

/** An object of a file, and where it goes. */
export interface Replacement extends NamedObject {
  object: KubeObject;
  /** The file. */
  source: string;
}

/** What is needed to find out where objects go. */
export interface Place {
  client: KubeClient;
  catalog: Catalog;
  flags: ReplaceFlags;
}

/** The object of a file in its namespace. Throws `CommandError`. */
export function replacementOf(manifest: FoundManifest, { client, catalog, flags }: Place): Replacement {
  const { object, source } = manifest;
  const resource = catalog.ofObject(object);
  const namespace = namespaceOf(manifest, resource, { flags, client });
  const { name } = object.metadata;
  if (!name) {
    const doing = flags.force ? 'deleting' : 'replacing';
    throw new CommandError(`${failedAt(doing, source)}resource name may not be empty`);
  }
  const placed = inNamespace(object, namespace);
  return { resource, name, namespace, object: withCause(asGiven(placed, flags), flags), source };
}

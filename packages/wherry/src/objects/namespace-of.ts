import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../errors.ts';
import type { KubeFlags } from '../kube/flags.ts';
import type { FoundManifest } from './manifests/manifests.ts';

/** Where the object of a file is; undefined for one of the whole cluster. Throws `CommandError` where file and `--namespace` differ. */
export function namespaceOf(
  { object, place }: FoundManifest,
  { namespaced }: DiscoveredResource,
  { flags, client }: { flags: KubeFlags; client: KubeClient },
): string | undefined {
  const own = object.metadata.namespace;
  if (!namespaced) return undefined;
  refuseOtherNamespace({ object, place }, flags);
  return own ?? flags.namespace ?? client.access.namespace;
}

/** The object in a namespace; as it is where there is none to be in. */
export const inNamespace = <T extends KubeObject>(object: T, namespace: string | undefined): T =>
  namespace === undefined ? object : { ...object, metadata: { ...object.metadata, namespace } };

/** Throws `CommandError` where the file of an object and `--namespace` differ. */
export function refuseOtherNamespace(
  { object, place }: Pick<FoundManifest, 'object' | 'place'>,
  flags: KubeFlags,
): void {
  const own = object.metadata.namespace;
  if (own !== undefined && flags.namespace !== undefined && own !== flags.namespace) {
    throw new CommandError(
      `${place}: the namespace from the provided object "${own}" does not match the namespace "${flags.namespace}". You must pass '--namespace=${own}' to perform this operation.`,
    );
  }
}

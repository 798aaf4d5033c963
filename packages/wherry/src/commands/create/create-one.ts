import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';

/** Flags of all commands below `wherry create`. */
export interface CreateOneFlags extends KubeFlags, OutcomeFlags {
  fieldManager: string;
}

/** Creates an object that words and flags have made, or does not, and says so. */
export async function createOne(object: KubeObject, flags: CreateOneFlags): Promise<void> {
  const tell = outcomePrinter(flags);
  if (flags.dryRun === 'client') {
    const { namespace } = flags;
    const isPlaced = namespace !== undefined && object.kind !== 'Namespace';
    const placed = isPlaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
    return tell({ resource: resourceOfKind(object), object: placed, done: 'created' });
  }
  const client = clientFor(flags);
  const catalog = await Catalog.of(client);
  const { apiVersion = '', kind = '' } = object;
  const resource = catalog.ofObject({ apiVersion, kind });
  const namespace = resource.namespaced ? (flags.namespace ?? client.access.namespace) : undefined;
  const { fieldManager } = flags;
  const dryRun = flags.dryRun === 'server';
  const options = { namespace, fieldManager, dryRun, fieldValidation: 'Strict' } as const;
  const created = await client
    .resource<KubeObject>(resource)
    .create(object, options)
    .catch((error: unknown) => {
      throw named(error, resource);
    });
  tell({ resource, object: created, done: 'created' });
}

const unauthorized = 401;

/** kubectl says what could not be created, of all but namespaces. */
function named(error: unknown, { singular, kind }: DiscoveredResource): unknown {
  if (!(error instanceof StatusError) || kind === 'Namespace' || error.code === unauthorized) return error;
  // Of a secret without the colon.
  const what = kind === 'Secret' ? 'secret' : `${singular}:`;
  return new CommandError(`failed to create ${what} ${error.message}`, { cause: error });
}

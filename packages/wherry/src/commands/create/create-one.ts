import type { KubeClient, KubeObject } from '@wherry/client';
import { type Service, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import { asMade } from '../../objects/manifests/last-applied.ts';
import { inNamespace } from '../../objects/namespace-of.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';

/** Flags of all commands below `wherry create`. */
export interface CreateOneFlags extends KubeFlags, OutcomeFlags {
  fieldManager: string;
  saveConfig?: boolean;
  validate: FieldValidation;
}

/** Creates the object that `make` makes, or does not, and says so. `make` may ask the server by the client that it is given. */
export async function createOne(
  make: (client: () => KubeClient) => Promise<KubeObject>,
  flags: CreateOneFlags,
): Promise<void> {
  let shared: KubeClient | undefined;
  const clientOnce = () => {
    shared ??= clientFor(flags);
    return shared;
  };
  const made = await make(clientOnce);
  const object = asMade(placed(made, flags), flags);
  const tell = outcomePrinter(flags, { isTyped: true });
  if (flags.dryRun === 'client') return tell({ resource: resourceOfKind(object), object, done: 'created' });
  const client = clientOnce();
  const catalog = await Catalog.of(client);
  const { apiVersion = '', kind = '' } = object;
  const resource = catalog.ofObject({ apiVersion, kind });
  const namespace = resource.namespaced ? (flags.namespace ?? client.access.namespace) : undefined;
  const { fieldManager } = flags;
  const dryRun = flags.dryRun === 'server';
  const options = { namespace, fieldManager, dryRun, fieldValidation: flags.validate };
  const created = await client
    .resource<KubeObject>(resource)
    .create(object, options)
    .catch((error: unknown) => {
      throw named(error, object);
    });
  tell({ resource, object: created, done: 'created' });
}

/** In the namespace that was asked for, where it can be in one. */
const placed = (object: KubeObject, { namespace }: CreateOneFlags): KubeObject =>
  inNamespace(object, resourceOfKind(object).namespaced ? namespace : undefined);

const unauthorized = 401;

/** kubectl says what could not be created, of all but these. */
const unnamed = new Set(['Namespace', 'Role', 'ClusterRole']);
/** Of other kinds it is their name and a colon. */
const names = new Map([
  ['Secret', 'secret'],
  ['ResourceQuota', 'quota:'],
  ['PodDisruptionBudget', 'poddisruptionbudgets:'],
]);

function named(error: unknown, object: KubeObject): unknown {
  const { kind = '' } = object;
  if (!(error instanceof StatusError) || unnamed.has(kind) || error.code === unauthorized) return error;
  const type = kind === 'Service' ? `${(object as Service).spec?.type} ` : '';
  const what = names.get(kind) ?? `${type}${kind.toLowerCase()}:`;
  return new CommandError(`failed to create ${what} ${error.message}`, { cause: error });
}

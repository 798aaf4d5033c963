import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { clientFor } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import { withCause } from '../../objects/change-cause.ts';
import { findObjects, refuseWords, type SelectFlags } from '../../objects/find-objects.ts';
import { asMade } from '../../objects/manifests/last-applied.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { inNamespace, namespaceOf } from '../../objects/namespace-of.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { type OverrideFlags, overridden } from '../../objects/overrides.ts';
import { Failures } from '../../output/failures.ts';
import { requireExposable } from './exposed.ts';
import { type ServiceFlags, serviceOf } from './service-of.ts';

/** Flags of `wherry expose`; its selector is that of the service. */
export interface ExposeFlags
  extends Omit<SelectFlags, 'selector'>,
    ServiceFlags,
    OverrideFlags,
    OutcomeFlags {
  fieldManager: string;
  saveConfig?: boolean;
}

/** Creates services by which the pods of other objects are reached. */
export async function expose(words: readonly string[], flags: ExposeFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const objects = flags.filename
    ? await objectsOfFiles(client, words, { flags, failures })
    : await objectsNamed(client, { words, flags, failures });
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const object of objects) {
    const service = await failures.attempt(exposeOne(client, object, flags));
    if (service) tell({ resource: resourceOfKind(service), object: service, done: 'exposed' });
  }
  failures.report();
}

async function objectsNamed(
  client: KubeClient,
  { words, flags, failures }: { words: readonly string[]; flags: ExposeFlags; failures: Failures },
): Promise<KubeObject[]> {
  const found = await findObjects(client, { words, flags: { ...flags, selector: undefined }, failures });
  return found.map(({ object }) => object);
}

/** As the files have them; they need not be there. */
async function objectsOfFiles(
  client: KubeClient,
  words: readonly string[],
  { flags, failures }: { flags: ExposeFlags; failures: Failures },
): Promise<KubeObject[]> {
  refuseWords(words);
  const isRecursive = flags.recursive === true;
  const manifests = await readManifests(flags.filename ?? [], { isRecursive, failures });
  const catalog = await Catalog.of(client);
  return manifests.map((manifest) => {
    namespaceOf(manifest, catalog.ofObject(manifest.object), { flags, client });
    return manifest.object;
  });
}

async function exposeOne(client: KubeClient, object: KubeObject, flags: ExposeFlags): Promise<KubeObject> {
  requireExposable(object);
  const service = withCause(overridden(serviceOf(object, flags), flags), flags);
  if (flags.dryRun === 'client') {
    return inNamespace(service, flags.namespace || undefined);
  }
  const { fieldManager } = flags;
  const namespace = flags.namespace ?? client.access.namespace;
  return client
    .resource(kinds.services)
    .create(asMade(service, flags), { namespace, fieldManager, dryRun: flags.dryRun === 'server' });
}

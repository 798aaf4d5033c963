import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { hasReason, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { namespaceOf } from '../../objects/namespace-of.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { orSaid } from '../../output/failures.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry apply`. */
export interface ApplyFlags extends KubeFlags {
  filename: string[];
  recursive?: boolean;
  dryRun?: 'none' | 'server';
  output?: OutputFormat;
  /** Takes fields over from other managers. */
  forceConflicts?: boolean;
  validate: FieldValidation;
  fieldManager: string;
}

/** Applies the objects of files, by server-side apply, and prints what became of each. One that fails keeps none of the others. */
export function apply(flags: ApplyFlags): Promise<void> {
  return eachManifest({ ...spoken(flags), work: applyOne });
}

/** As a command does it: each outcome is printed as it comes, failures too. */
const spoken = (flags: ApplyFlags): Omit<Round, 'work'> => ({
  ...{ connect: () => clientFor(flags), flags, attempt: orSaid },
  tell: reporter(flags),
});

/** Applies the objects of files, folders and URLs without a word, and tells how many there were. Throws at the first that fails. */
export async function applyFiles(client: KubeClient, filename: string[]): Promise<number> {
  let count = 0;
  const flags: ApplyFlags = {
    ...{ filename, recursive: true, fieldManager: 'wherry', validate: 'Strict' },
  };
  await eachManifest({
    ...{ connect: () => client, flags, work: applyOne },
    tell: () => {
      count += 1;
    },
    attempt: (work) => work,
  });
  return count;
}

interface Work {
  client: KubeClient;
  resource: DiscoveredResource;
  object: KubeObject;
  namespace: string | undefined;
  flags: ApplyFlags;
}

interface Done {
  object: KubeObject;
  outcome: 'created' | 'configured' | 'unchanged';
}

interface Round {
  connect(): KubeClient;
  flags: ApplyFlags;
  work(work: Work): Promise<Done>;
  tell(done: Done, resource: DiscoveredResource): void;
  /** Undefined lets the next have its turn. */
  attempt<T>(work: Promise<T>): Promise<T | undefined>;
}

/** Files are read before a server is looked for: what is wrong with them is told first. */
async function eachManifest({ connect, flags, work, tell, attempt }: Round): Promise<void> {
  const manifests = await readManifests(flags.filename, { isRecursive: flags.recursive === true });
  const client = connect();
  let catalog = await Catalog.of(client);
  for (const manifest of manifests) {
    const { object, place } = manifest;
    // A definition among the objects may have brought a new kind.
    const isNew = !catalog.resources.some(({ kind }) => kind === object.kind);
    if (isNew) catalog = await Catalog.of(client);
    await attempt(
      (async () => {
        const resource = at(place, () => catalog.ofObject(object));
        const namespace = namespaceOf(manifest, resource, { flags, client });
        const one = { client, resource, object: object as KubeObject, namespace, flags };
        const done = await work(one).catch((error: unknown) => {
          throw named(error, place);
        });
        tell(done, resource);
      })(),
    );
  }
}

async function applyOne({ client, resource, object, namespace, flags }: Work): Promise<Done> {
  const name = object.metadata?.name;
  if (name === undefined)
    throw new CommandError('apply needs metadata.name; "wherry create" takes generateName');
  const existing = await client
    .resource(resource)
    .get({ name, namespace })
    .catch((error: unknown) => {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    });
  const { fieldManager, forceConflicts: force } = flags;
  const applied = await client.resource(resource).patch({
    ...{ type: 'apply', name, namespace, patch: object, fieldManager, force },
    ...{ dryRun: flags.dryRun === 'server', fieldValidation: flags.validate },
  });
  const isSame = existing?.metadata?.resourceVersion === applied.metadata?.resourceVersion;
  return { object: applied, outcome: !existing ? 'created' : isSame ? 'unchanged' : 'configured' };
}

function at<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(error, place);
  }
}

/** The file and line in front of what went wrong. */
function named(error: unknown, place: string): unknown {
  if (!(error instanceof StatusError) && !(error instanceof CommandError)) return error;
  const isKnown = error instanceof StatusError && error.reason !== 'Unknown';
  const reason = isKnown ? ` (${error.reason})` : '';
  const message =
    error instanceof StatusError
      ? `Error from server${reason}: ${place}: ${error.message}`
      : `${place}: ${error.message}`;
  return new CommandError(message, { cause: error });
}

function reporter(flags: ApplyFlags): Round['tell'] {
  const tell = outcomePrinter(flags);
  return ({ object, outcome }, resource) => tell({ resource, object, done: outcome });
}

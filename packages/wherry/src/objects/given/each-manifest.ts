import type { KubeClient, KubeObject } from '@wherry/client';
import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { KubeFlags } from '../../kube/flags.ts';
import { readLabelMatcher } from '../../kube/label-selector.ts';
import type { Failures } from '../../output/failures.ts';
import { Catalog } from '../catalog.ts';
import { type FoundManifest, readManifests } from '../manifests/manifests.ts';
import { inNamespace, namespaceOf } from '../namespace-of.ts';
import type { NamedObject } from '../targets.ts';

/** An object of a file, and where it goes. */
export interface GivenObject extends Omit<NamedObject, 'name'> {
  object: KubeObject;
  /** `pod.yaml:12`. */
  place: string;
  /** The file or URL alone. */
  source: string;
}

/** Flags about which objects of which files. */
export interface ManifestFlags extends KubeFlags {
  filename: string[];
  recursive?: boolean;
  /** Of the objects of the files. */
  selector?: string;
}

/** What {@link eachManifest} does, and how. */
export interface Round {
  connect(): KubeClient;
  flags: ManifestFlags;
  /** What the server has, and all objects, before the first has its turn. */
  prepare?(catalog: Catalog, manifests: readonly FoundManifest[], client: KubeClient): void | Promise<void>;
  work(one: GivenObject, client: KubeClient): Promise<void>;
  /** Undefined lets the next have its turn. */
  attempt<T>(work: Promise<T>): Promise<T | undefined>;
  /** Are told what is no object in files; default: it is thrown. */
  failures?: Failures;
}

/** What {@link eachManifest} has done. */
export interface Done {
  count: number;
  client: KubeClient;
}

/**
 * Does something with each object of files that the selector leaves, in their order, and tells how many there were, and where. Files are
 * read before a server is looked for: what is wrong with them is told first.
 */
export async function eachManifest({
  connect,
  flags,
  prepare,
  work,
  attempt,
  failures,
}: Round): Promise<Done> {
  const isRecursive = flags.recursive === true;
  const selector = readLabelMatcher(flags.selector ?? '');
  const manifests = (await readManifests(flags.filename, { isRecursive, failures })).filter(({ object }) =>
    selector.matches((object as KubeObject).metadata?.labels),
  );
  const client = connect();
  let catalog = await Catalog.of(client);
  await prepare?.(catalog, manifests, client);
  for (const manifest of manifests) {
    const { object, place, source } = manifest;
    // A definition among the objects may have brought a new kind.
    const isNew = !catalog.resources.some(({ kind }) => kind === object.kind);
    if (isNew) catalog = await Catalog.of(client);
    const { resources } = catalog;
    await attempt(
      (async () => {
        const resource = at(place, () => new Catalog(resources).ofObject(object));
        const namespace = namespaceOf(manifest, resource, { flags, client });
        await work({ resource, namespace, object: object as KubeObject, place, source }, client);
      })(),
    );
  }
  return { count: manifests.length, client };
}

/** The object in its namespace. */
export const placed = ({ object, namespace }: GivenObject): KubeObject => inNamespace(object, namespace);

function at<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(error, place);
  }
}

/** The file and line in front of what went wrong. */
export function named(error: unknown, place: string): unknown {
  if (!(error instanceof StatusError) && !(error instanceof CommandError)) return error;
  const isKnown = error instanceof StatusError && error.reason !== 'Unknown';
  const reason = isKnown ? ` (${error.reason})` : '';
  const message =
    error instanceof StatusError
      ? `Error from server${reason}: ${place}: ${error.message}`
      : `${place}: ${error.message}`;
  return new CommandError(message, { cause: error });
}

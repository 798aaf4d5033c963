import type { KubeClient, KubeObject } from '@wherry/client';
import { type Container, type PodSpec, qualifiedResource, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { type FoundObject, findObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { patchedHere } from '../../objects/local-patch.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { podSpecOf, podSpecPatch } from '../../objects/pod-spec-of.ts';
import { Failures } from '../../output/failures.ts';
import { splitPairs } from './pairs.ts';

/** Flags of `wherry set image`. */
export interface SetImageFlags extends SelectFlags, OutcomeFlags {
  /** Change what files hold, and ask no server. */
  local?: boolean;
  fieldManager: string;
}

/** By the names of containers; `*` for all of them. */
type Images = ReadonlyMap<string, string>;

/** Gives containers other images, by `CONTAINER=IMAGE`. What has them already is not changed, and nothing is said of it. */
export async function setImage(words: readonly string[], flags: SetImageFlags): Promise<void> {
  const { resources, pairs } = splitPairs(words, 'image');
  const images = readImages(pairs);
  refuse(resources, images, flags);
  const client = flags.local ? undefined : clientFor(flags);
  const failures = new Failures();
  const found = client
    ? await findObjects(client, { words: resources, flags, failures })
    : await objectsOfFiles(flags);
  // kubectl changes nothing while one of them is missing.
  if (!failures.isEmpty) return failures.report();
  const tell = outcomePrinter(flags);
  for (const one of found) {
    const patch = imagePatch(one, images, failures);
    if (!patch) continue;
    const object = await failures.attempt(changeOne(client, one, { patch, flags }));
    if (object) tell({ resource: one.resource, object, done: 'image updated' });
  }
  failures.report();
}

function readImages(pairs: readonly string[]): Images {
  const wrong = pairs.filter((pair) => !pair.includes('='));
  if (wrong.length > 0) throw new CommandError(`invalid image format: ${wrong.join(', ')}`);
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function refuse(
  resources: readonly string[],
  images: Images,
  { filename, local, dryRun }: SetImageFlags,
): void {
  if (images.size === 0) throw new CommandError('at least one image update is required');
  if (images.size > 1 && images.has('*')) {
    throw new CommandError(
      'all containers are already specified by *, but saw more than one container_name=container_image pairs',
    );
  }
  if (!local) return;
  if (resources.length > 0 || !filename) {
    throw new CommandError(
      'error: you must specify resources by --filename when --local is set.\nExample resource specifications include:\n' +
        "   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
    );
  }
  if (dryRun === 'server')
    throw new CommandError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
}

async function objectsOfFiles({
  filename = [],
  recursive,
  namespace,
}: SetImageFlags): Promise<FoundObject[]> {
  const manifests = await readManifests(filename, { isRecursive: recursive === true });
  return manifests.map(({ object }) => ({
    resource: resourceOfKind(object),
    name: object.metadata.name ?? '',
    namespace: object.metadata.namespace ?? namespace,
    object,
  }));
}

/** Undefined where nothing changes; what is wrong is told to `failures`. */
function imagePatch(one: FoundObject, images: Images, failures: Failures): object | undefined {
  const spec = podSpecOf(one.object);
  if (!spec) {
    const { plural, group, version, kind } = one.resource;
    const place = `${qualifiedResource(group, plural)}/${one.name}`;
    const what = `the object is not a pod or does not have a pod template: *${version}.${kind}`;
    failures.add(new CommandError(`error: ${place} ${what}`));
    return undefined;
  }
  const isNamed = (name: string) => (container: Container) => name === '*' || container.name === name;
  const { containers, initContainers = [] } = spec;
  for (const name of images.keys()) {
    if (![...containers, ...initContainers].some(isNamed(name)))
      failures.add(new CommandError(`error: unable to find container named "${name}"`));
  }
  const patch = changedContainers(spec, images);
  return Object.keys(patch).length === 0 ? undefined : podSpecPatch(one.object, patch);
}

function changedContainers({ containers, initContainers = [] }: PodSpec, images: Images) {
  const changed = (each: readonly Container[]) =>
    each.flatMap(({ name, image }) => {
      const wanted = images.get(name) ?? images.get('*');
      return wanted === undefined || wanted === image ? [] : [{ name, image: wanted }];
    });
  const lists = { initContainers: changed(initContainers), containers: changed(containers) };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

interface Change {
  patch: object;
  flags: SetImageFlags;
}

/** At the server, or here where there is no client or nothing is to be done there. */
async function changeOne(
  client: KubeClient | undefined,
  { resource, name, namespace, object }: FoundObject,
  { patch, flags: { fieldManager, dryRun } }: Change,
): Promise<KubeObject> {
  if (!client || dryRun === 'client') return patchedHere(object, { type: 'strategic', patch });
  try {
    return await client.resource<KubeObject>(resource).patch({
      ...{ type: 'strategic', name, namespace, patch, fieldManager },
      dryRun: dryRun === 'server',
    });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`failed to patch image update to pod template: ${error.message}`, {
      cause: error,
    });
  }
}

/** `patches`, `patchesStrategicMerge` and `patchesJson6902` of a kustomization. */

import { KustomizeError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { idText } from '../model/object-id.ts';
import { readResources } from '../model/read-resources.ts';
import type { Resource } from '../model/resource.ts';
import { ResourceList, type Selector } from '../model/resource-list.ts';
import { applyOperations, applySelected, applyStrategic } from './apply-patch.ts';
import { readOperations, readPatch } from './read-patch.ts';

export interface PatchEntry {
  path?: string;
  patch?: string;
  target?: Selector;
  options?: { allowNameChange?: boolean; allowKindChange?: boolean };
}

export type Transform = (resources: ResourceList) => void;

/** Reads one of `patches`. */
export function patchTransform(entry: PatchEntry, loader: Loader): Transform {
  const { text, source } = patchText(entry, loader);
  const { objects, operations } = readPatch(text, source);
  const { target, options = {} } = entry;
  if (operations) return (resources) => patchByOperations(resources, operations, target, source);
  for (const object of objects) {
    object.mayChangeName = options.allowNameChange ?? false;
    object.mayChangeKind = options.allowKindChange ?? false;
  }
  return (resources) => {
    const [first] = objects;
    if (!first) return;
    if (!target) return patchByName(resources, objects);
    if (objects.length === 1) return patchSelected(resources, resources.select(target), first);
    throw new KustomizeError(
      `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
    );
  };
}

function patchText({ path = '', patch = '' }: PatchEntry, loader: Loader): { text: string; source: string } {
  const inline = patch.trim();
  if (inline === '' && path === '') throw new KustomizeError('must specify one of patch and path');
  if (inline !== '' && path !== '') throw new KustomizeError("patch and path can't be set at the same time");
  if (inline !== '') return { text: inline, source: `[patch: ${JSON.stringify(inline)}]` };
  const text = within(`failed to get the patch file from path(${path})`, () => loader.loadText(path));
  return { text, source: `[path: ${JSON.stringify(path)}]` };
}

function patchByName(resources: ResourceList, objects: readonly Resource[]): void {
  for (const patch of objects) {
    const id = patch.originalId;
    const found = within(`no resource matches strategic merge patch ${JSON.stringify(idText(id))}`, () =>
      resources.theOne(id),
    );
    applyStrategic(found, patch.copy());
  }
}

/** Puts all that is left together anew, so that no two are the same. */
function patchSelected(resources: ResourceList, chosen: readonly Resource[], patch: Resource): void {
  const selected = new Set(chosen);
  for (const resource of resources.items) if (selected.has(resource)) applySelected(resource, patch);
  resources.items = new ResourceList(resources.items.filter((one) => !one.isGone)).items;
}

function patchByOperations(
  resources: ResourceList,
  operations: Parameters<typeof applyOperations>[1],
  target: Selector | undefined,
  source: string,
): void {
  if (!target) throw new KustomizeError(`must specify a target for JSON patch ${source}`);
  for (const resource of resources.select(target)) {
    resource.keepName();
    applyOperations(resource, operations);
  }
}

/** Reads `patchesStrategicMerge`: each a file, or a patch itself. */
export function strategicTransform(paths: readonly string[], loader: Loader, inline = ''): Transform {
  const objects = [
    ...paths.flatMap((path) => {
      try {
        return readResources(path);
      } catch (error) {
        if (!(error instanceof KustomizeError)) throw error;
        return readResources(loader.loadText(path), path);
      }
    }),
    ...(inline === '' ? [] : readResources(inline)),
  ];
  if (paths.length === 0 && inline === '')
    throw new KustomizeError('empty file path and empty patch content');
  if (objects.length === 0)
    throw new KustomizeError(`patch appears to be empty; files=[${paths.join(' ')}], Patch=${inline}`);
  return (resources) => {
    for (const patch of objects) patchSelected(resources, [resources.theOne(patch.originalId)], patch);
  };
}

/** Reads one of `patchesJson6902`. */
export function operationsTransform(
  { target, path = '', patch = '' }: Pick<PatchEntry, 'target' | 'path' | 'patch'>,
  loader: Loader,
): Transform {
  if (!target?.name) throw new KustomizeError('must specify the target name');
  if (path === '' && patch === '') throw new KustomizeError('empty file path and empty jsonOp');
  if (path !== '' && patch !== '') throw new KustomizeError('must specify a file path or jsonOp, not both');
  const text = path === '' ? patch : loader.loadText(path);
  const operations = readOperations(text);
  if (!operations) throw new KustomizeError(`decoding ${text}: it is no list of operations`);
  if (operations.length === 0)
    throw new KustomizeError(`patch appears to be empty; file=${path}, JsonOp=${text}`);
  return (resources) => {
    for (const resource of resources.select(target)) applyOperations(resource, operations);
  };
}

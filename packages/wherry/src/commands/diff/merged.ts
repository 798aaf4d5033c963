import type { KubeClient, KubeObject } from '@wherry/client';
import type { JsonObject } from '@wherry/kubeapi';
import { withoutLastApplied } from '../../objects/manifests/last-applied.ts';
import { threeWayPatch } from '../../objects/manifests/three-way-patch.ts';
import { withSource } from '../../objects/manifests/with-source.ts';
import { takingOver } from '../apply/own-conflict.ts';
import type { DiffFlags } from './flags.ts';
import type { Wanted } from './wanted.ts';

/** What would become of an object, and from what. */
export interface Merging {
  client: KubeClient;
  wanted: Wanted;
  /** Undefined where there is none. */
  live: KubeObject | undefined;
  flags: DiffFlags;
  /** Nobody may have changed the object since it was read. */
  isLocked: boolean;
  signal: AbortSignal;
}

/** The object as the server would have it if it were applied; nothing is stored. Throws what the server refuses. */
export function mergedObject(merging: Merging): Promise<KubeObject> {
  if (merging.flags.serverSide !== false) return applied(merging);
  return merging.live ? patched(merging, merging.live) : created(merging);
}

const resourceOf = ({ client, wanted }: Merging) => client.resource<KubeObject>(wanted.resource);

function applied(merging: Merging): Promise<KubeObject> {
  const { wanted, flags, live, signal } = merging;
  const { name, namespace, object: patch } = wanted;
  const { fieldManager, forceConflicts } = flags;
  return takingOver({
    send: (force) =>
      resourceOf(merging).patch({
        ...{ type: 'apply', name, namespace, patch, fieldManager, force, dryRun: true, signal },
      }),
    ...{ forceConflicts, fieldManager },
    live: async () => live,
  });
}

function created(merging: Merging): Promise<KubeObject> {
  const { wanted, flags, signal } = merging;
  const { namespace, object } = wanted;
  const options = { namespace, fieldManager: flags.fieldManager, dryRun: true, signal };
  return resourceOf(merging).create(object, options);
}

async function patched(merging: Merging, live: KubeObject): Promise<KubeObject> {
  const { wanted, flags, signal, isLocked } = merging;
  const { name, namespace, source } = wanted;
  const { type, patch } = threeWayPatch(live, withoutLastApplied(wanted.object));
  if (Object.keys(patch).length === 0) return live;
  const { resourceVersion } = live.metadata ?? {};
  const metadata = patch['metadata'] as JsonObject | undefined;
  const locked = isLocked ? { ...patch, metadata: { ...metadata, resourceVersion } } : patch;
  try {
    return await resourceOf(merging).patch({
      ...{ type, patch: locked, name, namespace, fieldManager: flags.fieldManager, dryRun: true, signal },
    });
  } catch (error) {
    throw withSource(error, 'patching', source);
  }
}

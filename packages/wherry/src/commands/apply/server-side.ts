import type { KubeObject } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { named, placed } from '../../objects/given/each-manifest.ts';
import { sortedKeys } from '../../output/json.ts';
import { type Applied, type Applying, writeOptions } from './applying.ts';
import { handedOver, lastAppliedKept } from './migration.ts';
import { takingOver } from './own-conflict.ts';

/** Lets the server apply an object. Throws what it refuses, with the place in the file. */
export async function applyAtServer(applying: Applying): Promise<Applied> {
  const { one, name, flags } = applying;
  try {
    const existing = flags.serverSide ? undefined : await found(applying);
    const object = await migrated(applying, await sentOver(applying));
    if (flags.serverSide) return { object, outcome: 'serverside-applied' };
    const isSame = existing?.metadata?.resourceVersion === object.metadata?.resourceVersion;
    return { object, outcome: !existing ? 'created' : isSame ? 'unchanged' : 'configured' };
  } catch (error) {
    if (!hasReason(error, 'Conflict') || flags.forceConflicts) throw named(error, one.place);
    throw new CommandError(
      `${one.place}: ${(error as Error).message}\nOthers manage these fields of ${name}: --force-conflicts takes them over; what the file does not say, or says as it is, stays theirs.`,
      { cause: error },
    );
  }
}

async function found({ client, one, name }: Applying): Promise<KubeObject | undefined> {
  try {
    return await client.resource<KubeObject>(one.resource).get({ name, namespace: one.namespace });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function sentOver(applying: Applying): Promise<KubeObject> {
  const { flags, client, one, name } = applying;
  const { resource, namespace } = one;
  return takingOver({
    send: (forceConflicts) => sent({ ...applying, flags: { ...flags, forceConflicts } }),
    ...{ forceConflicts: flags.forceConflicts, fieldManager: flags.fieldManager },
    live: () => client.resource<KubeObject>(resource).get({ name, namespace }),
  });
}

function sent({ client, one, name, flags }: Applying): Promise<KubeObject> {
  const { resource, namespace } = one;
  // In the order in which the server writes it down for client-side apply.
  const patch = sortedKeys(placed(one));
  return client.resource<KubeObject>(resource).patch({
    ...{ type: 'apply', name, namespace, patch, subresource: flags.subresource },
    ...{ force: flags.forceConflicts, ...writeOptions(flags) },
  });
}

/** Takes over what client-side apply manages of the object, so that what the file no longer says goes. */
async function migrated(applying: Applying, applied: KubeObject): Promise<KubeObject> {
  const { client, one, name, flags } = applying;
  // What is managed is the object, of which this is a part.
  if (flags.subresource !== undefined) return applied;
  const { fieldManager: manager, dryRun } = writeOptions(flags);
  const migration = { client, resource: one.resource, name, namespace: one.namespace, manager, dryRun };
  const kept = await lastAppliedKept(migration, applied);
  const managed = await handedOver(migration, kept);
  return managed ? await sent(applying) : kept;
}

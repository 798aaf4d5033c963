import type { KubeClient, KubeObject } from '@wherry/client';
import { copyJson, createStrategicPatch, type JsonObject, StatusError, schemaFor } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { typeName } from '../../objects/catalog.ts';
import { withCause } from '../../objects/change-cause.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { type Chosen, chooseObjects, type SetFlags } from './chosen-objects.ts';

/** What is done to each of several objects. */
export interface ObjectChange {
  /**
   * Changes a copy of an object where it stands; false leaves the object alone. Throws `CommandError` with what is wrong with the
   * object; what else is wrong is told to `failures`.
   */
  change(object: KubeObject, failures: Failures): boolean;
  /** Said of an object that was changed: `image updated`. */
  done: string;
  /** Said in front of a server's refusal. */
  refusal: string;
  /** An object that is so already is sent and told of too. */
  tellsUnchanged?: boolean;
}

/** Changes the objects that words and flags mean, all of them or, while one is missing, none. `plan` may refuse those that were found. */
export async function changeObjects(
  words: readonly string[],
  flags: SetFlags,
  plan: (chosen: Chosen) => ObjectChange,
): Promise<void> {
  const failures = new Failures();
  const chosen = await chooseObjects(words, flags, failures);
  if (failures.isEmpty) await applyChange(chosen, { ...plan(chosen), flags, failures });
  failures.report();
}

async function applyChange(
  { client, objects }: Chosen,
  { flags, failures, ...change }: ObjectChange & { flags: SetFlags; failures: Failures },
): Promise<void> {
  const tell = outcomePrinter(flags, { isTyped: true });
  // What is wrong with any of them is found before the first one is changed.
  const changed = objects.map((one) => ({ one, ...changedCopy(one, change, { client, flags, failures }) }));
  for (const { one, after, problem } of changed) {
    if (problem) failures.add(problem);
    if (!after) continue;
    const patch = patchBetween(one.object, after);
    if (Object.keys(patch).length === 0 && !change.tellsUnchanged) continue;
    const storing = storeChange(client, one, { after, patch, flags });
    const object = await failures.attempt(storing.catch((error) => throwBehind(change.refusal, error)));
    if (object) tell({ resource: one.resource, object, done: change.done });
  }
}

function changedCopy(
  one: FoundObject,
  { change }: ObjectChange,
  { client, flags, failures }: { client: KubeClient | undefined; flags: SetFlags; failures: Failures },
): { after?: KubeObject; problem?: CommandError } {
  const after = copyJson(one.object);
  try {
    return change(after, failures) ? { after: withCause(after, flags) } : {};
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { resource, name } = one;
    const place = `${client ? resource.plural : typeName(resource)}/${name}`;
    // With a line of its own behind it, where it is one of several.
    return { problem: new CommandError(`error: ${place} ${error.message}\n`, { cause: error }) };
  }
}

function throwBehind(refusal: string, error: unknown): never {
  if (!(error instanceof StatusError)) throw error;
  throw new CommandError(`${refusal} ${error.message}`, { cause: error });
}

/** The strategic patch that makes the second object of the first. */
export function patchBetween(before: KubeObject, after: KubeObject): JsonObject {
  const { apiVersion = '', kind = '' } = before;
  const schema = schemaFor(apiVersion, kind);
  return createStrategicPatch(before as unknown as JsonObject, after as unknown as JsonObject, schema);
}

/** A change of an object: what it is to be, and the patch that makes it so. */
export interface StoredChange {
  after: KubeObject;
  patch: object;
  flags: SetFlags;
}

/** Changes an object at the server; without one, or in a dry run of the client, it is changed nowhere. */
export async function storeChange(
  client: KubeClient | undefined,
  { resource, name, namespace }: FoundObject,
  { after, patch, flags: { fieldManager, dryRun } }: StoredChange,
): Promise<KubeObject> {
  if (!client || dryRun === 'client') return after;
  const options = { type: 'strategic', name, namespace, patch, fieldManager } as const;
  return client.resource<KubeObject>(resource).patch({ ...options, dryRun: dryRun === 'server' });
}

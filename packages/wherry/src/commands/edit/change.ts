import type { KubeClient, KubeObject } from '@wherry/client';
import {
  createMergePatch,
  createStrategicPatch,
  goJson,
  type JsonObject,
  jsonEqual,
  PatchError,
  schemaFor,
} from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { sortedKeys } from '../../output/json.ts';
import type { EditFlags } from './flags.ts';

/** An object as the file has it, and what leads there. */
export interface Change {
  before: FoundObject;
  after: KubeObject;
  /** Undefined where nothing differs. */
  patch: TypedPatch | undefined;
}

interface TypedPatch {
  type: 'strategic' | 'merge';
  patch: JsonObject;
}

/** What an object of a file changes. Throws `CommandError` where it is none of those before, and where it is moved or renamed. */
export function changeTo(after: KubeObject, all: readonly FoundObject[]): Change {
  const { uid, name, namespace = '' } = after.metadata ?? {};
  const before = all.find(({ object }) => object.metadata?.uid === uid);
  if (!before)
    throw new CommandError(`no original object found for ${after.kind}/${name}: its uid was changed`);
  const own = before.object.metadata?.namespace ?? '';
  if (own !== namespace) {
    throw new CommandError(
      `the namespace from the provided object "${namespace}" does not match the namespace "${own}"`,
    );
  }
  const [was, is] = [unmanaged(before.object), unmanaged(after)];
  if (jsonEqual(was, is)) return { before, after, patch: undefined };
  const patch = patchBetween(was, is);
  if (changesIdentity(patch)) throw new CommandError('At least one of apiVersion, kind and name was changed');
  return { before, after, patch };
}

/** Asks the server for a change, and resolves to what came of it. Throws what the server refuses. */
export async function sendChange(
  client: KubeClient,
  { before: { resource, name, namespace }, after, patch }: Change,
  { fieldManager, validate, subresource, outputPatch }: EditFlags,
): Promise<KubeObject> {
  if (!patch) return after;
  if (outputPatch) console.log(`Patch: ${goJson(sortedKeys(patch.patch))}`);
  return client.resource<KubeObject>(resource).patch({
    ...{ ...patch, name, namespace, subresource, fieldManager, fieldValidation: validate },
  });
}

/** Built-in kinds have lists that merge by keys; of others nothing is known. */
function patchBetween(was: JsonObject, is: JsonObject): TypedPatch {
  const { apiVersion = '', kind = '' } = was as object as KubeObject;
  const schema = schemaFor(apiVersion, kind);
  if (!schema) return { type: 'merge', patch: createMergePatch(was, is) };
  try {
    return { type: 'strategic', patch: createStrategicPatch(was, is, schema) };
  } catch (error) {
    if (error instanceof PatchError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function changesIdentity({ patch }: TypedPatch): boolean {
  const metadata = (patch['metadata'] ?? {}) as JsonObject;
  return 'apiVersion' in patch || 'kind' in patch || 'name' in metadata;
}

/** Who manages which field was not in the file, and is the server's to write. */
function unmanaged({ metadata, ...object }: KubeObject): JsonObject {
  const { managedFields: _theirs, ...rest } = metadata ?? {};
  return { ...object, metadata: rest } as object as JsonObject;
}

import type { KubeObject } from '@wherry/client';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PatchError,
  schemaFor,
} from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

/** The forms that a patch has. */
export const patchTypes = ['json', 'merge', 'strategic'] as const;
export type PatchType = (typeof patchTypes)[number];

/** The object as a patch leaves it, without a server. Throws `CommandError`; strategic patches are for built-in kinds alone. */
export function patchedHere<T extends KubeObject>(
  object: T,
  { type, patch }: { type: PatchType; patch: unknown },
): T {
  try {
    return apply(object as unknown as JsonObject, patch as JsonValue, type) as unknown as T;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

function apply(object: JsonObject, patch: JsonValue, type: PatchType): JsonValue {
  if (type === 'json') return applyJsonPatch(object, patch);
  if (!isJsonObject(patch)) throw new CommandError(`a ${type} patch must be an object`);
  if (type === 'merge') return applyMergePatch(object, patch);
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const schema = schemaFor(apiVersion, kind);
  if (schema) return applyStrategicPatch(object, patch, schema);
  throw new CommandError(
    `strategic merge patch is not supported for ${apiVersion}, Kind=${kind} locally, try --type merge`,
  );
}

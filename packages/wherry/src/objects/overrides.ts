import type { KubeObject } from '@wherry/client';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  type JsonValue,
  PatchError,
  schemaFor,
} from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

/** Flags by which an object that a command has made is changed before it is created. */
export interface OverrideFlags {
  /** A patch, JSON. */
  overrides?: string;
  /** `json`, `merge` or `strategic`. */
  overrideType: string;
}

/** The object as `--overrides` leaves it. Throws `CommandError`. */
export function overridden<T extends KubeObject>(object: T, { overrides, overrideType }: OverrideFlags): T {
  if (!overrides) return object;
  const { apiVersion = '', kind = '' } = object;
  const target = object as unknown as JsonValue;
  const patch = parse(overrides);
  try {
    return apply(target, patch, { overrideType, schema: schemaFor(apiVersion, kind) }) as unknown as T;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new CommandError(`--overrides is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

function apply(
  target: JsonValue,
  patch: JsonValue,
  { overrideType, schema }: { overrideType: string; schema: ReturnType<typeof schemaFor> },
): JsonValue {
  if (overrideType === 'json') return applyJsonPatch(target, patch);
  if (overrideType === 'merge') return applyMergePatch(target, patch);
  if (overrideType === 'strategic' && schema)
    return applyStrategicPatch(target as never, patch as never, schema);
  throw new CommandError(`invalid override type: ${overrideType}`);
}

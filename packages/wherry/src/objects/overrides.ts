import type { KubeObject } from '@wherry/client';
import type { JsonValue } from '@wherry/kubeapi';
import { parseExactJson } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { patchedHere, patchTypes } from './local-patch.ts';

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
  const patch = parse(overrides);
  const type = patchTypes.find((one) => one === overrideType);
  if (!type) throw new CommandError(`invalid override type: ${overrideType}`);
  return patchedHere(object, { type, patch });
}

function parse(text: string): JsonValue {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new CommandError(`--overrides is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

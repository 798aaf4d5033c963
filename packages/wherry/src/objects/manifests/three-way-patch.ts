import type { KubeObject } from '@wherry/client';
import {
  createStrategicPatch,
  createThreeWayMergePatch,
  createThreeWayStrategicPatch,
  type JsonObject,
  PatchError,
  schemaFor,
  strategicConflict,
} from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { lastApplied, withoutLastApplied } from './last-applied.ts';

/** A patch, and how it is meant. */
export interface TypedPatch {
  type: 'strategic' | 'merge';
  patch: JsonObject;
}

/**
 * What leads from an object that is there to the one that a file wants, by what was applied last, as client-side apply works it
 * out. Without `overwrites`, what others have changed since to something else than the file says is a conflict, of built-in kinds.
 * Throws `CommandError`.
 */
export function threeWayPatch(
  live: KubeObject,
  wanted: KubeObject,
  { overwrites = true }: { overwrites?: boolean } = {},
): TypedPatch {
  const states = {
    original: lastApplied(live) ?? {},
    modified: wanted as object as JsonObject,
    current: live as object as JsonObject,
  };
  const schema = schemaFor(wanted.apiVersion ?? '', wanted.kind ?? '');
  if (!schema) return { type: 'merge', patch: createThreeWayMergePatch(states) };
  try {
    const patch = createThreeWayStrategicPatch(states, schema);
    const theirs = overwrites
      ? undefined
      : createStrategicPatch(states.original, withoutLastApplied(live) as object as JsonObject, schema);
    const conflict = theirs && strategicConflict(patch, theirs, schema);
    if (conflict === undefined) return { type: 'strategic', patch };
    throw new CommandError(`conflicts with changes made from original to current: ${conflict}`);
  } catch (error) {
    if (error instanceof PatchError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

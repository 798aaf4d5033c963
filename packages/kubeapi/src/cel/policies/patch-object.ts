/** What becomes of an object that an expression patches (upstream: plugin/policy/mutating/patch). */
import { layOver } from '../../apply/lay-over.ts';
import type { Node } from '../../apply/node.ts';
import type { PatchType } from '../../generated/types.ts';
import { copyJson, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { PatchError } from '../../patch/patch-error.ts';
import { ConformError, type Conformed, unknownFieldText } from '../../schema/conform.ts';
import type { Value } from '../values/value.ts';
import { appliedObject, patchOperations } from './patch-values.ts';
import { PolicyFailure } from './policy-expressions.ts';

/** The type of what is patched. */
export interface PatchedType {
  readonly node: Node;
  read(value: JsonValue): Conformed;
}

/**
 * The object as the patch leaves it, by what its expression has come to; the object itself when a test of a JSON patch
 * fails, which keeps the patch from being applied. Throws PolicyFailure when it can't be applied, or the object would be
 * none of its type.
 */
export function patchedObject(
  value: Value,
  patchType: PatchType,
  object: JsonObject,
  type: PatchedType,
): JsonObject {
  if (patchType !== 'JSONPatch') {
    const applied = appliedObject(value);
    return named('error applying patch', () => {
      const { apiVersion, kind } = object;
      const config: JsonObject = {
        ...applied,
        ...(kind ? { kind } : {}),
        ...(apiVersion ? { apiVersion } : {}),
      };
      conformed(config, type);
      return conformed(layOver(object, config, type.node), type);
    });
  }
  const operations = patchOperations(value);
  return named('JSON Patch', () => {
    try {
      return conformed(applyJsonPatch(object, operations), type);
    } catch (error) {
      if (error instanceof PatchError && error.code === 'test-failed') return object;
      throw error;
    }
  });
}

/** As its type has it, with the fields that are always shown. Nothing that a policy writes is left out in silence. */
function conformed(value: JsonValue, type: PatchedType): JsonObject {
  const { object, unknownFields } = type.read(copyJson(value));
  if (unknownFields.length > 0) throw new PolicyFailure(unknownFields.map(unknownFieldText).join(', '));
  return object;
}

function named(what: string, patch: () => JsonObject): JsonObject {
  try {
    return patch();
  } catch (error) {
    const isTheirs =
      error instanceof PatchError || error instanceof ConformError || error instanceof PolicyFailure;
    if (!isTheirs) throw error;
    throw new PolicyFailure(`${what}: ${error.message}`);
  }
}

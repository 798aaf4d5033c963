/** A patch's text: objects that are merged, or operations. */
import type { JsonValue } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import { readResources } from '../model/read-resources.ts';
import type { Resource } from '../model/resource.ts';
import { readJsonLike } from '../yaml/read-json.ts';

export interface ReadPatch {
  /** Objects; none where it is a JSON patch, or empty. */
  objects: Resource[];
  /** Operations of a JSON patch. */
  operations: JsonValue[] | undefined;
}

/** Throws KustomizeError for what is neither; `source` is told of as the patch. */
export function readPatch(patch: string, source: string): ReadPatch {
  let objects: Resource[] | undefined;
  try {
    objects = readResources(patch);
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error;
  }
  if (objects !== undefined) return { objects, operations: undefined };
  const operations = readOperations(patch);
  if (operations === undefined) throw new KustomizeError(`unable to parse SM or JSON patch from ${source}`);
  return { objects: [], operations };
}

/** The operations of a JSON patch, in JSON or YAML; undefined for what is none. */
export function readOperations(patch: string): JsonValue[] | undefined {
  const value = patch.startsWith('[') ? parsedJson(patch) : readJsonLike(patch);
  if (value === null) return [];
  const isPatch = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
  return isPatch ? value : undefined;
}

/** Undefined for what is no JSON. */
function parsedJson(patch: string): JsonValue | undefined {
  try {
    return JSON.parse(patch);
  } catch {
    return undefined;
  }
}

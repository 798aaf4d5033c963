import { shownJson } from '@wherry/bytes';
import {
  type FieldError,
  isJsonObject,
  isNumber,
  isWhole,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  ownValue,
  parseApiVersion,
  validateAnnotations,
  validateLabels,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';

/** An answer that can't be taken, and whether it is the object or what it says of itself. */
export class ConvertedObjectError extends Error {
  readonly what: 'object' | 'metadata';

  constructor(message: string, what: 'object' | 'metadata' = 'object') {
    super(message);
    this.what = what;
  }
}

/**
 * What a webhook has made of an object, with the metadata that the object had: of that a webhook may change labels and
 * annotations alone. Throws a ConvertedObjectError on anything that is not this object in the wanted version.
 */
export function checkedObject(original: ApiObject, answer: JsonValue, apiVersion: string): ApiObject {
  if (!isJsonObject(answer)) throw new ConvertedObjectError('it is no object');
  checkType(original, answer, apiVersion);
  const { metadata: answered } = answer;
  checkIdentity(original, isJsonObject(answered) ? answered : {});
  if (answered === undefined)
    throw new ConvertedObjectError('missing metadata in converted object', 'metadata');
  if (!isJsonObject(answered)) {
    const why = `invalid metadata of type ${goType(answered)} in converted object`;
    throw new ConvertedObjectError(why, 'metadata');
  }
  const metadata = structuredClone(original.metadata) as unknown as JsonObject;
  for (const name of ['labels', 'annotations'] as const) takeTexts(metadata, answered, name);
  return as<ApiObject>({ ...answer, metadata } as unknown as ApiObject);
}

function checkType(original: ApiObject, answer: JsonObject, apiVersion: string): void {
  const { apiVersion: found = '', kind = '' } = answer;
  if (found !== apiVersion) {
    const shown = typeof found === 'string' && parseApiVersion(found) ? found : shownJson(found);
    throw new ConvertedObjectError(`invalid groupVersion (expected ${apiVersion}, received ${shown})`);
  }
  if (kind !== original.kind)
    throw new ConvertedObjectError(
      `invalid kind (expected ${original.kind ?? ''}, received ${typeof kind === 'string' ? kind : shownJson(kind)})`,
    );
}

function checkIdentity({ metadata }: ApiObject, answered: JsonObject): void {
  for (const [key, shown] of [
    ['name', 'name'] as const,
    ['namespace', 'namespace'] as const,
    ['uid', 'UID'] as const,
  ]) {
    const [wanted, found = ''] = [metadata[key] ?? '', answered[key]];
    if (found === wanted) continue;
    const said = typeof found === 'string' ? found : '';
    throw new ConvertedObjectError(`must have the same ${shown}: ${wanted} != ${said}`);
  }
}

/** Labels or annotations, which may be others; those that are have to be sound. */
function takeTexts(metadata: JsonObject, answered: JsonObject, name: 'labels' | 'annotations'): void {
  const texts = answered[name];
  const before = metadata[name];
  delete metadata[name];
  if (texts === undefined || texts === null) return;
  const fail = (why: string) => new ConvertedObjectError(why, 'metadata');
  if (!isJsonObject(texts))
    throw fail(`invalid metadata.${name} of type ${goType(texts)} in converted object`);
  const known = isJsonObject(before) ? before : {};
  for (const [key, value] of Object.entries(texts))
    if (typeof value !== 'string')
      throw fail(`metadata.${name}[${key}] must be a string, but is ${goType(value)} in converted object`);
  const hasChanged =
    Object.keys(known).length !== Object.keys(texts).length ||
    Object.entries(texts).some(([key, value]) => ownValue(known, key) !== value);
  const errors = hasChanged ? errorsOf(texts as Record<string, string>, name) : [];
  if (errors.length > 0) throw fail(joinFieldErrors(errors));
  metadata[name] = texts;
}

function errorsOf(texts: Record<string, string>, name: 'labels' | 'annotations'): FieldError[] {
  return name === 'labels'
    ? validateLabels(texts, 'metadata.labels')
    : validateAnnotations(texts, 'metadata.annotation');
}

/** As Go calls what JSON may hold. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (isNumber(value)) return isWhole(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

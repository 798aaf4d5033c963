/** What expressions that patch objects may make (upstream: apiserver pkg/cel/mutation). */
import { declare, type Overload } from '../functions.ts';
import { dyn, string, type Type } from '../types.ts';

const patchFields: ReadonlyMap<string, Type> = new Map([
  ...(['op', 'path', 'from'] as const).map((name) => [name, string] as const),
  ['value', dyn],
]);

/** `JSONPatch`, `Object`, and `Object.FIELD.FIELD` as fields lead from the object. */
export const isPatchType = (name: string): boolean => name === 'JSONPatch' || /^Object(\.|$)/.test(name);

/** Objects have whatever fields they are given: the schema is looked at when they are laid over another. */
export function patchFieldType(owner: string, field: string): Type | undefined {
  if (owner === 'JSONPatch') return patchFields.get(field);
  return isPatchType(owner) ? dyn : undefined;
}

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Functions that only they have. */
export const patchLibrary: readonly Overload[] = [
  declare('jsonpatch.escapeKey', 'string_jsonpatch_escapeKey_string', [string], string, escapeKey),
];

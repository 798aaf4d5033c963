import { configurationFields } from '../configuration.ts';
import type { FieldType } from '../field-types.ts';
import { flagFacts } from './configuration-flags.ts';

/** A field of the configuration that a flag sets. */
export interface FlagField {
  /** Such as `authentication`, `webhook`, `cacheTTL`. */
  path: readonly string[];
  type: FieldType<unknown>;
  /** Of the flag's value, such as `Int32`. */
  valueType: string;
}

/** Go's names of fields that are not the JSON name in other letters. */
const otherNames: ReadonlyMap<string, string> = new Map([['resolverconfig', 'resolvConf']]);

/** Undefined for flags that the configuration has no field for. */
export function fieldOfFlag(flag: string): FlagField | undefined {
  const [, goPath, valueType = ''] = /^c\.([\w.]+) (\w*)$/.exec(flagFacts.get(flag) ?? '') ?? [];
  if (goPath === undefined) return undefined;
  const path: string[] = [];
  let type: FieldType<unknown> = configurationFields;
  for (const goName of goPath.replace(/\.Duration$/, '').split('.')) {
    const wanted = otherNames.get(goName.toLowerCase()) ?? goName;
    const [name, field]: [string?, FieldType<unknown>?] =
      Object.entries(type.fields ?? {}).find(([known]) => known.toLowerCase() === wanted.toLowerCase()) ?? [];
    if (name === undefined || field === undefined) return undefined;
    path.push(name);
    type = field;
  }
  return { path, type, valueType };
}

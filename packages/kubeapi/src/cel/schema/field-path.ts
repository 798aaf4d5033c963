/** Where the complaint of a rule goes: `.spec.replicas`, `.labels['a.b']` (upstream: ValidFieldPath). */
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, ownValue } from '../../json/json-value.ts';

const step = /\.([^.[\]]+)|\['((?:\\.|[^'\\])*)'\]/y;
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\' },
  }),
);

/** As the path of a complaint; undefined: the schema has no such field. */
export function normalFieldPath(path: string, schema: JSONSchemaProps): string | undefined {
  let words: JSONSchemaProps = schema;
  let out = '';
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found) return undefined;
    const name = found[1] ?? unescaped(found[2]!);
    const { properties, additionalProperties } = words;
    const next = properties ? ownValue(properties, name) : undefined;
    const isKey = !properties && isJsonObject(additionalProperties);
    if (name === undefined || (!next && !isKey)) return undefined;
    out += isKey ? `[${name}]` : `${out === '' ? '' : '.'}${name}`;
    words = next ?? (additionalProperties as JSONSchemaProps);
  }
  return out;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_all, character: string) => escapes.get(character) ?? character);
}

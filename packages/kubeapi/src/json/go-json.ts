/** JSON as Go's encoding/json writes it, for texts that stand inside of objects, or are hashed. */
import { ownValue } from './json-value.ts';

const goEscapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The text of a value whose fields stand in their order of declaration. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ownValue(goEscapes, character) ?? character,
  );
}

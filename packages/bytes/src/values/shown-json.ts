/**
 * A value of JSON from outside as text: a text as it is, all else as JSON. Unlike `String(value)` it never throws, and
 * runs nothing that the value brings: `{"toString":1}` can't be made a text, nor can ten thousand nested lists.
 */
export function shownJson(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return String(value as string | number | boolean | null | undefined);
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}

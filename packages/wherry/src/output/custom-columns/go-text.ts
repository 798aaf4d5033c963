import { shownJson } from '@wherry/bytes';

/** A value of JSON as Go's `fmt.Sprint` writes it, which custom columns show: `map[app:web]`, `[a b]`, `<nil>`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return typeof value === 'number' ? numberText(value) : shownJson(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${fields.map(([key, field]) => `${key}:${goText(field)}`).join(' ')}]`;
}

/** Whole numbers are read as such; others have an exponent of at least two digits where they have one (`%v` of a float64). */
const numberText = (value: number): string =>
  Number.isSafeInteger(value) ? String(value) : String(value).replace(/e([+-])(\d)$/, 'e$10$2');

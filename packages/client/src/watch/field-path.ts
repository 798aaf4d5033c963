import { shownJson } from '@wherry/bytes';
import { ClientError } from '../errors.ts';

/** One step of a path: a key, an index (from the end when negative), `*`, or items with a field of that value. */
type Step = { key: string } | { index: number } | { all: true } | { where: readonly Step[]; is: string };

/** A parsed path into an object. */
export type FieldPath = readonly Step[];

/** What a key has no need of an escape for. */
const key = String.raw`((?:[^.[\]\\\s{}()'"=,?@|$]|\\.)+)`;
const brackets = String.raw`\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]|\[([^\]]*)\]`;
const laterStep = new RegExp(`\\.${key}|${brackets}`, 'y');
/** A path may begin without its dot. */
const firstStep = new RegExp(`\\.?${key}|${brackets}`, 'y');

/**
 * Reads `.status.containerStatuses[0].ready`: the part of kubectl's JSONPath that names fields. Also `['a.b']`, `[*]`,
 * `[-1]`, `[?(@.type=="Ready")]`, and `\.` for a dot in a key. Throws `ClientError` `bad-argument`.
 */
export function parseFieldPath(text: string): FieldPath {
  const steps: Step[] = [];
  let at = text.startsWith('$') ? 1 : 0;
  while (at < text.length) {
    const pattern = at === 0 ? firstStep : laterStep;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match)
      throw new ClientError('bad-argument', `"${text}" is no path of a field that is understood here`);
    at = pattern.lastIndex;
    const [, key, field, value, inBrackets] = match;
    if (key !== undefined) steps.push(key === '*' ? { all: true } : { key: key.replaceAll(/\\(.)/g, '$1') });
    else if (field !== undefined) steps.push({ where: parseFieldPath(field), is: value ?? '' });
    else steps.push(bracketStep(inBrackets ?? '', text));
  }
  if (steps.length === 0) throw new ClientError('bad-argument', 'the path of a field is empty');
  return steps;
}

function bracketStep(content: string, text: string): Step {
  const quoted = /^(["'])(.*)\1$/.exec(content);
  if (quoted) return { key: quoted[2] ?? '' };
  if (content === '*') return { all: true };
  if (/^-?\d+$/.test(content)) return { index: Number(content) };
  throw new ClientError('bad-argument', `"${text}": [${content}] is not understood`);
}

/** All values at that path; none where a step leads nowhere. */
export function fieldsAt(value: unknown, path: FieldPath): unknown[] {
  let values: unknown[] = [value];
  for (const step of path) values = values.flatMap((each) => follow(each, step));
  return values.filter((each) => each !== undefined && each !== null);
}

function follow(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('all' in step) return Object.values(value);
  if ('index' in step) return Array.isArray(value) ? [value.at(step.index)] : [];
  if ('where' in step) {
    return Object.values(value).filter((item) =>
      fieldsAt(item, step.where).some((each) => shownJson(each) === step.is),
    );
  }
  return Object.hasOwn(value, step.key) ? [(value as Record<string, unknown>)[step.key]] : [];
}

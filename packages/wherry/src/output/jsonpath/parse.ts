/**
 * kubectl's JSONPath templates (kubernetes.io/docs/reference/kubectl/jsonpath): text, and expressions in braces, with
 * `range`/`end`, quoted text, filters, slices, unions, `..` and `\.` in names.
 */
import { Scanner } from './scanner.ts';

/** One step of a path. */
export type Step =
  | { kind: 'field'; name: string }
  | { kind: 'wildcard' }
  | { kind: 'descent' }
  | { kind: 'slice'; from?: number | undefined; to?: number | undefined; by: number }
  | { kind: 'filter'; left: Operand; operator?: Operator | undefined; right?: Operand | undefined }
  | { kind: 'union'; paths: Step[][] }
  /** Back to the whole document. */
  | { kind: 'root' };

/** What a filter compares: a value as it is written, or what a path finds. */
export type Operand = { value: string | number | boolean } | { path: Step[] };

/** How a filter compares. */
export type Operator = (typeof operators)[number];

/** One part of a template. */
export type Part = { text: string } | { path: Step[] } | { range: Step[]; body: Part[] };

const operators = ['==', '!=', '<=', '>=', '<', '>'] as const;

/** Reads a template. Throws `CommandError` that shows where it goes wrong. */
export function parseTemplate(template: string): Part[] {
  const scanner = new Scanner(template);
  const parts = readParts(scanner);
  if (!scanner.isAtEnd) throw scanner.wrong('{end} without {range}');
  return parts;
}

/** Reads one path, as columns and `--sort-by` take it: with or without braces and the first dot. */
export function parsePath(text: string): Step[] {
  const bare = /^\{(.*)\}$/s.exec(text)?.[1] ?? text;
  const scanner = new Scanner(/^[.[$@]/.test(bare) ? bare : `.${bare}`);
  const path = readPath(scanner);
  if (!scanner.isAtEnd) throw scanner.wrong('something follows the path');
  return path;
}

/** Reads up to the end or to `{end}`, which it leaves. */
function readParts(scanner: Scanner): Part[] {
  const parts: Part[] = [];
  while (!scanner.isAtEnd) {
    const text = scanner.take(/[^{]+/y);
    if (text !== undefined) parts.push({ text });
    else if (scanner.sees(/\{\s*end\s*\}/y)) break;
    else parts.push(...readExpression(scanner));
  }
  return parts;
}

function readExpression(scanner: Scanner): Part[] {
  scanner.expect('{');
  const parts: Part[] = [];
  for (;;) {
    scanner.take(/\s+/y);
    if (scanner.takeText('}')) return parts;
    if (scanner.isAtEnd) throw scanner.wrong('a } is missing');
    const quoted = readQuoted(scanner);
    if (quoted !== undefined) parts.push({ text: quoted });
    else if (scanner.take(/range\b\s*/y) === undefined) parts.push({ path: readPath(scanner) });
    else {
      parts.push(readRange(scanner));
      return parts;
    }
  }
}

function readRange(scanner: Scanner): Part {
  const range = readPath(scanner);
  scanner.take(/\s+/y);
  scanner.expect('}');
  const body = readParts(scanner);
  if (scanner.take(/\{\s*end\s*\}/y) === undefined) throw scanner.wrong('{end} is missing');
  return { range, body };
}

function readPath(scanner: Scanner): Step[] {
  const steps: Step[] = [];
  for (;;) {
    if (scanner.takeText('$')) steps.push({ kind: 'root' });
    else if (scanner.takeText('@')) continue;
    else if (scanner.takeText('..')) steps.push({ kind: 'descent' }, ...readName(scanner));
    else if (scanner.takeText('.')) steps.push(...readName(scanner));
    else if (scanner.takeText('[')) steps.push(readBrackets(scanner));
    else if (steps.length === 0 && scanner.sees(/[A-Za-z_*]/y)) steps.push(...readName(scanner));
    else return steps;
  }
}

function readName(scanner: Scanner): Step[] {
  if (scanner.takeText('*')) return [{ kind: 'wildcard' }];
  const name = scanner.take(/(?:\\.|[^\s{}[\]().,$@<>=!|&'"*\\])+/y);
  // A dot alone, or in front of a bracket, means the value itself.
  return name === undefined ? [] : [{ kind: 'field', name: name.replace(/\\(.)/g, '$1') }];
}

function readBrackets(scanner: Scanner): Step {
  if (scanner.takeText('?(')) return readFilter(scanner);
  const paths: Step[][] = [];
  do {
    scanner.take(/\s+/y);
    paths.push([readIndex(scanner)]);
    scanner.take(/\s+/y);
  } while (scanner.takeText(','));
  scanner.expect(']');
  const [[only] = []] = paths;
  return paths.length === 1 && only ? only : { kind: 'union', paths };
}

function readIndex(scanner: Scanner): Step {
  if (scanner.takeText('*')) return { kind: 'wildcard' };
  const quoted = readQuoted(scanner);
  if (quoted !== undefined) return { kind: 'field', name: quoted };
  const from = readNumber(scanner);
  if (!scanner.takeText(':')) {
    if (from === undefined) throw scanner.wrong('expected an index, a slice, a name in quotes or *');
    return { kind: 'slice', from, to: from === -1 ? undefined : from + 1, by: 1 };
  }
  const to = readNumber(scanner);
  const by = scanner.takeText(':') ? readNumber(scanner) : 1;
  if (by !== undefined && by <= 0) throw scanner.wrong('the step of a slice is 1 or more');
  return { kind: 'slice', from, to, by: by ?? 1 };
}

function readFilter(scanner: Scanner): Step {
  const left = readOperand(scanner);
  const operator = operators.find((one) => scanner.takeText(one));
  const right = operator === undefined ? undefined : readOperand(scanner);
  scanner.expect(')');
  scanner.expect(']');
  return { kind: 'filter', left, operator, right };
}

function readOperand(scanner: Scanner): Operand {
  scanner.take(/\s+/y);
  if (!scanner.sees(/[-\w@$.["']/y)) {
    throw scanner.wrong('expected a path such as @.name, a number or a text in quotes');
  }
  const word = readQuoted(scanner) ?? readNumber(scanner) ?? scanner.take(/(?:true|false)\b/y);
  const operand: Operand =
    word === undefined
      ? { path: readPath(scanner) }
      : { value: word === 'true' ? true : word === 'false' ? false : word };
  scanner.take(/\s+/y);
  return operand;
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

function readQuoted(scanner: Scanner): string | undefined {
  const quoted = scanner.take(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/suy);
  return quoted?.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => escapes.get(letter) ?? letter);
}

function readNumber(scanner: Scanner): number | undefined {
  const digits = scanner.take(/-?\d+(?:\.\d+)?/y);
  return digits === undefined ? undefined : Number(digits);
}

/** What patterns find (upstream: pkg/cel/library/regex.go). */
import { method, type Overload } from '../functions.ts';
import { int, listOf, string } from '../types.ts';
import { ArrayList } from '../values/collections.ts';
import { patternOf } from '../values/patterns.ts';
import { CelError, type Value } from '../values/value.ts';

function findAll(text: string, pattern: string, most = -1n): Value {
  try {
    return new ArrayList(patternOf(pattern).findAll(text, most < 0n ? undefined : Number(most)));
  } catch (error) {
    return new CelError(`Illegal regex: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function find(text: string, pattern: string): Value {
  const found = findAll(text, pattern, 1n);
  return found instanceof ArrayList ? (found.values[0] ?? '') : found;
}

export const regexLibrary: readonly Overload[] = [
  method('find', 'string_find_string', [string, string], string, find),
  method('findAll', 'string_find_all_string', [string, string], listOf(string), findAll),
  method('findAll', 'string_find_all_string_int', [string, string, int], listOf(string), findAll),
];

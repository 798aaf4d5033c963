/** Regular expressions: in Go's syntax and in linear time, kept compiled. */
import { compilePattern, type Pattern, patternComplaint } from '../../values/pattern.ts';

/** Expressions that are made while others run are not kept for ever. */
const keptMax = 256;
const kept = new Map<string, Pattern>();

/** Throws an Error where the text is no pattern. Needs `loadPatternEngine`. */
export function patternOf(text: string): Pattern {
  const known = kept.get(text);
  if (known) return known;
  const made = compilePattern(text);
  if (kept.size >= keptMax) kept.delete(kept.keys().next().value!);
  kept.set(text, made);
  return made;
}

/** Why a text is no pattern. */
export function patternProblem(text: string): string | undefined {
  return patternComplaint(text);
}

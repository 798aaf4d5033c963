import { libraries } from '../../packages/kubeapi/src/cel/environment.ts';
import { patchLibrary } from '../../packages/kubeapi/src/cel/policies/patch-types.ts';
import { macroKeys } from '../../packages/kubeapi/src/cel/syntax/macros.ts';
import { showType, type Type } from '../../packages/kubeapi/src/cel/types.ts';

/** Older spellings of operators, and how the checker sees a selection: nothing that anybody writes. */
export const unwritten = /^function (?:_\?\._|__not_strictly_false__|_in_|in) /;

/** All forms of our functions, and all macros, in the judge's form. */
export function ownFunctions(): string[] {
  const functions = [...libraries, patchLibrary].flat().map(({ name, isMember, args, result }) => {
    const shown = args.map(shownType).join(', ');
    return withLetters(`${isMember ? 'method' : 'function'} ${name} (${shown}) ${shownType(result)}`);
  });
  return [...new Set([...functions, ...macroKeys().map((key) => `macro ${key}`)])].sort();
}

/** With the variables of types named as they come. */
export function withLetters(text: string): string {
  const letters = new Map<string, string>();
  return text.replace(/<\w+>/g, (variable) => {
    if (!letters.has(variable)) letters.set(variable, `<${letters.size}>`);
    return letters.get(variable)!;
  });
}

/** Go's spelling. */
function shownType(type: Type): string {
  if (type.kind === 'param') return `<${type.name}>`;
  if (type.params.length > 0) return `${type.name}(${type.params.map(shownType).join(', ')})`;
  return type.kind === 'null' || type.kind === 'timestamp' || type.kind === 'duration'
    ? type.name
    : showType(type);
}

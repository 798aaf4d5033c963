import type { Node } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression, isStringLiteral } from 'typescript/unstable/ast/is';

/** Where signals are listened to by hand. */
const helpers = [
  'packages/bytes/src/abort.ts',
  'packages/clock/src/sleep.ts',
  'packages/telemetry/src/sessions/on-aborted.ts',
];

/** Whether a file is held to the rule; `clock` and `telemetry` stand beside `bytes`, and none imports another. */
export const usesAbortHelpers = (path: string): boolean =>
  /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts') && !helpers.includes(path);

/**
 * `signal.addEventListener('abort', …)` written by hand forgets the signal that has aborted already, or the listener
 * that stays behind.
 */
export function abortListeners(node: Node): string | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  const [event] = node.arguments;
  if (node.expression.name.text !== 'addEventListener' || !event || !isStringLiteral(event)) return undefined;
  if (event.text !== 'abort') return undefined;
  return `${node.expression.getText()}('abort', …): use onAbort, orAborted or aborted of @wherry/bytes`;
}

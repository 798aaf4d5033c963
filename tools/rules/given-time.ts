import type { Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isImportDeclaration,
  isImportSpecifier,
  isNewExpression,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Breach } from './source.ts';

const later = 'is not given its clock yet';

/** Where the machine's time is what is meant, or still taken; a file that takes it no more must leave the list. */
const allowed: Readonly<Record<string, string>> = {
  'packages/clock/src/clock.ts': 'where the machine’s time is given from',
  'packages/clock/src/keep-alive.ts': 'tells no time: it keeps the process alive',
  'packages/cri/src/grpc/connection.ts': 'gRPC compares its deadlines with the machine’s time itself',
  'packages/cri/src/grpc/server.ts': 'bounds gRPC’s own shutdown',
  'packages/telemetry/src/logger.ts': 'its lines are for people, and its package stands beside clock',
  'packages/bytes/src/channel-suite.ts': 'a suite of tests, which bring real transports',
  'packages/upgrade/src/http/answer.ts': later,
  'packages/upgrade/src/http/refusal.ts': later,
  'packages/upgrade/src/proxy/refusal.ts': later,
};

/** Breaches outside the list, and entries of the list that are none any more. */
export function judgeGivenTime(breaches: readonly Breach[]): Breach[] {
  const taking = new Set(breaches.map(({ file }) => file));
  const unused = Object.keys(allowed).filter((file) => !taking.has(file));
  return [
    ...breaches.filter(({ file }) => !Object.hasOwn(allowed, file)),
    ...unused.map((file) => ({
      file,
      line: 1,
      message: 'takes no machine time; take it off the list of given-time.ts',
    })),
  ];
}

const globals: ReadonlySet<string> = new Set(['setTimeout', 'setInterval']);
const members: ReadonlySet<string> = new Set([
  'Date.now',
  'performance.now',
  'process.hrtime',
  'process.hrtime.bigint',
  'AbortSignal.timeout',
  'globalThis.setTimeout',
  'globalThis.setInterval',
  'Atomics.wait',
]);
const modules: ReadonlySet<string> = new Set(['node:timers', 'node:timers/promises', 'timers']);
const advice = 'time is given: take a Clock (sleep, deadline, clock.after, clock.nowMs, clock.monotonicMs)';

/** The machine's time and its timers come through a `Clock`, so that a test can bring its own. A turn is no time. */
export function givenTime(node: Node): string | undefined {
  return isMachineTime(node) ? `${node.getText().split('\n')[0]}: ${advice}` : undefined;
}

function isMachineTime(node: Node): boolean {
  if (isImportSpecifier(node)) return isTimer((node.propertyName ?? node.name).text) && isOfTimers(node);
  if (isPropertyAccessExpression(node)) return members.has(node.getText());
  if (isNewExpression(node)) return node.expression.getText() === 'Date' && !node.arguments?.length;
  return isCallExpression(node) && isIdentifier(node.expression) && globals.has(node.expression.text);
}

const isTimer = (name: string) => name !== 'setImmediate' && name !== 'clearImmediate';

function isOfTimers(specifier: Node): boolean {
  let node: Node = specifier;
  while (!isImportDeclaration(node)) node = node.parent;
  return isStringLiteral(node.moduleSpecifier) && modules.has(node.moduleSpecifier.text);
}

/** Expressions in CEL beside upstream's: what is wrong with them, what they may cost, what they come to, what that has cost. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExpressionWarning, type JsonObject, loadPatternEngine } from '@wherry/kubeapi';
import { access, accessAnswerOf, accessQuestions } from './cel/access.ts';
import { answerOf } from './cel/answer.ts';
import { ownFunctions, unwritten, withLetters } from './cel/functions.ts';
import { better, mutationOutcome, mutationQuestions, mutationWords } from './cel/mutations.ts';
import { dearer, expressions, schema, self, worded } from './cel/questions.ts';
import { ownTypeWarnings, typeQuestions, withoutMadeUpNames } from './cel/type-questions.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

interface Answer {
  trouble?: string;
  wrong?: string;
  estimate: string;
  value: string;
  error: string;
  cost: number;
  functions?: string[];
  object?: JsonObject;
  warnings?: ExpressionWarning[];
}

let judge: Judge<Answer>;
before(async () => {
  await loadPatternEngine();
  judge = new Judge(await buildGoPeer('celjudge'));
});
after(() => judge.close());

/** Errors of syntax have words of their own. */
const isSyntax = (text: string) => /Syntax error|unescape|identifier|macro|simple name/.test(text);

for (const knowledge of ['with a schema', 'without one'] as const)
  it(`expressions come to the same as upstream's, ${knowledge}`, async () => {
    const isTyped = knowledge === 'with a schema';
    const found: string[] = [];
    for (const expression of expressions) {
      const theirs = await judge.ask({ expression, self, ...(isTyped ? { schema } : {}) });
      assert.equal(theirs.trouble, undefined, expression);
      const ours = answerOf(expression, { schema: isTyped ? schema : undefined, self });
      if (worded.has(expression)) continue;
      const note = (what: string, mine: unknown, other: unknown) =>
        found.push(`${expression}: ${what} ${mine}, upstream ${other}`);
      if (theirs.wrong !== undefined || ours.wrong !== undefined) {
        const isSame =
          ours.wrong === theirs.wrong || (ours.wrong !== undefined && isSyntax(theirs.wrong ?? ''));
        if (!isSame) note('wrong', ours.wrong, theirs.wrong);
        continue;
      }
      if (ours.estimate !== theirs.estimate) note('estimate', ours.estimate, theirs.estimate);
      if (ours.value !== theirs.value) note('value', ours.value, theirs.value);
      if (ours.error !== theirs.error) note('error', ours.error, theirs.error);
      const isDear = ours.cost !== theirs.cost && !(dearer.test(expression) && ours.cost > theirs.cost);
      if (isDear) note('cost', ours.cost, theirs.cost);
    }
    assert.deepEqual(found, []);
  });

it('questions about access are answered as by upstream', async () => {
  const found: string[] = [];
  for (const expression of accessQuestions) {
    const theirs = await judge.ask({ expression, access });
    assert.equal(theirs.trouble, undefined, expression);
    const ours = accessAnswerOf(expression);
    for (const key of ['wrong', 'value', 'error', 'cost'] as const) {
      // What went beyond its budget has no cost of its own; what is of a wrong type costs a unit more.
      const isFailure = ours.error === 'no such overload' || ours.error.startsWith('no such overload:');
      if (key === 'cost' && (Number.isNaN(ours.cost) || (isFailure && ours.cost === theirs.cost + 1)))
        continue;
      if (ours[key] !== theirs[key])
        found.push(`${expression}: ${key} ${ours[key]}, upstream ${theirs[key]}`);
    }
  }
  assert.deepEqual(found, []);
});

it('the functions and macros are those of upstream', async () => {
  const { functions = [] } = await judge.ask({ functions: true, self: null });
  const theirs = [...new Set(functions.map(withLetters))].filter((each) => !unwritten.test(each));
  const ours = new Set(ownFunctions().filter((each) => !unwritten.test(each)));
  assert.ok(theirs.length > 100);
  assert.deepEqual(
    {
      missing: theirs.filter((each) => !ours.has(each)),
      more: [...ours].filter((each) => !theirs.includes(each)),
    },
    { missing: [], more: [] },
  );
});

it('expressions patch objects as those of upstream do', async () => {
  const found: string[] = [];
  for (const { expression, mutation } of mutationQuestions) {
    const theirs = await judge.ask({ expression, mutation, self: null });
    assert.equal(theirs.trouble, undefined, expression);
    const [mine, other] = [mutationOutcome(expression, mutation), theirs].map(mutationWords);
    assert.equal(mine !== other && better.has(expression), better.has(expression), expression);
    if (mine !== other && !better.has(expression))
      found.push(`${expression}:\n  ${mine}\n  upstream ${other}`);
  }
  assert.equal(found.join('\n'), '');
});

it('what types say of the expressions of policies is what upstream says', async () => {
  const found: string[] = [];
  let warned = 0;
  for (const spec of typeQuestions) {
    const policy = { metadata: { name: 'p' }, spec };
    const { trouble, warnings = [] } = await judge.ask({ policy, self: null });
    assert.equal(trouble, undefined, JSON.stringify(spec.validations));
    const shown = (all: readonly ExpressionWarning[]) =>
      withoutMadeUpNames(all.map(({ fieldRef, warning }) => `${fieldRef}: ${warning}`).join(''));
    const [mine, other] = [shown(ownTypeWarnings(spec)), shown(warnings)];
    warned += warnings.length;
    if (mine !== other) found.push(`${mine}\nupstream ${other}`);
  }
  assert.equal(found.join('\n'), '');
  assert.ok(warned > 200, `${warned} warnings`);
});

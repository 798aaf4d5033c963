/** Expressions in CEL beside upstream's: what is wrong with them, what they may cost, what they come to, what that has cost. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { loadPatternEngine } from '@wherry/kubeapi';
import { answerOf } from './cel/answer.ts';
import { dearer, expressions, schema, self, worded } from './cel/questions.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

interface Answer {
  trouble?: string;
  wrong?: string;
  estimate: string;
  value: string;
  error: string;
  cost: number;
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

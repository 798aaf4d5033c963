/**
 * Defaults, rules and tables of every built-in kind beside upstream's own, on sound objects and on objects that chance has
 * changed towards bounds. SEED=N asks other questions, ROUNDS=N more of them; then only new differences count.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  applyDefaults,
  builtInType,
  inVersion,
  type JsonObject,
  kindVersions,
  loadPatternEngine,
  resources,
  schemaOfKind,
} from '@wherry/kubeapi';
import { servedResources } from '../packages/apiserver/src/kinds/served-resources.ts';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { changedDevices, settledDevices } from './kubeapikinds/devices/questions.ts';
import { differencesOf, type KindAnswer } from './kubeapikinds/differences.ts';
import { examples } from './kubeapikinds/examples.ts';
import { knownDifferences } from './kubeapikinds/known-differences.ts';
import { makeQuestions, type Question, withoutEmpty } from './kubeapikinds/questions.ts';
import { wholePods } from './kubeapikinds/whole-pods.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

/** Several: each meets mistakes that the others miss. */
const usualSeeds = [1, 2, 3, 4, 5, 6];
const usualRounds = 60;
const { SEED: ownSeed } = process.env;
const seeds = ownSeed === undefined ? usualSeeds : [Number(ownSeed)];
const rounds = Number(process.env['ROUNDS'] ?? usualRounds);

const allQuestions = () => seeds.flatMap((seed) => makeQuestions(new SeededRandom(seed), rounds));

const isKnown = (line: string) => knownDifferences.some(([pattern]) => pattern.test(line));

let judge: Judge<KindAnswer>;
before(async () => {
  await loadPatternEngine();
  judge = new Judge(await buildGoPeer('kubeapikindsjudge'));
});
after(() => judge.close());

it('every kind that is stored is asked about', () => {
  const stored = servedResources({ 'api/all': true }).filter(
    // Definitions of custom resources have a judge of their own.
    ({ verbs, group }) =>
      verbs.includes('create') && verbs.includes('get') && group !== 'apiextensions.k8s.io',
  );
  const names = stored.map(({ group, version, kind }) =>
    [group, version, kind].filter((part) => part !== '').join('/'),
  );
  assert.deepEqual(Object.keys(examples).sort(), names.sort());
  assert.ok(names.length > 45 && names.length < resources.length);
});

/** Lines of all differences, each with the first object that showed it, and how many objects are sound. */
async function compare(questions: readonly Question[]) {
  const answers = await Promise.all(
    questions.map(({ object, previous, subresource }) => judge.ask({ object, previous, subresource })),
  );
  const found = new Map<string, string>();
  for (const [index, question] of questions.entries()) {
    for (const line of differencesOf(question, answers[index]!)) {
      const { object, previous } = question;
      if (!found.has(line)) found.set(line, JSON.stringify({ object, previous }));
    }
  }
  const fresh = [...found].filter(([line]) => !isKnown(line)).map(([line, object]) => `${line}\n  ${object}`);
  assert.deepEqual(fresh, []);
  const clean = answers.filter(({ violations, error }) => violations === null && error === undefined);
  assert.ok(clean.length > questions.length / 4, `${clean.length} of ${questions.length} objects are sound`);
  assert.ok(answers.filter(({ error }) => error !== undefined).length < questions.length / 50);
  return [...found.keys()];
}

const seen = new Set<string>();

it(`defaults, violations and cells are upstream's, but for what is known (SEED=${seeds.join()} ROUNDS=${rounds})`, async () => {
  for (const line of await compare(allQuestions())) seen.add(line);
});

it('of devices so is all that may be said, at its bounds and by chance, and what is wrong is told in the same words', async () => {
  const questions = seeds.flatMap((seed) => changedDevices(new SeededRandom(seed), 4 * rounds));
  for (const line of await compare([...settledDevices(), ...questions])) seen.add(line);
});

it('no difference is known that is none', () => {
  if (seeds !== usualSeeds || rounds !== usualRounds) return;
  const gone = knownDifferences.filter(([pattern]) => ![...seen].some((line) => pattern.test(line)));
  assert.deepEqual(
    gone.map(([pattern]) => String(pattern)),
    [],
    'known differences that no longer occur: take them out',
  );
});

it("an object of a kind whose versions have other fields becomes upstream's in the other version, and back", async () => {
  const questions = allQuestions().filter(({ schema }) =>
    kindVersions({ group: schema.group, kind: schema.upstreamName }),
  );
  assert.ok(questions.length > rounds);
  let converted = 0;
  for (const { schema, object } of questions) {
    const gvk = { group: schema.group, version: schema.version, kind: schema.upstreamName };
    applyDefaults(object, schema);
    const { forms } = kindVersions(gvk)!;
    for (const version of Object.keys(forms)) {
      const there = { ...gvk, version };
      const theirs = await judge.ask({ object, as: version });
      if (theirs.error !== undefined) continue;
      const inForm = (value: JsonObject) => withoutEmpty(builtInType(there).read(value).object);
      assert.deepEqual(
        inForm(inVersion(gvk, object, version)!),
        inForm(theirs.converted!),
        JSON.stringify(object),
      );
      const back = await judge.ask({ object: theirs.converted, as: gvk.version });
      const ours = inVersion(there, builtInType(there).read(theirs.converted!).object, gvk.version)!;
      // Read again, the later version has its defaults.
      builtInType(there).setDefaults(ours);
      converted += 1;
      if (version === kindVersions(gvk)!.hub) continue;
      assert.deepEqual(withoutEmpty(ours), withoutEmpty(builtInType(gvk).read(back.converted!).object));
    }
  }
  assert.ok(converted > questions.length, `${converted} of ${questions.length}`);
});

it("what pods declare as a whole gets upstream's defaults, and is refused as upstream does", async () => {
  const schema = schemaOfKind({ group: '', version: 'v1', kind: 'Pod' });
  assert.ok(schema);
  let sound = 0;
  for (const object of wholePods) {
    const answer = await judge.ask({ object });
    assert.equal(answer.error, undefined);
    if (answer.violations === null) sound += 1;
    const question: Question = { kind: 'v1/Pod', schema, object, subresource: '' };
    const fresh = differencesOf(question, answer).filter((line) => !isKnown(line));
    assert.deepEqual(fresh, [], JSON.stringify(object['spec']));
  }
  assert.ok(sound > 3 && sound < wholePods.length - 3, `${sound} of ${wholePods.length} are sound`);
});

/** Processors, memory and topology: our managers against those of upstream's kubelet, on machines and pods made by chance. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';
import { buildUpstream } from './build.ts';
import { type Answer, answerOf, type Question } from './managers-bench.ts';
import { QuestionMaker } from './managers-questions.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const questionsMade = Number(process.env['QUESTIONS'] ?? 1_500);

let judge: string;
before(async () => {
  judge = await buildUpstream('managers-judge');
});

async function upstream(questions: readonly Question[]): Promise<Answer[]> {
  const child = spawn(judge, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => answers.push(JSON.parse(line)));
  const ended = new Promise((resolve) => lines.once('close', resolve));
  for (const question of questions) child.stdin.write(`${JSON.stringify(question)}\n`);
  child.stdin.end();
  await ended;
  return answers;
}

function difference(question: Question, theirs: Answer, ours: Answer): string | undefined {
  if (theirs.error || ours.error) {
    if (theirs.error && ours.error) return undefined;
    return `upstream's error: ${theirs.error || 'none'}; ours: ${ours.error || 'none'}`;
  }
  for (const [place, step] of question.steps.entries()) {
    try {
      assert.deepEqual(ours.results?.[place], theirs.results?.[place]);
    } catch (error) {
      return `step ${place} ${JSON.stringify(step)}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

test('what pods are given, and why not, is what upstream gives them', { timeout: 600_000 }, async (t) => {
  const maker = new QuestionMaker(new SeededRandom(seed));
  const questions = Array.from({ length: questionsMade }, () => maker.question());
  const theirs = await upstream(questions);
  assert.equal(theirs.length, questions.length);
  const counts = { refusedAtStart: 0, admitted: 0, refused: new Map<string, number>() };
  const records: { question: Question; ours: Answer; theirs: Answer }[] = [];
  for (const [place, question] of questions.entries()) {
    const ours = await answerOf(question);
    const judged = theirs[place] as Answer;
    const problem = difference(question, judged, ours);
    if (problem) {
      const { steps, ...told } = question;
      assert.fail(
        `seed ${seed}, question ${place}: ${problem}\n${JSON.stringify(told)}\n${JSON.stringify(steps)}`,
      );
    }
    if (judged.error) counts.refusedAtStart += 1;
    else records.push({ question, ours, theirs: judged });
    for (const [step, { admitted, reason }] of (judged.results ?? []).entries()) {
      if (!('admit' in (question.steps[step] ?? {}))) continue;
      if (admitted) counts.admitted += 1;
      else counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
    }
  }
  const refused = Object.fromEntries(counts.refused);
  t.diagnostic(
    `seed ${seed}: ${questions.length} machines, ${counts.refusedAtStart} not started, ${counts.admitted} pods admitted, refused ${JSON.stringify(refused)}`,
  );
  assert.ok(counts.admitted > questionsMade, 'most pods are too large for their machine');
  for (const reason of ['TopologyAffinityError', 'SMTAlignmentError', 'UnexpectedAdmissionError'])
    assert.ok((counts.refused.get(reason) ?? 0) > 0, `nothing was refused for ${reason}`);
  await exchange(records);
});

/** Each reads what the other wrote, and has the same then. */
async function exchange(records: readonly { question: Question; ours: Answer; theirs: Answer }[]) {
  const filesOf = ({ cpuFile, memoryFile }: Answer) => ({
    cpu_manager_state: cpuFile,
    memory_manager_state: memoryFile,
  });
  const reading = (question: Question, written: Answer): Question => ({
    ...question,
    steps: [],
    files: filesOf(written),
  });
  const reread = await upstream(records.map(({ question, ours }) => reading(question, ours)));
  const refused = records.filter((_, place) => reread[place]?.error);
  const own = await upstream(refused.map(({ question, theirs }) => reading(question, theirs)));
  const refusesItsOwn = new Set(refused.filter((_, place) => own[place]?.error));
  for (const [place, record] of records.entries()) {
    const { question, ours, theirs } = record;
    const back = await answerOf(reading(question, theirs));
    assert.equal(back.error, '', `we read ${theirs.cpuFile} and ${theirs.memoryFile}`);
    if (!theirs.memoryFile.includes('hugepages'))
      assert.deepEqual(JSON.parse(ours.memoryFile), JSON.parse(theirs.memoryFile));
    assert.deepEqual(JSON.parse(ours.cpuFile), JSON.parse(theirs.cpuFile));
    // Upstream does not read what it writes itself when all processors are given away, nor always where a container has
    // taken over memory of an init container that had it from several nodes.
    if (refusesItsOwn.has(record)) continue;
    const { error, results } = reread[place] as Answer;
    assert.equal(error, '', `upstream reads ${ours.cpuFile} and ${ours.memoryFile}`);
    const last = theirs.results?.at(-1);
    if (!last) continue;
    const { shared, cpus, memory, table } = last;
    const told = results?.[0];
    assert.deepEqual([told?.shared, told?.cpus, told?.memory, told?.table], [shared, cpus, memory, table]);
  }
}

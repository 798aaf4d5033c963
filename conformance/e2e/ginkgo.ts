import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { buildGinkgo } from './build.ts';
import { type SpecReport, specName } from './results.ts';

/** A suite and what it is told. */
export interface Suite {
  /** Program of the suite. */
  program: string;
  /** Its own flags: where the cluster is. */
  flags: readonly string[];
  /** Folder that it runs in. */
  folder: string;
  /** A suite that hangs is ended after this time, such as `4h`. */
  timeout: string;
  /** Folder whose programs it finds before all others. */
  programs?: string;
  /** Whether a spec may fail. */
  mayFail(name: string): boolean;
}

/** Which specs run, and how many at once. */
export interface Choice {
  focus: string;
  /** None is left out when it is empty. */
  skip: string;
  procs: string;
  /** Regular expression over the files that specs stand in. */
  focusFile?: string;
  /** No second chance. */
  once?: boolean;
}

/** What came of a run. */
export interface Outcome {
  specs: SpecReport[];
  /** Those that were not chosen, and those that found that they cannot run here. */
  skipped: SpecReport[];
}

async function runOnce(
  { program, flags, folder, timeout, programs }: Suite,
  { focus, skip, procs, focusFile }: Choice,
): Promise<Outcome> {
  const report = join(folder, 'report.json');
  const own = ['--no-color', '--succinct', '--silence-skips', `--procs=${procs}`, `--timeout=${timeout}`];
  const chosen = [`--focus=${focus}`, ...(skip ? [`--skip=${skip}`] : []), `--json-report=${report}`];
  const where = focusFile === undefined ? [] : [`--focus-file=${focusFile}`];
  const words = [...own, ...chosen, ...where, program, '--', ...flags];
  const path = [...(programs === undefined ? [] : [programs]), process.env.PATH].join(delimiter);
  const child = spawn(await buildGinkgo(), words, {
    ...{ stdio: ['ignore', 'inherit', 'inherit'], cwd: folder },
    env: { ...process.env, PATH: path },
  });
  await once(child, 'exit');
  const [result] = JSON.parse(await readFile(report, 'utf8')) as { SpecReports: SpecReport[] | null }[];
  const all = (result?.SpecReports ?? []).filter(({ LeafNodeType }) => LeafNodeType === 'It');
  const isSkipped = ({ State }: SpecReport) => State === 'skipped' || State === 'pending';
  return { specs: all.filter((spec) => !isSkipped(spec)), skipped: all.filter(isSkipped) };
}

/** What came out for each spec, of the second time where it failed the first time. */
export async function runTwice(suite: Suite, choice: Choice): Promise<Outcome> {
  const { specs, skipped } = await runOnce(suite, choice);
  const failed = specs.filter(({ State }) => State !== 'passed').map(specName);
  const again = failed.filter((name) => !suite.mayFail(name)).map(exactly);
  if (again.length === 0 || choice.once) return { specs, skipped };
  const alone = await runOnce(suite, { ...choice, focus: again.join('|'), procs: '1' });
  const second = new Map(alone.specs.map((spec) => [specName(spec), { ...spec, SecondChance: true }]));
  return { specs: specs.map((spec) => second.get(specName(spec)) ?? spec), skipped };
}

const exactly = (name: string) => `${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;

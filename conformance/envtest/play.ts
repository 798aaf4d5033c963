import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Outcome, readGoTests, readReport } from './outcome.ts';

/** A suite that is built. */
export interface BuiltSuite {
  program: string;
  /** Where it finds its files. */
  cwd: string;
  /** The test of Go's that runs Ginkgo's specs, where it has some. */
  runner?: string | undefined;
}

/** Runs a suite beside control planes of its own, made of the programs in `assets`; `folder` is for what they keep. */
export async function play(
  { program, cwd, runner }: BuiltSuite,
  { assets, folder }: { assets: string; folder: string },
): Promise<{ outcome: Outcome; said: string }> {
  const report = `${program}.json`;
  const ofGinkgo = runner === undefined ? [] : ['-ginkgo.no-color', `-ginkgo.json-report=${report}`];
  const words = ['-test.v', '-test.timeout=15m', ...ofGinkgo];
  // Some leave folders of control planes that they never start, and control planes that they never stop.
  const kept = await mkdtemp(join(folder, 'tmp-'));
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: kept };
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.once('exit', () => endThoseOf(kept));
  const [said, log, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const specs =
    runner === undefined ? { passed: [], failed: [] } : readReport(await readFile(report, 'utf8'));
  const tests = readGoTests(said, runner);
  const outcome: Outcome = {
    passed: [...specs.passed, ...tests.passed],
    failed: [...specs.failed, ...tests.failed],
  };
  if (exitCode !== 0 && outcome.failed.length === 0) outcome.failed.push(`ended with ${exitCode}`);
  return { outcome, said: `${log}\n${said}` };
}

/** Ends the programs whose command line names a folder below that one. */
function endThoseOf(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

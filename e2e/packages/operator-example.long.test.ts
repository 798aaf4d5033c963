/** examples/operator, outside of this repository, with what `npm run release` makes: its tests under three runners. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { leftIn, tracesOfHost, untilNothingIsLeft } from '../../packages/testing/test/machine.ts';
import { makeTarballs } from '../../tools/release/tarballs.ts';
import { Project } from './project.ts';

const root = join(import.meta.dirname, '../..');
const runners = [
  ['node:test', 'test'],
  ['Vitest', 'test:vitest'],
  ['Jest', 'test:jest'],
] as const;

describe('the example of an operator', { timeout: 860_000 }, () => {
  let project: Project;
  let temporary: string;
  before(async () => {
    temporary = mkdtempSync(join(tmpdir(), 'wherry-example-'));
    const tarballs = await makeTarballs(root, join(temporary, 'tarballs'));
    project = new Project(dirname(process.execPath));
    cpSync(join(root, 'examples/operator'), project.folder, { recursive: true });
    await project.install(tarballs);
    mkdirSync(join(temporary, 'tmp'));
  });
  after(() => {
    project?.remove();
    rmSync(temporary, { recursive: true, force: true });
  });

  it('compiles against the packages as they are published', async () => {
    await project.run(join(root, 'node_modules/.bin/tsc'), '-p', '.');
  });

  /** A run of its tests whose temporary files are its own, so that what it leaves is seen. */
  function start(script: string): ChildProcess {
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
    return spawn('npm', ['run', '--silent', script], {
      cwd: project.folder,
      detached: true,
      env: {
        ...env,
        TMPDIR: join(temporary, 'tmp'),
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  const hostFolders = () =>
    readdirSync(join(temporary, 'tmp'))
      .filter((name) => name.startsWith('wherry-testing-'))
      .map((name) => join(temporary, 'tmp', name));

  for (const [runner, script] of runners) {
    it(`passes under ${runner}, and leaves nothing`, async (test) => {
      const child = start(script);
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => (said += String(chunk)));
      const [code] = await once(child, 'close');
      assert.equal(code, 0, said);
      for (const [words] of said.matchAll(/(?:API server|node) ready after \d+ ms/g)) test.diagnostic(words);
      assert.match(said, /node ready after \d+ ms/);
      for (let patience = 100; hostFolders().length > 0 && patience > 0; patience--) await delay(100);
      assert.deepEqual(hostFolders(), []);
    });

    it(`leaves nothing when it is killed under ${runner}`, async () => {
      const child = start(script);
      const ended = once(child, 'close');
      const folder = await untilNodeRuns(hostFolders);
      const during = await tracesOfHost(folder);
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
      const left = await untilNothingIsLeft(folder, during.interfaces, 30_000);
      assert.deepEqual(leftIn(left), []);
      for (const name of readdirSync(join(temporary, 'tmp')))
        rmSync(join(temporary, 'tmp', name), { recursive: true });
    });
  }
});

/** The host's folder once its node has made a bridge and mounts. */
async function untilNodeRuns(hostFolders: () => string[]): Promise<string> {
  for (let patience = 3_000; patience > 0; patience--) {
    for (const folder of hostFolders()) {
      const { interfaces, cgroups } = await tracesOfHost(folder);
      if (interfaces.length > 0 && cgroups.length > 0) return folder;
    }
    await delay(20);
  }
  throw new Error('no node came up');
}

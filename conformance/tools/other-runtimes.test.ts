/** @wherry/client in Deno and in Bun, before a real node, and @wherry/testing in tests that run there. */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { scriptPod, TestNode } from '../../e2e/node.ts';
import { installPrograms, programOf } from './npm-programs.ts';

const timeoutMs = 120_000;

const parts = {
  objects: [{ sky: 'blue', grass: 'green' }, ['talks']],
  watch: { sky: 'blue', grass: 'green' },
  'many at once': 50,
  refused: [404, 'NotFound'],
  exec: ['out\n', 'oops\n', 3],
  input: [0, true],
  forward: [200, 'talks'],
  log: 'line 1',
  copy: true,
};

/** Bun's package is a script that would put the program of this machine in its place. */
const bun = `node_modules/@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}/bin/bun`;
const deno = ['node_modules/.bin/deno', 'run', '-A', '--node-modules-dir=manual'];

/** Bun has a WebSocket of its own in the place of `ws`, which knows no sub-protocols such as the tunnel's: `auto` is SPDY there. */
const runtimes = {
  node: { command: [process.execPath], transports: ['websocket', 'spdy'] },
  deno: { command: deno, transports: ['websocket', 'spdy'] },
  bun: { command: [bun], transports: ['auto', 'spdy'] },
};

let node: TestNode;
before(async () => {
  installPrograms();
  node = await TestNode.start('runtimes');
  await node.apply(scriptPod('talks', 'echo line 1; exec httpd -f -p 8080 -h /etc'));
});
after(() => node?.remove());

/** Runs a program of `runtimes` by a runtime; what it printed. */
async function runBy(command: readonly string[], program: string, ...more: string[]): Promise<string> {
  const [first = '', ...words] = command;
  const all = [...words, join(import.meta.dirname, 'runtimes', program), ...more];
  const env = { KUBECONFIG: node.kubeconfig };
  // An absolute path stays what it is.
  const { code, stdout, stderr } = await run(resolve(programOf('.'), first), all, { env, timeoutMs });
  assert.equal(code, 0, `${stdout}${stderr}`);
  return stdout;
}

for (const [name, { command, transports }] of Object.entries(runtimes))
  describe(name, () => {
    for (const transport of transports)
      test(`does what Node does, its streams over ${transport}`, { timeout: timeoutMs * 2 }, async () => {
        const told = (await runBy(command, 'program.ts', transport))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        assert.deepEqual(Object.fromEntries(told), parts);
      });

    test('has an API server for the length of a test', { timeout: timeoutMs * 2 }, async () => {
      const told = JSON.parse(await runBy(command, 'cluster-in-a-test.ts'));
      assert.deepEqual(told, { data: { sky: 'blue' }, late: 'timed-out' });
    });
  });

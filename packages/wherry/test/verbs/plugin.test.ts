/** Programs on the PATH as commands, beside the real kubectl, which knows those of its own name alone. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

const main = new URL('../../src/main.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'wherry-plugins-'));
const [first, second] = [join(folder, 'first'), join(folder, 'second')];
const kubectl = spawnSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).stdout.trim();

function program(path: string, script: string, mode = 0o755): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
}
const says = (path: string, mode?: number) => program(path, `echo "${path} got $#: $*"`, mode);

before(() => {
  for (const path of [first, second]) mkdirSync(path);
  for (const name of ['kubectl-foo', 'kubectl-foo-bar', 'kubectl-two_words', 'kubectl-create-thing'])
    says(join(first, name));
  says(join(second, 'kubectl-foo'));
  says(join(second, 'kubectl-version'));
  says(join(second, 'kubectl-plain'), 0o644);
  program(join(first, 'kubectl-fails'), 'echo failed >&2; exit 42');
});
after(() => rmSync(folder, { recursive: true, force: true }));

const paths = [first, second, join(folder, 'nowhere'), '/usr/bin', '/bin'].join(delimiter);
const options = (PATH = paths) => ({
  env: { ...process.env, PATH, KUBECONFIG: '/dev/null' },
  encoding: 'utf8' as const,
});
const wherry = (line: string, path?: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...line.split(' ')], options(path));
  return { status, stdout, stderr };
};
const kubectls = (line: string) => {
  const { status, stdout, stderr } = spawnSync(kubectl, line.split(' '), options());
  return { status, stdout, stderr };
};

test('a command that is not there is a program on the PATH, as in kubectl', () => {
  for (const line of [
    'foo',
    'foo a -n b --flag=c',
    'foo bar baz',
    'foo -x bar',
    'two-words --help',
    'fails now',
    'create thing x',
  ])
    assert.deepEqual(wherry(line), kubectls(line), line);
  assert.match(wherry('create nothing').stderr, /^error: /);
  const { status, stderr } = wherry('nope');
  assert.deepEqual([status, stderr.split('\n')[0]], [1, "error: unknown command 'nope'"]);
  assert.equal(wherry('foo/bar').status, 1);
  assert.equal(wherry('-n x foo').status, 1);
});

test('what is named after wherry goes before what is named after kubectl', () => {
  const third = join(folder, 'third');
  mkdirSync(third);
  says(join(third, 'wherry-foo'));
  const path = `${paths}${delimiter}${third}`;
  assert.equal(wherry('foo a', path).stdout, `${third}/wherry-foo got 1: a\n`);
  assert.equal(wherry('foo bar', path).stdout, `${first}/kubectl-foo-bar got 0: \n`);
  const { stdout, stderr } = wherry('plugin list', path);
  assert.match(stdout, new RegExp(`^${third}/wherry-foo$`, 'm'));
  const shadowed = `${first}/kubectl-foo is overshadowed by a similarly named plugin: ${third}/wherry-foo`;
  assert.ok(stderr.includes(shadowed), stderr);
});

test('plugin list tells of programs and of what is wrong with them, as kubectl does', () => {
  for (const line of ['plugin list', 'plugin list --name-only', 'plugin list --name-only=false']) {
    const theirs = kubectls(line);
    const ours = wherry(line);
    const told = (text: string) =>
      text
        .replace(/"kubectl (\w+)"/g, '"wherry $1"')
        .replace('a kubectl plugin', 'a wherry plugin')
        .trimEnd();
    assert.deepEqual(
      { ...ours, stderr: told(ours.stderr) },
      { ...theirs, stderr: told(theirs.stderr) },
      line,
    );
  }
  const none = wherry('plugin list', '/usr/bin');
  assert.deepEqual(none, {
    ...{ status: 1, stdout: '' },
    stderr: 'error: unable to find any wherry plugins in your PATH\n',
  });
});

test('a signal ends the program, and then wherry as it', { timeout: 20_000 }, async () => {
  program(join(first, 'kubectl-waits'), 'echo waits; exec sleep 1000');
  const child = spawn(process.execPath, [main, 'waits'], {
    ...options(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'waits');
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve([code, signal])));
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [null, 'SIGTERM']);
});

test('options prints the flags of every command about a cluster, and no other', () => {
  const { status, stdout, stderr } = wherry('options');
  assert.deepEqual([status, stderr], [0, '']);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
  for (const flag of ['--kubeconfig', '--context', '--namespace', '--as', '--request-timeout', '--v'])
    assert.ok(flags.includes(flag), flag);
  assert.ok(!flags.includes('--help') && !flags.includes('--output'), stdout);
});

test('completion knows plug-ins, and asks the program beside one what may follow it', () => {
  program(
    join(first, 'kubectl_complete-foo-bar'),
    'echo "$#: $*" >&2; printf "one\\tfirst\\nother\\ntwo\\n:4\\n"',
  );
  const complete = (...words: string[]) => {
    const line = [main, '__complete', '--', ...words];
    return spawnSync(process.execPath, line, options())
      .stdout.split('\n')
      .filter((word) => word !== '');
  };
  assert.deepEqual(complete('fo'), ['foo']);
  assert.deepEqual(complete('two'), ['two-words']);
  assert.deepEqual(complete('foo', 'b'), ['bar', ':file']);
  assert.deepEqual(complete('foo', 'bar', 'o'), ['one', 'other']);
  assert.deepEqual(complete('two-words', ''), [':file']);
  assert.deepEqual(complete('plugin', 'l'), ['list']);
});

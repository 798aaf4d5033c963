import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { examples } from '../cli/examples.ts';
import { createProgram } from '../cli/program.ts';
import { complete } from './candidates.ts';
import { completionScript } from './scripts.ts';

const main = new URL('../main.ts', import.meta.url).pathname;
/** What the scripts call as `wherry`. */
const wherryFunction = `wherry() { '${process.execPath}' '${main}' "$@"; }`;

const candidates = (...words: string[]) => complete(createProgram().program, words);

test('sub-commands, flags and the values of flags are completed', () => {
  assert.deepEqual(candidates('sta').words, ['status']);
  assert.deepEqual(candidates('image', 'l').words, ['load', 'list']);
  assert.deepEqual(candidates('up', '--de').words, ['--detach', '--demo']);
  assert.deepEqual(candidates('image', 'ls', '-o', 'n').words, ['name']);
  assert.deepEqual(candidates('image', 'ls', '--output=n').words, ['--output=name']);
  assert.deepEqual(candidates('image', 'ls', '--output', '=', 'n').words, ['name']);
});

test('what has to be looked up is named, with the flags that say where', () => {
  const { wanted, flags } = candidates('exec', '-n', 'work', '');
  assert.equal(wanted, 'pod');
  assert.equal(flags.get('--namespace'), 'work');
  assert.equal(candidates('exec', 'web', '-c', '').wanted, 'container');
  assert.equal(candidates('image', 'rm', '').wanted, 'image');
  assert.equal(candidates('get', '').wanted, 'resource');
  const { wanted: object, before } = candidates('get', '-n', 'work', 'pods', '');
  assert.deepEqual([object, before], ['object', ['pods']]);
  assert.equal(candidates('exec', 'web', '').wanted, undefined);
  assert.deepEqual(candidates('sessions', 's').words, ['show']);
  assert.equal(candidates('sessions', 'show', '').wanted, 'session');
  assert.equal(candidates('sessions', '--node', '').wanted, 'node');
  assert.equal(candidates('set', 'image', '').wanted, 'resource');
  assert.deepEqual(candidates('taint', 'n').words, ['nodes']);
  assert.equal(candidates('taint', 'nodes', '').wanted, 'node');
  assert.equal(candidates('image', 'build', 'app', '--from', '').wanted, 'file');
  assert.equal(candidates('apply', '-k', '').wanted, 'file');
  assert.equal(candidates('kustomize', '').wanted, 'file');
  assert.deepEqual(candidates('debug', 'web', '--profile', 'n').words, ['netadmin']);
  assert.deepEqual(
    ['', '--target', '--custom'].map(
      (flag) => candidates('debug', ...(flag ? ['web', flag] : []), '').wanted,
    ),
    ['pod', 'container', 'file'],
  );
  assert.equal(candidates('create', 'job', 'now', '--from', '').wanted, undefined);
  assert.deepEqual(
    ['--context', '-n', '--cluster', '--kubeconfig'].map((flag) => candidates('get', flag, '').wanted),
    ['context', 'namespace', 'cluster', 'file'],
  );
});

test('behind -- nothing is completed, and hidden commands are not shown', () => {
  assert.deepEqual(candidates('exec', 'web', '--', 's').words, []);
  assert.equal(candidates('exec', 'web', '--', 's').wanted, undefined);
  assert.ok(!candidates('').words.some((word) => word.startsWith('_')));
});

test('bash completes with the script', () => {
  const script = `${wherryFunction}
${completionScript('bash')}
COMP_WORDS=(wherry image l); COMP_CWORD=2; _wherry; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.equal(stdout, 'load list\n', stderr);
});

test('fish completes with the script', () => {
  const script = `function wherry; '${process.execPath}' '${main}' $argv; end
${completionScript('fish')}
complete -C 'wherry image l'`;
  const { stdout, stderr, error } = spawnSync('fish', ['-c', script], { encoding: 'utf8' });
  assert.equal(error, undefined, 'fish is missing; apt-get install fish');
  assert.deepEqual(stdout.trim().split('\n').sort(), ['list', 'load'], stderr);
});

test('zsh hands the words on and takes what comes back', () => {
  const script = `${wherryFunction}
compdef() { :; }
compadd() { shift; print -l -- "$@"; }
${completionScript('zsh')}
words=(wherry image l); CURRENT=3; _wherry`;
  const { stdout, stderr, error } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
  assert.equal(error, undefined, 'zsh is missing; apt-get install zsh');
  assert.deepEqual(stdout.trim().split('\n'), ['load', 'list'], stderr);
});

test('every example of the help names a command and flags that there are', () => {
  for (const [path, lines] of Object.entries(examples)) {
    for (const [, line] of lines) {
      const words = /wherry (.*)/.exec(line)?.[1]?.split(' -- ')[0]?.split(' ') ?? [];
      const { command } = complete(createProgram().program, [...words, '']);
      assert.equal(command.name(), path.split(' ').at(-1), line);
      for (const flag of words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0])) {
        assert.ok(
          command.options.some(({ long }) => long === flag),
          `${flag} in "${line}"`,
        );
      }
    }
  }
});

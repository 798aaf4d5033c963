import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createProgram } from '../packages/wherry/src/cli/program.ts';
import { run } from './command.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { wherry } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-words-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Nobody listens there: what is wrong with a command line comes out before, or this does. */
const KUBECONFIG = join(folder, 'config');
writeFileSync(
  KUBECONFIG,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
  }),
);
const env = { KUBECONFIG, HOME: folder };

interface Flag {
  name: string;
  short: string | undefined;
  isSwitch: boolean;
}

/** The flags of kubectl's help: `-c, --container='':`. */
function flagsIn(help: string): Flag[] {
  return [...help.matchAll(/^ {4}(?:-(\w), )?--([\w-]+)=(.*):$/gm)].map(([, short, name = '', value]) => ({
    name,
    short,
    isSwitch: value === 'false' || value === 'true',
  }));
}

/** Refused by name: no command asks a server for its version first. */
const refused = new Set(['match-server-version']);

const skip = unlessKubectlHas('the flags and words of 1.32');

for (const verb of ['exec', 'attach', 'port-forward', 'logs', 'cp', 'debug']) {
  test(`${verb} takes every flag of kubectl that is not refused by name, with the same letters`, {
    skip,
  }, async () => {
    const help = await run('kubectl', [verb, '--help'], { env });
    const options = await run('kubectl', ['options'], { env });
    const wanted = flagsIn(help.stdout + options.stdout).filter(({ name }) => !refused.has(name));
    assert.ok(wanted.length > 20, `${wanted.length} flags`);
    const command = createProgram().kubeCommands.find((one) => one.name() === verb);
    const ours = (command?.options ?? []).map(
      ({ long, short, required }): Flag => ({
        name: long?.slice(2) ?? '',
        short: short?.slice(1),
        isSwitch: !required,
      }),
    );
    const found = wanted.map(({ name }) => ours.find((flag) => flag.name === name));
    assert.deepEqual(found, wanted);
  });
}

/** Command lines whose answer is the same to the letter, but for the program's name. */
const sameAnswer = [
  ['exec'],
  ['exec', 'p'],
  ['exec', 'p', 'ls'],
  ['exec', 'p', '--'],
  ['exec', '--', 'ls'],
  ['exec', 'p', '--bogus', '--', 'x'],
  ['exec', 'a/b/c', '--', 'x'],
  ['exec', '-f', 'nope.yaml', '--', 'x'],
  ['exec', 'p', '--as-group=g', '--', 'x'],
  ['exec', 'p', '--as-uid', '1', '--', 'x'],
  ['exec', 'p', '--request-timeout=abc', '--', 'x'],
  ['exec', 'p', '--context', 'nope', '--', 'x'],
  ['exec', 'p', '--user', 'nope', '--', 'x'],
  ['exec', 'p', '--cluster', 'nope', '--', 'x'],
  ['exec', 'p', '--kubeconfig', '/nope', '--', 'x'],
  ['exec', 'p', '--certificate-authority', '/nope', '--', 'x'],
  ['attach'],
  ['port-forward'],
  ['port-forward', 'p'],
  ['logs'],
  ['logs', 'a', 'b', 'c'],
  ['logs', 'a', '-l', 'b'],
  ['logs', 'p', '--pod-running-timeout=-1s'],
  ['cp'],
  ['cp', 'a', 'b'],
  ['cp', 'p:a', 'q:b'],
  ['cp', 'p:', 'b'],
  ['cp', 'a/b/c:d', 'x'],
  ['cp', ':d', 'x'],
  ['api-versions', 'x'],
  ['api-versions', '--bogus'],
  ['certificate', 'approve'],
  ['certificate', 'deny', '--bogus'],
  ['debug'],
  ['debug', '--image=x'],
  ['debug', 'p', '--image=x', '--profile=none'],
  ['debug', 'p', '--image=X'],
  ['debug', 'p', '--copy-to=q'],
  ['debug', 'p', '--image=x', '--env=a,b'],
  ['debug', 'p', '--bogus'],
  ['taint'],
  ['taint', 'nodes', 'n'],
  ['taint', 'nodes', 'n', 'a:NoSchedule', 'm'],
  ['taint', 'nodes', 'n', 'a=b'],
  ['taint', 'nodes', 'n', 'a=b:Never'],
  ['taint', 'nodes', 'n', 'a=-:NoSchedule'],
  ['taint', 'nodes', 'n', 'a=x:NoSchedule', 'a=y:NoSchedule'],
];

for (const words of sameAnswer) {
  test(`${words.join(' ')}: answered as kubectl does`, { skip }, async () => {
    const theirs = await run('kubectl', words, { env });
    const ours = await wherry(words, { env });
    const same = (text: string) =>
      text
        .replace(/^Error: /, 'error: ')
        .replace(/^Error in configuration: /, 'error: ')
        .replaceAll('kubectl', 'wherry')
        .trim();
    const said = same(theirs.stderr);
    // A suggestion may follow.
    assert.ok(same(ours.stderr).startsWith(said), `kubectl: ${said}\nours: ${ours.stderr}`);
    assert.equal(ours.code, theirs.code);
  });
}

test('flags are taken as Go takes them, also in front of the command', async () => {
  const lines = [
    ['exec', 'p', '-q=false', '-i=true', '--tty=false', '-n=work', '--', 'x'],
    ['exec', '-it=false', 'p', '-cmain', '--stdin=1', '-v=5', '--', 'x', '--bogus', '-z'],
    ['-n', 'work', '--context=x', 'logs', '--tail', '-1', '--follow=false', 'p'],
    [
      'logs',
      '-fl',
      'app=web',
      '--all-containers=true',
      '--cache-dir',
      '/tmp',
      '--limit-bytes=0',
      '--since=0',
    ],
  ];
  for (const words of lines) {
    const ours = await wherry(words, { env });
    assert.equal(
      ours.stderr,
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    );
  }
  const { stderr } = await wherry(['exec', 'p', '-it=maybe', '--', 'x'], { env });
  assert.match(stderr, /^error: invalid argument "maybe" for "-t, --tty" flag: /);
});

test('contradictions in logs are refused in the words of kubectl', async () => {
  const rows: [words: string[], message: string][] = [
    [
      ['--since=1s', '--since-time=2020-01-01T00:00:00Z'],
      'at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [['-c', 'a', '--all-containers'], '--all-containers=true should not be specified with container name a'],
    [['inline', '-c', 'a'], 'only one of -c or an inline [CONTAINER] arg is allowed'],
    [['--limit-bytes=-1'], '--limit-bytes must be greater than 0'],
    [['--tail=-2'], '--tail must be greater than or equal to -1'],
  ];
  for (const [words, message] of rows) {
    const { stderr, code } = await wherry(['logs', 'p', ...words], { env });
    assert.deepEqual([stderr, code], [`error: ${message}\n`, 1]);
  }
});

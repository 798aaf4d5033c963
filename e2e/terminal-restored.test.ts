import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { start } from './command.ts';
import { eventually, podOf, TestNode, wherryEntry } from './node.ts';

let node: TestNode;

before(async () => {
  node = await TestNode.start();
  await node.apply(
    podOf('plain'),
    podOf('talks', { stdin: true, tty: true, command: ['sh', '-c', 'while sleep 1; do echo ready; done'] }),
  );
});
after(() => node?.remove());

/** What is done while a session has the terminal. */
interface Deed {
  /** Words of the command line. */
  words?: string;
  /** Typed once the remote side says `ready`. */
  typed?: string;
  /** Sent to the process that has the terminal, once the remote side says `ready`. */
  signal?: NodeJS.Signals;
  /** Environment of the command line. */
  env?: Record<string, string>;
}

/** The remote side of a session: says that it is there, and goes on. */
const saying = (more: string) => `exec -it plain -- sh -c 'echo rea""dy; ${more}'`;

/** Runs the command line inside a terminal; gives back the terminal's settings before and after it, and its exit code. */
async function settingsAround({ words = saying('exec sleep 1000'), typed, signal, env = {} }: Deed) {
  const line = `echo "before=$(stty -g)"; ${process.execPath} ${wherryEntry} ${words}; code=$?; echo; echo "code=$code"; echo "after=$(stty -g)"`;
  const child = start('script', ['-qec', line, '/dev/null'], {
    env: { KUBECONFIG: node.kubeconfig, SHELL: '/bin/sh', ...env },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  try {
    if (signal || typed) {
      await eventually('the session', () => said.includes('ready'));
      if (signal) process.kill(findCommandLine(child.pid ?? 0), signal);
      if (typed) child.stdin.write(typed);
    }
    await eventually('the end', () => said.includes('after=') && child.exitCode !== null);
  } finally {
    child.kill('SIGKILL');
  }
  const found = (name: string) => new RegExp(`${name}=(\\S+)`).exec(said)?.[1] ?? `no ${name} in ${said}`;
  return { before: found('before'), after: found('after'), code: found('code') };
}

/** The process below `ancestor` that runs the command line. */
function findCommandLine(ancestor: number): number {
  const below = readFileSync(`/proc/${ancestor}/task/${ancestor}/children`, 'utf8').trim();
  for (const child of below.split(' ').filter(Boolean).map(Number)) {
    const words = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return words[1] === wherryEntry ? child : findCommandLine(child);
  }
  throw new Error(`no command line below ${ancestor}`);
}

const ways: Record<string, Deed & { code: RegExp }> = {
  'the remote side ends in order': { words: saying('read line'), typed: 'x\r', code: /^0$/ },
  'the remote side fails': { words: saying('read line; exit 42'), typed: 'x\r', code: /^42$/ },
  'Ctrl-C ends the remote side': { words: saying('sleep 1000'), typed: '\x03', code: /^130$/ },
  'the command is not there': { words: 'exec -it plain -- /no/such', code: /^(1|12[678])$/ },
  'the pod is not there': { words: 'exec -it nobody -- true', code: /^1$/ },
  'a SIGINT comes from outside': { signal: 'SIGINT', code: /^1$/ },
  'a SIGTERM comes': { signal: 'SIGTERM', code: /^1$/ },
  'a SIGHUP comes': { signal: 'SIGHUP', code: /^1$/ },
  'a SIGQUIT comes': { signal: 'SIGQUIT', code: /^1$/ },
  'the command line itself crashes': {
    typed: 'x',
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,setTimeout(()=>{throw(new(Error)('crash'))},3000)`,
    },
    code: /^1$/,
  },
  'attach is left by its detach keys': {
    words: 'attach -it talks',
    typed: '\x10\x11',
    code: /^0$/,
  },
};

for (const [way, { code: expected, ...deed }] of Object.entries(ways)) {
  test(`the terminal is put back when ${way}`, async () => {
    const { before: first, after: last, code } = await settingsAround(deed);
    assert.equal(last, first);
    assert.match(code, expected);
  });
}

test('the terminal passes on what the remote side writes byte by byte, as under kubectl', async () => {
  // A remote terminal in raw mode moves down by a bare line feed: no carriage return may join it.
  const remote = `sh -c 'stty raw; printf "one\\ntwo\\r\\nend"'`;
  for (const program of ['kubectl', `${process.execPath} ${wherryEntry}`]) {
    const { stdout } = await node.inTerminal(`${program} exec -it plain -- ${remote}`);
    assert.ok(stdout.includes('one\ntwo\r\nend'), `${program}: ${JSON.stringify(stdout)}`);
  }
});

/** Sessions in odd corners: terminals put back, detaching, forwarded services, refusals in their words. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { start } from './command.ts';
import { testImage } from './image.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { eventually, podOf, scriptPod, TestNode, transports, wherry } from './node.ts';

const wherryEntry = new URL('../packages/wherry/bin/wherry.cjs', import.meta.url).pathname;
const wherryLine = `${process.execPath} ${wherryEntry}`;
const servers = 'while true; do nc -l -p 9000 -e echo served; done';

let node: TestNode;

before(async () => {
  node = await TestNode.start('sessions');
  await node.apply(
    podOf('target', { command: ['sh', '-c', servers], ports: [{ name: 'web', containerPort: 9000 }] }),
    podOf('shell', { command: ['sh'], stdin: true, tty: true }),
    scriptPod('three', 'echo one; echo two; echo three; sleep 100000'),
    twoContainers(),
    service('tcp', { port: 80, targetPort: 'web' }),
    service('datagrams', { port: 53, targetPort: 9000, protocol: 'UDP' }),
  );
});
after(() => node?.remove());

function twoContainers() {
  const pod = podOf('two');
  const [main] = pod.spec.containers;
  return { ...pod, spec: { ...pod.spec, containers: [main, { ...main, name: 'side' }] } };
}

const service = (name: string, port: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: 'target' }, ports: [port] },
});

const environment = () => ({ KUBECONFIG: node.kubeconfig, HOME: node.dataDir });
const runWherry = (...words: string[]) => wherry(words, { env: environment(), timeoutMs: 30_000 });

describe('which way kubectl asks', () => {
  for (const { name, env, skip } of transports) {
    test(`51: over ${name} it sends that alone`, { skip }, async () => {
      const { stderr, code } = await node.kubectl(['exec', '-v=8', 'target', '--', 'true'], { env });
      assert.equal(code, 0, stderr);
      const methods = [...stderr.matchAll(/(GET|POST) https?:.*\/exec/g)].map((match) => match[1]);
      assert.deepEqual([...new Set(methods)], [name === 'SPDY' ? 'POST' : 'GET']);
    });
  }
});

for (const [who, run] of [
  ['kubectl', (...words: string[]) => node.kubectl(words)],
  ['wherry', runWherry],
] as const) {
  test(`94: ${who} says which of two containers it takes`, async () => {
    const { code, stderr } = await run('exec', 'two', '--', 'sh', '-c', 'exit 5');
    assert.equal(code, 5);
    // The second is kubectl's before 1.21.
    const texts = /Defaulted container "main" out of: main, side|Defaulting container name to main\./;
    assert.match(stderr, texts);
  });

  const skip = who === 'kubectl' && unlessKubectlHas('exec -q');
  test(`94: ${who} says nothing of it with -q`, { skip }, async () => {
    const { code, stderr } = await run('exec', '-q', 'two', '--', 'true');
    assert.deepEqual([code, stderr], [0, '']);
  });

  test(`65: ${who} forwards to a named port, and to a service's target port`, async () => {
    assert.equal(await answerThrough(who, 'pod/target', ':web'), 'served\n');
    assert.equal(await answerThrough(who, 'service/tcp', ':80'), 'served\n');
  });

  test(`65: ${who} refuses to forward a UDP port`, async () => {
    const { code, stderr } = await run('port-forward', 'service/datagrams', ':53');
    assert.notEqual(code, 0);
    assert.match(stderr, /UDP protocol is not supported/);
  });

  test(`64: ${who} listens on 127.0.0.1 alone where ::1 is taken, and fails on an address that it lacks`, async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '::1', () => resolve()));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    assert.equal(await answerThrough(who, 'pod/target', `${port}:9000`), 'served\n');
    taken.close();
    const { code, stderr } = await run('port-forward', '--address', '203.0.113.9', 'pod/target', ':9000');
    assert.notEqual(code, 0);
    assert.match(stderr, /[Uu]nable to listen/);
  });

  test(`91: ${who} tells why there is no log`, async () => {
    const previous = await run('logs', '--previous', 'three');
    assert.match(previous.stderr, /previous terminated container "main" in pod "three" not found/);
    const waiting = podOf('waiting', { image: `${testImage}-is-not-there`, imagePullPolicy: 'Never' });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(waiting) });
    await eventually('the reason', async () =>
      /container "main" in pod "waiting" is waiting to start: (ErrImageNeverPull|trying|image can)/.test(
        (await run('logs', 'waiting')).stderr,
      ),
    );
    await node.kubectlOk(['delete', 'pod', 'waiting', '--force', '--grace-period=0']);
  });
}

/** Forwards, connects once, and gives back what came. */
async function answerThrough(who: 'kubectl' | 'wherry', target: string, ports: string): Promise<string> {
  const words = ['port-forward', target, ports];
  const child =
    who === 'kubectl'
      ? node.startKubectl(words)
      : start(process.execPath, [wherryEntry, ...words], { env: environment() });
  try {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const port = await eventually(`${who} forwards`, () => {
      if (child.exitCode !== null) throw new Error(output);
      return Number(/127\.0\.0\.1:(\d+) ->/.exec(output)?.[1] ?? 0) || false;
    });
    return await readAll(port);
  } finally {
    child.kill('SIGKILL');
  }
}

function readAll(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

describe('95: the terminal is put back as it was', () => {
  const states: [how: string, session: string][] = [
    ['after a normal end', `${wherryLine} exec -it target -- true`],
    ['after an error', `${wherryLine} exec -it target -- /no/such/command`],
    [
      'after SIGTERM',
      `(sleep 2; kill -TERM $(pgrep -f -n 'wherry.cjs exec -it target -- sleep 4321')) & ${wherryLine} exec -it target -- sleep 4321`,
    ],
    [
      'after the process was killed',
      `(sleep 2; kubectl exec target -- sh -c 'kill -9 $(pidof cat)') & ${wherryLine} exec -it target -- cat`,
    ],
  ];
  for (const [how, session] of states) {
    test(how, async () => {
      const line = `before=$(stty -g); ${session}; [ "$before" = "$(stty -g)" ] && echo terminal-is-back`;
      const { stdout } = await node.inTerminal(line, { timeoutMs: 30_000 });
      assert.match(stdout, /terminal-is-back/);
    });
  }
});

test('97: the detach keys end an attached session, and the process lives on', async () => {
  const answered = await typeAndDetach('stay=here; echo $stay:1', 'here:1');
  assert.match(answered, /ended with/);
  await typeAndDetach('echo kept:$stay', 'kept:here');
});

/** Attaches to the shell, types a line, sees its answer, and presses the detach keys; the answer is what was shown. */
async function typeAndDetach(line: string, answer: string): Promise<string> {
  const attached = node.startInTerminal(`${wherryLine} attach -it shell; echo ended with $?`);
  let shown = '';
  attached.stdout.on('data', (chunk: Buffer) => {
    shown += chunk;
  });
  const ended = once(attached, 'close');
  try {
    await eventually('the invitation to type', () => /press(ing)? enter/.test(shown));
    attached.stdin.write(`${line}\r`);
    await eventually('the answer', () => shown.includes(answer));
    attached.stdin.write('\x10\x11');
    await eventually('the end', () => shown.includes('ended with'));
    attached.stdin.end();
    await ended;
  } finally {
    attached.kill();
  }
  return shown;
}

test('86: a limit on bytes cuts inside a line and counts timestamps', async () => {
  assert.equal(await node.kubectlOk(['logs', 'three', '--limit-bytes=5']), 'one\nt');
  const withTimes = await node.kubectlOk(['logs', 'three', '--timestamps', '--limit-bytes=37']);
  assert.equal(withTimes.length, 37);
  assert.match(withTimes, /^\d{4}-.*Z one\n/);
});

test('85: a line whose time is that of since-time is kept; parts of a second are lost on the way', async () => {
  const [first = ''] = (await node.kubectlOk(['logs', 'three', '--timestamps'])).split(' ');
  const wholeSecond = first.replace(/\.\d+Z$/, 'Z');
  for (const time of [first, wholeSecond]) {
    assert.match(await node.kubectlOk(['logs', 'three', `--since-time=${time}`]), /^one\n/);
  }
  const nextSecond = new Date(Date.parse(wholeSecond) + 1_000).toISOString();
  assert.doesNotMatch(await node.kubectlOk(['logs', 'three', `--since-time=${nextSecond}`]), /^one\n/);
});

describe('97: attaching makes the program inside draw its screen again, whatever its size was', () => {
  const tools = [
    ...transports.map(({ name, env, skip }) => ({
      who: `kubectl over ${name}`,
      command: 'kubectl',
      env,
      skip,
    })),
    { who: 'wherry', command: wherryLine, env: {}, skip: false },
  ];
  for (const [index, { who, command, env, skip }] of tools.entries()) {
    test(who, { skip }, async () => {
      const script = 'trap "echo drawn again" WINCH; echo begun; while true; do sleep 0.1; done';
      await node.apply(podOf(`screen-${index}`, { command: ['sh', '-c', script], stdin: true, tty: true }));
      for (let round = 0; round < 3; round++) {
        const terminal = node.startInTerminal(`${command} attach -it screen-${index}`, env);
        let screen = '';
        terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk));
        await eventually(`drawing in round ${round}`, () => screen.includes('drawn again'), 10_000);
        terminal.kill();
      }
    });
  }
});

test('48: a pod that is deleted ends its sessions with a failure', async () => {
  await node.apply(podOf('doomed'));
  const words = ['exec', 'doomed', '--', 'sh', '-c', 'echo begun; exec sleep 1000'];
  const children = [
    ...transports.filter(({ skip }) => !skip).map(({ env }) => node.startKubectl(words, env)),
    ...['websocket', 'spdy'].map((transport) =>
      start(process.execPath, [wherryEntry, ...words.toSpliced(1, 0, '--transport', transport)], {
        env: environment(),
      }),
    ),
  ];
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const codes = Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  await node.kubectlOk(['delete', 'pod', 'doomed']);
  assert.deepEqual(
    await codes,
    children.map(() => 137),
  );
});

describe('kubectl debug', { skip: unlessKubectlHas('debug --target') }, () => {
  const flags = ['--image', testImage, '--image-pull-policy=Never', '--target=main'];

  test('starts a container beside a running one, whose processes it sees; exec and logs reach it', async () => {
    await node.kubectlOk([
      'debug',
      'two',
      ...flags,
      '-c',
      'side-car',
      '--',
      'sh',
      '-c',
      'echo here; sleep 1000',
    ]);
    const state = ['get', 'pod', 'two', '-o', 'jsonpath={.status.ephemeralContainerStatuses[*].state}'];
    await eventually('it to run', async () => (await node.kubectlOk(state)).includes('running'));
    assert.match(await node.kubectlOk(['exec', 'two', '-c', 'side-car', '--', 'ps']), /1 root +sleep 100000/);
    assert.equal(await node.kubectlOk(['logs', 'two', '-c', 'side-car']), 'here\n');
  });

  for (const { name, env, skip } of transports) {
    test(`-it attaches to what it started, over ${name}`, { skip }, async () => {
      const words = ['debug', '-it', 'two', ...flags, '-c', `tool-${name.toLowerCase()}`, '--', 'sh'];
      const terminal = node.startInTerminal(['kubectl', ...words].join(' '), env);
      let screen = '';
      terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk));
      await eventually('the invitation to type', () => /press(ing)? enter/.test(screen));
      terminal.stdin.write('echo typed in | tr a-z A-Z; ps; exit\n');
      await eventually('the end of the session', () => terminal.exitCode !== null);
      assert.match(screen, /TYPED IN/);
      assert.match(screen, /1 root +sleep 100000/);
    });
  }
});

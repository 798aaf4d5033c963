/** `wherry debug` on a whole node: containers beside those of a pod, copies of pods, and a pod on the node. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunOptions, start } from './command.ts';
import { testImage } from './image.ts';
import { eventually, podOf, TestNode, wherry, wherryEntry } from './node.ts';

let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-debug-'));
  node = await TestNode.start();
  await node.apply(podOf('plain'), podOf('shared', {}, { shareProcessNamespace: true }));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const image = ['--image', testImage, '--image-pull-policy=Never'];
const debug = (words: string[], options: RunOptions = {}) =>
  wherry(['debug', ...words], { ...options, env: { KUBECONFIG: node.kubeconfig } });

/** Runs `debug` with words on its stdin, which stays open: who is done there leaves the container alone, as kubectl does. */
async function talking(words: string[], said: string) {
  const child = start(process.execPath, [wherryEntry, 'debug', ...words], {
    env: { KUBECONFIG: node.kubeconfig },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  child.stdin.write(said);
  await eventually('its end', () => child.exitCode !== null, 60_000);
  return { stdout, stderr, code: child.exitCode };
}

for (const transport of ['websocket', 'spdy']) {
  test(`debug -i passes stdin to a container that sees the processes of its target: ${transport}`, async () => {
    const words = ['plain', ...image, '--target=main', '-i', `--transport=${transport}`, '--', 'sh'];
    const { code, stdout, stderr } = await talking(words, 'ps; exit 7\n');
    assert.match(
      stdout,
      /^Targeting container "main"\. .*\nDefaulting debug container name to debugger-\w{5}\.\n/,
    );
    assert.match(stdout, /1 root +sleep 100000/, stderr);
    assert.match(stderr, /\ncommand terminated with exit code 7\n$/);
    assert.equal(code, 7);
  });
}

test('debug -i of a command that ends before it is joined prints its output and gives back its code', async () => {
  for (const [name, words] of [
    ['beside', ['plain']],
    ['copied', ['plain', '--copy-to=ended']],
    ['on the node', [`node/${node.name}`]],
  ] as const) {
    const ran = await debug([...words, ...image, '-i', '-q', '--', 'sh', '-c', 'echo said; exit 5']);
    assert.deepEqual([ran.stdout, ran.code], ['said\n', 5], `${name}: ${ran.stderr}`);
  }
});

test('debug --attach hears a container without stdin to its end', async () => {
  const words = ['--attach', '-q', '--', 'sh', '-c', 'usleep 1500000; echo late; exit 4'];
  const { code, stdout, stderr } = await debug(['plain', ...image, ...words]);
  assert.deepEqual([stdout, code], ['late\n', 4], stderr);
});

test('debug -it ends with how the session is taken up again', async () => {
  const line = `debug plain ${image.join(' ')} --target=main -it -c tool -- sh -c`;
  const terminal = node.startInTerminal(`${process.execPath} ${wherryEntry} ${line} 'read a; echo got $a'`);
  let screen = '';
  terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk));
  await eventually('the invitation to type', () => /pressing enter/.test(screen));
  terminal.stdin.write('words\n');
  await eventually('the end of the session', () => terminal.exitCode !== null);
  assert.match(screen, /All commands and output from this session will be recorded in container logs/);
  assert.match(screen, /got words/);
  assert.match(screen, /may be reattached using 'wherry attach plain -c tool -n default -i -t' if it is/);
});

test('debug --copy-to runs a copy whose containers see the processes of each other', async () => {
  const words = ['plain', '--copy-to=copy', ...image, '-i', '-q', '-c', 'tool', '--', 'sh'];
  const seen = 'until ps | grep "sleep 1[0]"; do usleep 50000; done; exit 3\n';
  const { code, stdout, stderr } = await talking(words, seen);
  assert.match(stdout, /root +sleep 100000/, stderr);
  assert.equal(code, 3);
  const { metadata, spec } = JSON.parse(await node.kubectlOk(['get', 'pod', 'copy', '-o', 'json']));
  assert.deepEqual([metadata.labels, spec.shareProcessNamespace], [undefined, true]);
});

test('debug of a node sees its files below /host and its processes', async () => {
  const path = join(folder, 'of-the-node');
  writeFileSync(path, 'here\n');
  const script = `cat /host${path}; tr '\\0' ' ' < /proc/${process.pid}/cmdline`;
  const words = [`node/${node.name}`, ...image, '-i', '--profile=sysadmin', '--', 'sh', '-c', script];
  const { code, stdout, stderr } = await debug(words);
  assert.match(
    stdout,
    /^Creating debugging pod node-debugger-e2e-\w{5} with container debugger on node e2e\.\nhere\n/,
  );
  assert.match(stdout, /debug\.test\.ts/, stderr);
  assert.equal(code, 0);
});

test('debug -i says what its container waits for, and that it is never going to run', async () => {
  const flags = ['--image=registry.invalid/none:1', '--image-pull-policy=Never', '-c', 'waits', '-i'];
  const child = start(process.execPath, [wherryEntry, 'debug', 'shared', ...flags], {
    env: { KUBECONFIG: node.kubeconfig },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk));
  await eventually('what it waits for', () => /^Warning: container waits: .*none:1/m.test(said));
  await node.kubectlOk(['delete', 'pod', 'shared', '--now']);
  await eventually('its end', () => child.exitCode !== null);
  assert.equal(child.exitCode, 1);
  const ends = [
    'Error from server \\(BadRequest\\): container "waits" in pod "shared" is terminated',
    'Error from server \\(NotFound\\): pods "shared" not found',
    'error: container waits did not start: pod "shared" (Failed|Succeeded)',
  ];
  assert.match(said, new RegExp(`\n(${ends.join('|')})`));
});

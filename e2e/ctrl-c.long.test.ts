/**
 * Ctrl-C at a terminal, in the middle of each command that takes its time: the prompt comes back, the terminal is as it was, the
 * exit code is a shell's for SIGINT or kubectl's, no process is left here or in the pod, no half file, and the node works on.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { processesWith } from './machine.ts';
import { eventually, podOf, scriptPod, TestNode, wherry } from './node.ts';
import { startSlowRegistry } from './slow-registry.ts';
import { Tmux } from './tmux.ts';

const interrupted = 130;
const stepTimeoutMs = 60_000;
const bigBytes = 400 << 20;
let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-ctrl-c-'));
  node = await TestNode.start('ctrl-c');
  const says = 'echo began; while sleep 1 || :; do echo more; done';
  await node.apply(
    scriptPod('plain', says),
    podOf('talks', { stdin: true, tty: true, command: ['sh', '-c', `trap "echo asked" INT; ${says}`] }),
  );
});
afterEach(async () => {
  assert.match((await wherry(['status', '--data-dir', node.dataDir])).stdout, /^node ctrl-c: Ready$/m);
  assert.equal(await node.kubectlOk(['exec', 'plain', '--', 'echo', 'works']), 'works\n');
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A command line, what has to be on the screen before the key, and what comes of it. */
interface Interruption {
  line: string;
  at: RegExp;
  codes: readonly number[];
  /** Shell lines that run in the pod `plain` as long as the command does. */
  remote?: RegExp;
}

/** Types the line, presses Ctrl-C in its middle, and looks at the terminal and the pod. Gives back the screen. */
async function interrupt({ line, at, codes, remote }: Interruption): Promise<string> {
  using tmux = await Tmux.start({ KUBECONFIG: node.kubeconfig });
  const before = await tmux.settings();
  tmux.keys('clear; ', line, 'Enter');
  await eventually(String(at), () => at.test(tmux.screen()), stepTimeoutMs);
  if (remote) await eventually(`${remote} in the pod`, async () => remote.test(await inPod()));
  tmux.keys('C-c');
  await tmux.prompt(stepTimeoutMs);
  const screen = tmux.screen();
  const code = await tmux.exitCode();
  assert.ok(codes.includes(code), `exit code ${code}, not ${codes.join(' or ')}`);
  assert.doesNotMatch(screen, /^\s+at .*:\d+:\d+/m, 'a stack');
  assert.equal(await tmux.settings(), before);
  assert.deepEqual(tmux.programs(), []);
  if (remote) await eventually(`the end of ${remote} in the pod`, async () => !remote.test(await inPod()));
  return screen;
}

const inPod = () => node.kubectlOk(['exec', 'plain', '--', 'ps', '-o', 'args']);
const image = (...words: string[]) => wherry(['image', ...words, '--data-dir', node.dataDir]);
const names = async () => (await image('list', '-o', 'name')).stdout;
/** Where an image waits until it is whole. */
const ingest = () => readdirSync(join(node.dataDir, 'runtime/images/ingest'));
/** The folder of a new image with a file of some size. */
function tree(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'file'), Buffer.alloc(bigBytes, name));
  return path;
}

const sessions: Record<string, Omit<Interruption, 'codes'>> = {
  'logs -f': { line: 'logs -f plain', at: /more/ },
  'logs -f of all pods': { line: 'logs -f --prefix --selector app=plain', at: /more/ },
  'get -w': { line: 'get pods -w', at: /plain .*Running/ },
  'exec without a terminal': {
    line: 'exec plain -- sh -c "echo began; sleep 4321"',
    at: /began/,
    remote: /sleep 4321/,
  },
  'exec -it': { line: 'exec -it plain -- sh -c "echo began; sleep 4322"', at: /began/, remote: /sleep 4322/ },
  'attach without a terminal': { line: 'attach plain', at: /more/ },
  'port-forward': { line: 'port-forward plain 45678:80', at: /Forwarding from 127/ },
};

for (const [what, session] of Object.entries(sessions)) {
  test(`Ctrl-C ends ${what}, with kubectl's exit code or a shell's for it`, async () => {
    const kubectl = await codeOfKubectl(session);
    await interrupt({ ...session, line: `wherry ${session.line}`, codes: [kubectl, interrupted] });
    if (what === 'port-forward') assert.equal(await isOpen(45678), false);
  });
}

/** What a shell tells of kubectl after the same key. */
async function codeOfKubectl({ line, at }: Omit<Interruption, 'codes'>): Promise<number> {
  using tmux = await Tmux.start({ KUBECONFIG: node.kubeconfig });
  tmux.keys(`clear; kubectl ${line}`, 'Enter');
  await eventually(`kubectl: ${at}`, () => at.test(tmux.screen()), stepTimeoutMs);
  tmux.keys('C-c');
  await tmux.prompt(stepTimeoutMs);
  return await tmux.exitCode();
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

test('Ctrl-C in a shell of exec -it and in an attached terminal reaches the other side, which goes on', async () => {
  using tmux = await Tmux.start({ KUBECONFIG: node.kubeconfig });
  const before = await tmux.settings();
  tmux.keys('wherry exec -it plain -- sh', 'Enter');
  await eventually('the shell', () => /# $/.test(tmux.screen().trimEnd().concat(' ')));
  tmux.keys('sleep 4323', 'Enter');
  await eventually('its command', async () => /sleep 4323/.test(await inPod()));
  tmux.keys('C-c');
  await eventually('its end', async () => !/sleep 4323/.test(await inPod()));
  tmux.keys('exit 7', 'Enter');
  await tmux.prompt(stepTimeoutMs);
  assert.equal(await tmux.exitCode(), 7);
  assert.equal(await tmux.settings(), before);
  tmux.keys('clear; wherry attach -it talks', 'Enter');
  await eventually('the session', () => /more/.test(tmux.screen()), stepTimeoutMs);
  tmux.keys('C-c');
  await eventually('the trap', () => /asked/.test(tmux.screen()));
  tmux.keys('C-p', 'C-q');
  await tmux.prompt(stepTimeoutMs);
  assert.match(tmux.screen(), /^Session ended, .*\n%$/m);
  assert.equal(await tmux.settings(), before);
  assert.deepEqual(tmux.programs(), []);
});

test('Ctrl-C in the middle of a pull leaves no image; the next pull goes on where it stopped', async () => {
  using registry = await startSlowRegistry();
  const before = await names();
  const line = `wherry image pull ${registry.image} --data-dir ${node.dataDir}`;
  await interrupt({ line, at: /pulling .* [1-9][\d.]* MiB of 24/, codes: [interrupted] });
  await eventually('the end of the download', () => registry.openTransfers === 0);
  assert.equal(await names(), before);
  registry.isSlow = false;
  const { code, stderr } = await image('pull', registry.image);
  assert.equal(code, 0, stderr);
  const [first, second = 0] = registry.downloadsFrom;
  assert.ok(first === 0 && second > 0, `downloads began at ${registry.downloadsFrom}`);
  assert.deepEqual(ingest(), []);
  await image('remove', registry.image);
});

test('Ctrl-C in the middle of a push ends the upload', async () => {
  using registry = await startSlowRegistry();
  registry.isSlow = false;
  assert.equal((await image('pull', registry.image)).code, 0);
  registry.isSlow = true;
  const words = `${registry.image} --as ${registry.target}`;
  const line = `wherry image push ${words} --data-dir ${node.dataDir}`;
  await interrupt({ line, at: /pushing .* [1-9][\d.]* MiB of 24/, codes: [interrupted] });
  await eventually('the end of the upload', () => registry.openTransfers === 0);
  await image('remove', registry.image);
});

test('Ctrl-C in the middle of a build, a save and a load leaves nothing half', async () => {
  const from = tree('big');
  const flag = `--data-dir ${node.dataDir}`;
  const before = await names();
  const nothingIsHalf = async () => {
    assert.equal(await names(), before);
    await eventually('an empty place for what comes', () => ingest().length === 0);
  };
  const building = { line: `wherry image build half --from ${from} ${flag}`, at: /building half .*MiB/ };
  await interrupt({ ...building, codes: [interrupted] });
  await nothingIsHalf();
  assert.equal((await image('build', 'whole', '--from', from)).code, 0);
  const tar = join(folder, 'whole.tar');
  // Whoever reads it reads slowly, and does not mind the key.
  const reader = `(trap "" INT; while [ $(head -c 65536 | wc -c) -gt 0 ]; do sleep 0.1; done)`;
  const piped = `wherry image save whole -o - ${flag} | ${reader}; (exit \${PIPESTATUS[0]})`;
  await interrupt({ line: piped, at: /saving whole .*MiB/, codes: [interrupted] });
  await interrupt({
    line: `wherry image save whole -o ${tar} ${flag}`,
    at: /saving whole .*iB/,
    codes: [interrupted],
  });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('whole')),
    [],
  );
  assert.equal((await image('save', 'whole', '-o', tar)).code, 0);
  await image('remove', 'whole');
  await interrupt({
    line: `wherry image load ${tar} ${flag}`,
    at: /loading whole\.tar .*MiB/,
    codes: [interrupted],
  });
  await nothingIsHalf();
});

test('Ctrl-C in the middle of a copy ends tar in the pod, and leaves no half file here', async () => {
  await node.kubectlOk([
    'exec',
    'plain',
    '--',
    'sh',
    '-c',
    'dd if=/dev/zero of=/tmp/big bs=1M count=2048 2>&1',
  ]);
  const target = join(folder, 'copied');
  const from = { line: `wherry cp plain:/tmp/big ${target}`, at: /copying: .*[\d.]+ MiB/ };
  await interrupt({ ...from, codes: [interrupted], remote: /^tar /m });
  assert.equal(existsSync(target), false);
  const to = { line: `wherry cp ${tree('sent')} plain:/tmp/sent`, at: /copying: .*[\d.]+ MiB/ };
  await interrupt({ ...to, codes: [interrupted], remote: /^tar /m });
});

test('Ctrl-C ends a node that stands in the foreground, with its pods; a second one ends the command at once', async () => {
  using tmux = await Tmux.start({ HOME: folder });
  const before = await tmux.settings();
  const dataDir = join(folder, 'node');
  const line = `wherry up --demo --data-dir ${dataDir} --api-port 0 --kubelet-port 0`;
  const stands = async () => {
    tmux.keys('clear; ', line, 'Enter');
    await eventually('the node', () => /Ctrl-C ends/.test(tmux.screen()), 2 * stepTimeoutMs);
    tmux.keys('C-c');
    await eventually('its end', () => /ending the node/.test(tmux.screen()));
  };
  await stands();
  await tmux.prompt(stepTimeoutMs);
  assert.equal(await tmux.exitCode(), 0);
  assert.equal(await tmux.settings(), before);
  assert.deepEqual(tmux.programs(), []);
  assert.deepEqual(processesWith(dataDir), []);
  await stands();
  // What comes within a second is the same press.
  await delay(1_100);
  tmux.keys('C-c');
  await tmux.prompt(stepTimeoutMs);
  assert.equal(await tmux.settings(), before);
  assert.deepEqual(tmux.programs(), []);
  assert.equal((await wherry(['down', '--purge', '--data-dir', dataDir])).code, 0);
  assert.deepEqual(processesWith(dataDir), []);
  assert.throws(() => statSync(dataDir), { code: 'ENOENT' });
});

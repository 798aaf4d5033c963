/** What somebody at a terminal sees: bars, colours, completion, and Ctrl-C at any moment. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { processesWith } from './machine.ts';
import { eventually, podOf, TestNode, wherry } from './node.ts';
import { Tmux } from './tmux.ts';

let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-keyboard-'));
  node = await TestNode.start();
  await node.apply(podOf('plain'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const control = '\x1b';
const terminal = () => Tmux.start({ KUBECONFIG: node.kubeconfig });
/** A file of that size which takes no room. */
function sparse(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return path;
}

test('a build shows a bar with bytes and rate, and leaves a clean line', async () => {
  using tmux = await terminal();
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  writeFileSync(join(tree, 'file'), Buffer.alloc(300 * 1024 * 1024, 'x'));
  const written = await tmux.line(`wherry image build big --from ${tree} --data-dir ${node.dataDir}`, 60_000);
  assert.match(written, /building big {2}[\d.]+ MiB {2}[\d.]+ MiB\/s/);
  assert.match(tmux.screen(), /^built docker\.io\/library\/big:latest \(sha256:\w+\)$/m);
  assert.doesNotMatch(tmux.screen(), /MiB\/s/);
});

test('a load that Ctrl-C ends leaves the terminal as it was, and nothing of the image', async () => {
  using tmux = await terminal();
  const images = () => wherry(['image', 'list', '--data-dir', node.dataDir, '-o', 'name']);
  const spooled = () => filesIn(join(node.dataDir, 'runtime')).length;
  const before = await tmux.settings();
  const tar = join(folder, 'big.tar');
  const saved = await wherry(['image', 'save', 'big', '-o', tar, '--data-dir', node.dataDir]);
  assert.equal(saved.code, 0, saved.stderr);
  await wherry(['image', 'remove', 'big', '--data-dir', node.dataDir]);
  const [imagesBefore, filesBefore] = [(await images()).stdout, spooled()];
  tmux.keys(`wherry image load ${tar} --data-dir ${node.dataDir}; echo ended=$?`, 'Enter');
  await eventually('the bar', () => /loading big\.tar {2}\[=* *\] \d+% {2}[\d.]+ \w+/.test(tmux.written));
  tmux.keys('C-c');
  await tmux.prompt();
  assert.match(tmux.screen(), /ended=130$/m);
  assert.doesNotMatch(tmux.screen(), /iB\/s/);
  assert.equal(await tmux.settings(), before);
  assert.equal((await images()).stdout, imagesBefore);
  await eventually('the end of the spool', () => spooled() <= filesBefore);
});

test('cp shows share and time left; Ctrl-C ends it at once', async () => {
  using tmux = await terminal();
  const before = await tmux.settings();
  const big = sparse('copied', 8 * 1024 * 1024 * 1024);
  tmux.keys(`wherry cp ${big} plain:/tmp/copied; echo ended=$?`, 'Enter');
  await eventually(
    'the bar',
    () => /copying: copied {2}\[=* *\] \d+% {2}[\d.]+ \wiB of 8\.00 GiB.*left/.test(tmux.written),
    60_000,
  );
  tmux.keys('C-c');
  await tmux.prompt();
  assert.match(tmux.screen(), /ended=130$/m);
  assert.doesNotMatch(tmux.screen(), /left$/m);
  assert.equal(await tmux.settings(), before);
});

test('colours are there at a terminal, and gone with NO_COLOR', async () => {
  using tmux = await terminal();
  assert.ok((await tmux.line('wherry get pods')).includes(`${control}[32mRunning${control}[39m`));
  const plain = await tmux.line('NO_COLOR=1 wherry get pods');
  assert.match(plain, /Running/);
  assert.ok(!plain.includes(`${control}[32m`));
  assert.ok((await tmux.line('wherry get nopes')).includes(`${control}[31merror:${control}[39m`));
});

test('Tab completes commands, pods, containers and types', async () => {
  using tmux = await terminal();
  await tmux.line('source <(wherry completion bash)');
  for (const [typed, completed] of [
    ['wherry stat', 'wherry status'],
    ['wherry exec pl', 'wherry exec plain'],
    ['wherry logs plain -c ma', 'wherry logs plain -c main'],
    ['wherry get configm', 'wherry get configmaps'],
    ['wherry get pods pl', 'wherry get pods plain'],
    ['wherry get pods --context wher', 'wherry get pods --context wherry-e2e'],
  ] as const) {
    tmux.keys(typed);
    await tmux.tabUntil(completed, () => tmux.screen().includes(`% ${completed}`));
    tmux.keys('C-c');
    await tmux.prompt();
  }
});

test('Ctrl-C while nodes of one cluster start ends all of them', async () => {
  using tmux = await terminal();
  const before = await tmux.settings();
  const dataDir = join(folder, 'several');
  const config = join(folder, 'several.yaml');
  const ports = { api: 0, kubelet: 0 };
  const first = { apiVersion: 'wherry/v1alpha1', kind: 'Node', name: 'first', dataDir, ports };
  writeFileSync(config, JSON.stringify({ ...first, nodes: [{ name: 'second' }] }));
  for (const step of [/runtime .* started/, /apiserver .* started/]) {
    tmux.keys('clear; ', `wherry up --config ${config}; echo ended=$?`, 'Enter');
    await eventually(String(step), () => step.test(tmux.screen()), 60_000);
    tmux.keys('C-c');
    await tmux.prompt(60_000);
    assert.match(tmux.screen(), /ended=\d+$/m);
    assert.equal(await tmux.settings(), before);
    await eventually('the end of their processes', () => processesWith(dataDir).length === 0);
  }
  assert.equal((await wherry(['down', '--purge', '--data-dir', dataDir])).code, 0);
  assert.throws(() => statSync(dataDir), { code: 'ENOENT' });
});

test('Ctrl-C while a node starts ends what has begun, and the terminal is as it was', async () => {
  using tmux = await terminal();
  const before = await tmux.settings();
  const dataDir = join(folder, 'interrupted');
  for (const step of [/certificates/, /monitor .* started/]) {
    tmux.keys(
      'clear; ',
      `wherry up --data-dir ${dataDir} --api-port 0 --kubelet-port 0; echo ended=$?`,
      'Enter',
    );
    await eventually(String(step), () => step.test(tmux.screen()));
    tmux.keys('C-c');
    await tmux.prompt(60_000);
    assert.match(tmux.screen(), /ended=\d+$/m);
    assert.equal(await tmux.settings(), before);
    await eventually('the end of its processes', () => processesWith(dataDir).length === 0);
  }
  assert.equal((await wherry(['down', '--purge', '--data-dir', dataDir])).code, 0);
  assert.throws(() => statSync(dataDir), { code: 'ENOENT' });
});

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' });
}

test('sessions -w draws one table anew, tells how a session ended, and Ctrl-C leaves the terminal as it was', async () => {
  using tmux = await terminal();
  const before = await tmux.settings();
  tmux.keys('clear; wherry sessions -w', 'Enter');
  await eventually('a table of none', () => /^No sessions found/m.test(tmux.screen()));
  const running = node.kubectl(['exec', 'plain', '--', 'sh', '-c', 'sleep 6; exit 5']);
  const rows = () => tmux.screen().match(/^\w{8} +exec +plain.*$/gm) ?? [];
  await eventually('the session', () => / [1-9]s +open$/.test(rows()[0] ?? ''));
  await eventually('its end', () => /ended with exit code 5$/.test(rows()[0] ?? ''));
  assert.equal(rows().length, 1, tmux.screen());
  await running;
  tmux.keys('C-c');
  await tmux.prompt();
  assert.match(tmux.screen(), /exit code 5/);
  assert.equal(await tmux.settings(), before);
});

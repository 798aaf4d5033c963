/** What people do wrong first, and what they are told: one line that names the thing, never a stack. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { captureExec, createKubeClient, type KubeClient, kinds } from '@wherry/client';
import { podOf, TestNode, wherry } from './node.ts';

let node: TestNode;
let client: KubeClient;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('plain'));
  client = createKubeClient({ kubeconfig: node.kubeconfig });
});
after(async () => {
  client?.close();
  await node?.remove();
});

const atNode = (...words: string[]) =>
  wherry([...words, '--data-dir', node.dataDir], { env: { KUBECONFIG: node.kubeconfig } });
const asUser = (...words: string[]) => wherry(words, { env: { KUBECONFIG: node.kubeconfig } });

for (const [title, run, expected] of [
  [
    'a program that the container has not',
    () => asUser('exec', 'plain', '--', 'nosuchprogram'),
    /nosuchprogram/,
  ],
  [
    'an image that is not there, removed',
    () => atNode('image', 'rm', 'nope'),
    /^error: image "nope" is not on this machine\n$/,
  ],
  [
    'an image that is not there, looked at',
    () => atNode('image', 'inspect', 'nope'),
    /^error: image "nope" is not on this machine\n$/,
  ],
  [
    'a pod that is not there',
    () => asUser('logs', 'nope'),
    /^Error from server \(NotFound\): pods "nope" not found in namespace "default"\n$/,
  ],
] as const) {
  test(`${title}: one line, no stack`, async () => {
    const { code, stderr } = await run();
    assert.notEqual(code, 0);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /\n +at |error: error|pull/i);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  });
}

test('images are printed in every form that -o takes', async () => {
  const names = (await atNode('image', 'ls', '-o', 'name')).stdout.trim().split('\n');
  const json = JSON.parse((await atNode('image', 'ls', '-o', 'json')).stdout) as { names: string[] }[];
  assert.deepEqual(
    names,
    json.flatMap((image) => image.names),
  );
  assert.match((await atNode('image', 'ls', '-o', 'yaml')).stdout, /^ {2}id: sha256:/m);
  assert.match((await atNode('image', 'ls', '-o', 'wide')).stdout, /sha256:[0-9a-f]{64}/);
});

test('a client looks for one object in its own namespace, as its sessions do', async () => {
  const pod = await client.resource(kinds.pods).get({ name: 'plain' });
  assert.equal(pod.metadata.namespace, 'default');
});

test('captureExec hands a command its input: text, bytes, and bytes as they come', async () => {
  const bytes = Buffer.alloc(300_000, 'x');
  for (const stdin of ['some text', Buffer.from('some bytes'), Readable.from([bytes, bytes])]) {
    const expected = stdin instanceof Readable ? 600_000 : stdin.length;
    const { stdout, exitCode } = await captureExec(client, { pod: 'plain', command: ['wc', '-c'], stdin });
    assert.deepEqual([stdout.trim(), exitCode], [String(expected), 0]);
  }
});

test('captureExec ends with the command, also when its input never does', async () => {
  const stdin = (async function* () {
    yield Buffer.from('x');
    await new Promise(() => {});
  })();
  const { exitCode } = await captureExec(client, { pod: 'plain', command: ['sh', '-c', 'exit 4'], stdin });
  assert.equal(exitCode, 4);
});

test('a port that is taken: a node says so where it starts, without a stack', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-taken-'));
  try {
    const port = new URL((await node.status()).endpoints.api).port;
    const { code, stderr } = await wherry(['up', '--data-dir', folder, '--api-port', port]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^error: .*\\b${port}\\b`, 'm'));
    assert.equal(stderr.trimEnd().split('\n').length, 2, stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** kubectl 1.20, from before WebSockets: all it streams is SPDY, and our API server has to serve it as it did then. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { numberedBytes } from '../e2e/bytes.ts';
import { type RunOptions, run, start } from '../e2e/command.ts';
import { eventually, scriptPod, TestNode } from '../e2e/node.ts';
import { talk } from '../e2e/talk.ts';
import { oldKubectl } from './peers/old-kubectl.ts';

const mebibyte = 1 << 20;
const servers = 'while true; do nc -l -p 9000 -e cat; done';

let program: string;
let node: TestNode;
let folder: string;

before(async () => {
  program = oldKubectl();
  folder = mkdtempSync(join(tmpdir(), 'old-kubectl-'));
  node = await TestNode.start('old-kubectl');
  await node.apply(
    scriptPod('target', servers),
    scriptPod('ticker', 'i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.1; done'),
  );
});

after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const environment = () => ({ KUBECONFIG: node.kubeconfig, HOME: folder });
const kubectl = (words: readonly string[], options: RunOptions = {}) =>
  run(program, words, { ...options, env: environment() });

test('it is a kubectl 1.20', async () => {
  const { stdout } = await kubectl(['version', '--client', '-o', 'json']);
  assert.equal(JSON.parse(stdout).clientVersion.minor.replace(/\D/g, ''), '20');
});

test('51: it asks for sessions by POST and SPDY alone', async () => {
  const { stderr, code } = await kubectl(['exec', '-v=8', 'target', '--', 'true']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /POST https:.*\/pods\/target\/exec/);
  assert.match(stderr, /101 Switching Protocols/);
});

test('exec gives back outputs and exit codes', async () => {
  for (const exitCode of [0, 1, 137, 255]) {
    const script = `echo out; echo err >&2; exit ${exitCode}`;
    const { stdout, stderr, code } = await kubectl(['exec', 'target', '--', 'sh', '-c', script]);
    assert.equal(stdout, 'out\n');
    assert.match(stderr, /^err\n/);
    assert.equal(code, exitCode);
  }
});

test('exec takes 64 MiB in and brings them out, byte for byte', { timeout: 120_000 }, async () => {
  const { stream, sha256 } = numberedBytes(64 * mebibyte);
  const hash = createHash('sha256');
  const { code, stderr } = await kubectl(['exec', '-i', 'target', '--', 'cat'], {
    stdin: stream,
    onStdout: (chunk) => void hash.update(chunk),
    timeoutMs: 110_000,
  });
  assert.equal(code, 0, stderr);
  assert.equal(hash.digest('hex'), sha256);
});

test('attach hears a running container', async () => {
  const attached = start(program, ['attach', 'ticker'], { env: environment() });
  let heard = '';
  attached.stdout.on('data', (chunk) => {
    heard += chunk;
  });
  await eventually('five lines', () => heard.split('\n').length > 5);
  attached.kill('SIGINT');
  assert.match(heard, /tick \d+\ntick \d+\n/);
});

test('port-forward carries a connection, and one to a closed port fails alone', async () => {
  const forward = start(program, ['port-forward', 'target', ':9000', ':9999'], { env: environment() });
  try {
    let text = '';
    forward.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const portTo = (remote: number) =>
      eventually(`a local port for ${remote}`, () => {
        const port = new RegExp(`127\\.0\\.0\\.1:(\\d+) -> ${remote}`).exec(text)?.[1];
        return port ? Number(port) : false;
      });
    const refused = talk(await portTo(9999), 'nobody hears this');
    assert.equal(await refused.catch(() => ''), '');
    assert.equal(await talk(await portTo(9000), 'hello through SPDY'), 'hello through SPDY');
  } finally {
    forward.kill('SIGKILL');
  }
});

test('cp copies both ways', async () => {
  const path = join(folder, 'file');
  writeFileSync(path, createHash('sha512').update('content').digest());
  const copied = await kubectl(['cp', path, 'target:/tmp/file']);
  assert.equal(copied.code, 0, copied.stderr);
  const back = await kubectl(['cp', 'target:/tmp/file', `${path}.back`]);
  assert.equal(back.code, 0, back.stderr);
  assert.deepEqual(readFileSync(`${path}.back`), readFileSync(path));
});

test('logs are those of the container', async () => {
  const { stdout, code } = await kubectl(['logs', 'ticker', '--limit-bytes=7']);
  assert.deepEqual({ stdout, code }, { stdout: 'tick 1\n', code: 0 });
});

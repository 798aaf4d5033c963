import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { numberedBytes } from '../../e2e/bytes.ts';
import { eventually, transports } from '../../e2e/node.ts';
import { talk } from '../../e2e/talk.ts';
import type { Cluster } from './cluster.ts';

const mebibyte = 1 << 20;
const echoPort = 9000;

/** What the pod `ticker` has to run for {@link checkSessions}. */
export const tickerScript = `(while true; do nc -l -p ${echoPort} -e cat; done) & i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.1; done`;

/** Registers tests of exec, attach, port-forward and logs with the pod `ticker` of a cluster. */
export function checkSessions(cluster: () => Cluster): void {
  for (const { name, env } of transports)
    describe(`kubectl over ${name}`, () => checkTransport(cluster, env));

  test('logs are those of the container, and can be followed', async () => {
    assert.equal(await cluster().kubectlOk(['logs', 'ticker', '--limit-bytes=14']), 'tick 1\ntick 2\n');
    const following = cluster().startKubectl(['logs', '-f', 'ticker']);
    let text = '';
    following.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    await delay(2_000);
    following.kill('SIGINT');
    const lines = text.slice(0, text.lastIndexOf('\n')).split('\n');
    assert.ok(lines.length > 10, text);
    assert.deepEqual(
      lines,
      lines.map((_, index) => `tick ${index + 1}`),
    );
  });
}

function checkTransport(cluster: () => Cluster, env: Record<string, string>): void {
  test('exec gives back outputs and exit codes', async () => {
    for (const exitCode of [0, 1, 137, 255]) {
      const words = ['exec', 'ticker', '--', 'sh', '-c', `echo out; echo err >&2; exit ${exitCode}`];
      const { stdout, stderr, code } = await cluster().kubectl(words, { env });
      assert.deepEqual({ stdout, code }, { stdout: 'out\n', code: exitCode });
      assert.match(stderr, /^err\n/);
    }
  });

  test('exec takes 64 MiB in and brings them out, byte for byte', { timeout: 120_000 }, async () => {
    const { stream, sha256 } = numberedBytes(64 * mebibyte);
    const hash = createHash('sha256');
    const { code, stderr } = await cluster().kubectl(['exec', '-i', 'ticker', '--', 'cat'], {
      env,
      stdin: stream,
      onStdout: (chunk) => void hash.update(chunk),
      timeoutMs: 110_000,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(hash.digest('hex'), sha256);
  });

  test('attach hears the container', async () => {
    const attached = cluster().startKubectl(['attach', 'ticker'], env);
    let heard = '';
    attached.stdout.on('data', (chunk: Buffer) => {
      heard += chunk;
    });
    await eventually('five lines', () => /(tick \d+\n){5}/.test(heard));
    attached.kill('SIGINT');
  });

  test('port-forward reaches a server in the pod', async () => {
    const forward = cluster().startKubectl(['port-forward', 'ticker', `:${echoPort}`], env);
    let text = '';
    forward.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    try {
      const port = await eventually('a local port', () => /127\.0\.0\.1:(\d+) -> /.exec(text)?.[1]);
      assert.equal(await talk(Number(port), 'hello'), 'hello');
    } finally {
      forward.kill('SIGKILL');
    }
  });
}

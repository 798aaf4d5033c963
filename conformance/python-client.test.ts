/** Kubernetes' client for Python on a whole node: watches, scale, exec, port-forward, jobs and custom resources. */
import assert from 'node:assert/strict';
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../e2e/command.ts';
import { testImage } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';

const release = '37.0.2';
const folder = join(import.meta.dirname, 'bin', `python-client-${release}`);
const program = join(import.meta.dirname, 'pythonclient', 'main.py');
let node: TestNode;

/** An environment of Python with the client alone. */
function installClient(): void {
  if (existsSync(join(folder, 'installed'))) return;
  const quietly: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('python3', ['-m', 'venv', folder], quietly);
  const words = ['install', '--quiet', '--disable-pip-version-check', `kubernetes==${release}`];
  execFileSync(join(folder, 'bin/pip'), words, quietly);
  execFileSync('touch', [join(folder, 'installed')]);
}

before(async () => {
  installClient();
  node = await TestNode.start('python');
});
after(() => node?.remove());

test('everything that a program asks for by the client for Python is as it should be', async () => {
  const words = [program, node.kubeconfig, testImage];
  const { code, stdout, stderr } = await run(join(folder, 'bin/python'), words, { timeoutMs: 120_000 });
  assert.deepEqual(
    stdout.trim().split('\n'),
    [
      'watch\tMODIFIED',
      'scale\t2',
      'log\tup',
      'exec\tgot words 3',
      'port-forward\tpage',
      'missing\t404 Not Found',
      'pages\t2',
      'job\tsucceeded',
      'custom resource\t7',
    ],
    stderr,
  );
  assert.equal(code, 0, stderr);
});

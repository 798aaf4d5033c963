/** kube-rs on a whole node: what a program in Rust makes of it, step by step, is as upstream's answers make it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run, start } from '../e2e/command.ts';
import { testImage } from '../e2e/image.ts';
import { eventually, TestNode } from '../e2e/node.ts';
import { buildKubers } from './kubers/build.ts';

let program: string;
let node: TestNode;

before(async () => {
  program = await buildKubers();
  node = await TestNode.start('kubers');
});
after(() => node?.remove());

/** What a group of steps tells stands in a file beside the program; `WRITE=1` writes it anew. */
function compare(group: string, told: string, complaint: string): void {
  const file = join(import.meta.dirname, 'kubers/expected', `${group}.txt`);
  if (process.env['WRITE'] === '1') writeFileSync(file, told);
  assert.deepEqual(told.split('\n'), readFileSync(file, 'utf8').split('\n'), complaint);
}

for (const group of [
  ...['discovery', 'verbs', 'errors', 'subresources', 'access', 'custom'],
  ...['sessions', 'kubelet', 'runtime', 'workloads', 'operator', 'webhooks', 'shapes'],
])
  test(`${group}: every step comes out as it should`, async () => {
    const words = [group, node.kubeconfig, testImage];
    const { code, stdout, stderr } = await run(program, words, { timeoutMs: 300_000 });
    compare(group, stdout, stderr);
    assert.equal(code, 0, stderr);
  });

test('watchers, stores and a controller live through the death of the API server', async () => {
  const child = start(program, ['death', node.kubeconfig]);
  let [told, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const ended = once(child, 'close');
  try {
    await eventually('the watchers', () => /^ready$/m.test(told) || child.exitCode !== null);
    process.kill(await node.pidOf('apiserver'), 'SIGKILL');
    await node.up();
    child.stdin.write('it is back\n');
    const [code] = await ended;
    compare('death', told, complaint);
    assert.equal(code, 0, complaint);
  } finally {
    child.kill('SIGKILL');
  }
});

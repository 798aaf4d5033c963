/** kube-rs on a whole node: what a program in Rust makes of it, step by step, is as upstream's answers make it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../e2e/command.ts';
import { testImage } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';
import { buildKubers } from './kubers/build.ts';

let program: string;
let node: TestNode;

before(async () => {
  program = await buildKubers();
  node = await TestNode.start('kubers');
});
after(() => node?.remove());

/** What each group of steps tells stands in a file beside the program; `WRITE=1` writes it anew. */
for (const group of ['discovery', 'verbs', 'errors', 'subresources', 'access', 'custom'])
  test(`${group}: every step comes out as it should`, async () => {
    const words = [group, node.kubeconfig, testImage];
    const { code, stdout, stderr } = await run(program, words, { timeoutMs: 180_000 });
    const file = join(import.meta.dirname, 'kubers/expected', `${group}.txt`);
    if (process.env['WRITE'] === '1') writeFileSync(file, stdout);
    assert.deepEqual(stdout.split('\n'), readFileSync(file, 'utf8').split('\n'), stderr);
    assert.equal(code, 0, stderr);
  });

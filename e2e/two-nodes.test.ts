import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { podOf, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

let left: TestNode;
let right: TestNode;

before(async () => {
  [left, right] = await Promise.all([TestNode.start('left'), TestNode.start('right')]);
});
after(() => Promise.all([left?.remove(), right?.remove()]));

test('two nodes run side by side, each with its own pods', { timeout: stretched(120_000) }, async () => {
  await Promise.all([left.apply(podOf('same-name')), right.apply(podOf('same-name'))]);
  const address = (node: TestNode) =>
    node.kubectlOk(['get', 'pod', 'same-name', '-o', 'jsonpath={.status.podIP}']);
  assert.notEqual(await address(left), await address(right));
  await left.kubectlOk(['exec', 'same-name', '--', 'touch', '/tmp/left']);
  const { code } = await right.kubectl(['exec', 'same-name', '--', 'test', '-e', '/tmp/left']);
  assert.equal(code, 1);
});

test("one node's end leaves the other as it is", { timeout: stretched(120_000) }, async () => {
  const pids = (await right.status()).processes;
  await left.remove();
  assert.deepEqual((await right.status()).processes, pids);
  assert.equal((await right.kubectl(['exec', 'same-name', '--', 'echo', 'alive'])).stdout, 'alive\n');
});

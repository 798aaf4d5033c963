import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, hasBegun, scriptPod, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

const lines = 1_000_000;
let node: TestNode;

before(async () => {
  node = await TestNode.start();
});
after(() => node?.remove());

/** Checks that numbered lines come in order, each once, without keeping them. */
class LineCounter {
  next = 1;
  firstWrong: string | undefined;
  #rest = '';

  readonly take = (chunk: Buffer): void => {
    const parts = (this.#rest + chunk.toString('latin1')).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part !== `line ${this.next}`) this.firstWrong ??= `"${part}" instead of line ${this.next}`;
      this.next += 1;
    }
  };
}

test('a million numbered lines are in the log, each once and in order', {
  timeout: stretched(300_000),
}, async () => {
  const script = `seq 1 ${lines} | sed 's/^/line /'`;
  await node.kubectlOk(['apply', '-f', '-'], {
    stdin: JSON.stringify(scriptPod('many', script, { restartPolicy: 'Never' })),
  });
  await eventually(
    'the pod to end',
    async () =>
      (await node.kubectlOk(['get', 'pod', 'many', '-o', 'jsonpath={.status.phase}'])) === 'Succeeded',
    120_000,
  );
  const counter = new LineCounter();
  const { code, stderr } = await node.kubectl(['logs', 'many'], {
    onStdout: counter.take,
    timeoutMs: 120_000,
  });
  assert.equal(code, 0, stderr);
  assert.equal(counter.firstWrong, undefined);
  assert.equal(counter.next - 1, lines);
});

test('followed while it is written, the same', { timeout: stretched(300_000) }, async () => {
  const script = `sleep 2; seq 1 ${lines} | sed 's/^/line /'`;
  await node.kubectlOk(['apply', '-f', '-'], {
    stdin: JSON.stringify(scriptPod('followed', script, { restartPolicy: 'Never' })),
  });
  await hasBegun(node, 'followed');
  const counter = new LineCounter();
  const words = ['logs', '-f', 'followed'];
  const { code, stderr } = await node.kubectl(words, { onStdout: counter.take, timeoutMs: 200_000 });
  assert.equal(code, 0, stderr);
  assert.equal(counter.firstWrong, undefined);
  assert.equal(counter.next - 1, lines);
});

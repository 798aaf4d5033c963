/** kubectl's streams through `wherry proxy`, into a real pod. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { start } from './command.ts';
import { podOf, TestNode, transports, wherryEntry } from './node.ts';

let node: TestNode;

before(async () => {
  node = await TestNode.start('proxied');
  await node.apply(podOf('target'));
});
after(() => node?.remove());

/** The URL of a proxy, until `work` is through. */
async function proxied<T>(words: string[], work: (url: string) => Promise<T>): Promise<T> {
  const env = { KUBECONFIG: node.kubeconfig };
  const child = start(process.execPath, [wherryEntry, 'proxy', '--port=0', ...words], { env });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return await work(line.replace('Starting to serve on ', 'http://'));
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
}

for (const { name, env, skip } of transports) {
  test(`exec through the proxy loses no byte and keeps the exit code, over ${name}`, { skip }, async () => {
    await proxied(['--reject-paths=^$'], async (url) => {
      const kubectl = (words: string[], stdin?: string) =>
        node.kubectl(['--server', url, ...words], { env, ...(stdin === undefined ? {} : { stdin }) });
      const sent = randomBytes(3 * 1024 * 1024).toString('base64');
      const echoed = await kubectl(['exec', '-i', 'target', '--', 'cat'], sent);
      assert.equal(echoed.code, 0, echoed.stderr);
      assert.ok(echoed.stdout === sent, `${echoed.stdout.length} of ${sent.length} characters`);
      const { code } = await kubectl(['exec', 'target', '--', 'sh', '-c', 'exit 7']);
      assert.equal(code, 7);
    });
  });
}

test('exec through the proxy is refused unless the filter is told otherwise; logs are not', async () => {
  await proxied([], async (url) => {
    const refused = await node.kubectl(['--server', url, 'exec', 'target', '--', 'true']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Forbidden|forbidden/);
    assert.equal((await node.kubectl(['--server', url, 'logs', 'target'])).code, 0);
  });
});

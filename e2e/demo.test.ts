/** What `npm start` brings up, and what README.md's other terminal types then. Short, so that it runs on emulated machines too. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, TestNode } from './node.ts';

let node: TestNode;
before(async () => {
  node = await TestNode.start('demo', ['--demo']);
});
after(() => node?.remove());

test('the demo runs in containers of this machine: its kernel, its log and its service are there', async () => {
  assert.match(await node.kubectlOk(['get', 'pods', '-o', 'wide']), /^demo +1\/1 +Running/m);
  const machine = await node.kubectlOk(['exec', 'demo', '--', 'uname', '-m']);
  assert.equal(machine, process.arch === 'arm64' ? 'aarch64\n' : 'x86_64\n');
  assert.equal((await node.kubectl(['exec', 'demo', '--', 'sh', '-c', 'exit 7'])).code, 7);
  const echoed = await node.kubectl(['exec', '-i', 'demo', '--', 'cat'], { stdin: 'there and back\n' });
  assert.equal(echoed.stdout, 'there and back\n');
  assert.match(await node.kubectlOk(['logs', 'demo']), /^line 1\nline 2\n/);
  // The statically linked busybox of some machines can't look a name up.
  const address = await node.kubectlOk(['get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}']);
  await eventually('the service leads to the pods behind it', async () => {
    const { stdout } = await node.kubectl(['exec', 'demo', '--', 'wget', '-qO-', `http://${address}`]);
    return /^hello from web-/.test(stdout);
  });
});

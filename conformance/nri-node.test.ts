/** A plug-in on upstream's own stub changes what pods of a whole node get, once the node is told of a socket for it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { podOf, TestNode, wherry } from '../e2e/node.ts';
import { buildPlugIn, PlugInProcess } from './nri/plug-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-nri-node-'));
const socket = join(folder, 'nri.sock');
let node: TestNode;
const up = (...words: string[]) => wherry(['up', '--detach', '--data-dir', node.dataDir, ...words]);

/** True when somebody listens. */
async function connects(): Promise<boolean> {
  const connection = createConnection(socket);
  try {
    await once(connection, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

before(async () => {
  buildPlugIn();
  node = await TestNode.start();
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a node that runs takes a socket for plug-ins, and lets it go', async () => {
  await node.apply(podOf('before'));
  const wrong = await up('--nri-socket', `/${'a'.repeat(107)}`);
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stderr, /NRI socket ".*": want an absolute path of at most 107 bytes/);
  const taken = await up('--nri-socket', socket);
  assert.equal(taken.code, 0, taken.stderr);
  const plugIn = await PlugInProcess.start(socket, { adjust: { env: [{ key: 'JUDGE', value: 'is here' }] } });
  try {
    assert.ok((await plugIn.heard('Synchronize')).more.pods.length > 0, 'pods that were there are told of');
    await node.apply(podOf('after'));
    assert.equal(await node.kubectlOk(['exec', 'after', '--', 'sh', '-c', 'echo $JUDGE']), 'is here\n');
    const again = await up();
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await connects(), true, 'a start that does not say it leaves it as it is');
    const none = await up('--nri-socket', 'none');
    assert.equal(none.code, 0, none.stderr);
    await plugIn.ended();
  } finally {
    await plugIn.kill();
  }
  assert.equal(await connects(), false);
  await node.apply(podOf('last'));
  assert.equal(await node.kubectlOk(['exec', 'last', '--', 'sh', '-c', 'echo $JUDGE']), '\n');
});

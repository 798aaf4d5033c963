/** A node whose disk is full when it is brought up: what was there before is there again, and nothing of it is lost. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fullableDisk } from '../packages/apiserver/test/small-disk.ts';
import { podOf, TestNode, wherry } from './node.ts';

const head = 'apiVersion: wherry/v1alpha1\nkind: Node\n';
const ownFiles = ['kubeconfig', 'kubelet/config.yaml', 'kubelet/kubeconfig', 'pki/ca.crt'];

test('a node comes up, tells its status and goes down on a full disk, with its pods, and is Ready again with more room', async (context) => {
  const disk = fullableDisk(context, 256);
  // What evictions leave of a pod on a full disk is another matter: here it runs on.
  const config = join(disk.folder, 'node.yaml');
  writeFileSync(config, `${head}kubelet: {evictionHard: {memory.available: 100Mi}}\n`);
  const node = await TestNode.start('full', ['--config', config], disk.folder);
  try {
    await node.apply(podOf('web'));
    const command = (...words: string[]) => wherry([...words, '--data-dir', node.dataDir]);
    const before = ownFiles.map((name) => readFileSync(join(node.dataDir, name), 'utf8'));
    assert.equal((await command('down', '--keep-pods')).code, 0);
    disk.fill();
    const up = await command('up', '--detach', '--config', config);
    assert.equal(up.code, 0, up.stderr);
    assert.match(up.stderr, /! node Ready .*the disk of ".*" is full, so the API server takes no writes/);
    assert.ok((await node.status()).processes.every(({ state }) => state === 'running'));
    assert.equal((await command('status')).code, 0);
    assert.equal(await node.kubectlOk(['exec', 'web', '--', 'echo', 'here']), 'here\n');
    assert.equal((await command('down')).code, 0);
    assert.ok((await node.status()).processes.every(({ state }) => state === 'dead'));
    assert.deepEqual(
      ownFiles.map((name) => readFileSync(join(node.dataDir, name), 'utf8')),
      before,
    );
    disk.empty();
    await node.up();
    assert.equal((await node.status()).node.ready, 'True');
  } finally {
    await node.remove();
  }
});

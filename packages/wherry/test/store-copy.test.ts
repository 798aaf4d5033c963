import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEtcd } from '../../apiserver/test/test-etcd.ts';
import { TestServer } from '../../apiserver/test/test-server.ts';
import { inProcess } from './in-process.ts';

test('wherry store copy says how much is in the etcd now, and why it copies nothing', async (context) => {
  const etcd = await TestEtcd.start();
  context.after(() => etcd.close());
  const server = await TestServer.start();
  context.after(() => server.close());
  const { dataDir } = server.options;
  const line = ['store', 'copy', '--data-dir', dataDir, '--etcd-servers', etcd.url];
  const running = await inProcess(line);
  assert.equal(running.code, 1);
  assert.match(running.stderr, /was not copied: .*locked; a server that has it open has to end first/);
  await server.apiserver.close();
  const copied = await inProcess(line);
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stdout, /^\d+ objects copied from \S+ to http:\/\/127\.0\.0\.1:\d+\n$/);
  const again = await inProcess(line);
  assert.match(again.stderr, /the etcd is not empty/);
  const nothing = await inProcess(['store', 'copy', '--data-dir', '/nowhere', '--etcd-servers', etcd.url]);
  assert.match(nothing.stderr, /there is no store in "\/nowhere\/apiserver"/);
});

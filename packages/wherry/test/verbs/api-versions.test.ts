import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

test('api-versions lists what the server has, in the order of letters', async () => {
  const { code, stdout, stderr } = await served.run('api-versions');
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(lines, lines.toSorted());
  assert.equal(lines.at(-1), 'v1');
  for (const wanted of ['apps/v1', 'autoscaling/v1', 'autoscaling/v2', 'batch/v1'])
    assert.equal(lines.filter((line) => line === wanted).length, 1, wanted);
});

test('api-versions takes no words, and says what it could not get', async () => {
  assert.deepEqual(await served.run('api-versions a b'), {
    ...{ code: 1, stdout: '' },
    stderr: "error: unexpected arguments: [a b]\nSee 'wherry api-versions -h' for help and examples\n",
  });
  const { code, stderr } = await served.run('api-versions --server=https://127.0.0.1:1');
  assert.equal(code, 1);
  assert.match(stderr, /^error: couldn't get available api versions from server: .*127\.0\.0\.1:1/);
});

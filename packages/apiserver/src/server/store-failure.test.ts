import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { breakableDisk, fullableDisk } from '../../test/small-disk.ts';
import { type Answer, TestServer } from '../../test/test-server.ts';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ metadata: { name }, data: { padding: 'x'.repeat(50_000) } });

/** Creates until the server refuses; the refusal, and how many were acknowledged. */
async function createUntilRefused(server: TestServer): Promise<{ refusal: Answer; acknowledged: number }> {
  for (let index = 0; index < 2_000; index++) {
    const answer = await server.request('POST', path, { body: configMap(`c-${index}`) });
    if (answer.status !== 201) return { refusal: answer, acknowledged: index };
  }
  throw new Error('the server never refused');
}

it('a server whose disk breaks says so on livez and readyz, and answers nothing as if all were well', async (test) => {
  const disk = breakableDisk(test);
  const server = await TestServer.start({ dataDir: join(disk.folder, 'data'), logger: silentLogger });
  try {
    for (const check of ['livez', 'readyz'])
      assert.equal((await server.request('GET', `/${check}`)).status, 200);
    disk.fill();
    const { refusal } = await createUntilRefused(server);
    assert.equal(refusal.status, 500);
    assert.equal(refusal.body.kind, 'Status');
    assert.match((await server.apiserver.failed).message, /state\.db.*can't go on/);
    for (const check of ['livez', 'readyz']) {
      const answer = await server.request('GET', `/${check}`);
      assert.equal(answer.status, 500, check);
      assert.equal((await server.request('GET', `/${check}/ping`)).status, 200, check);
      assert.match(answer.text, /^\[-\]store failed: reason withheld$/m, check);
      assert.match(
        (await server.request('GET', `/${check}?exclude=store&verbose`)).text,
        /store excluded: ok\n[\s\S]*passed\n$/,
      );
    }
    assert.equal((await server.request('GET', path)).status, 500);
    const { text } = await server.request('GET', '/metrics/slis');
    assert.match(text, /^kubernetes_healthcheck\{name="store",type="livez"\} 0$/m);
    assert.match(
      text,
      /^kubernetes_healthchecks_total\{name="store",type="readyz",status="error"\} 1$/m,
      'a check that was excluded did not run',
    );
  } finally {
    await server.close();
  }
});

it('a server whose disk is full refuses writes by name, and goes on reading', async (test) => {
  const disk = fullableDisk(test, 12);
  const server = await TestServer.start({ dataDir: join(disk.folder, 'data'), logger: silentLogger });
  try {
    const { refusal, acknowledged } = await createUntilRefused(server);
    assert.equal(refusal.status, 500);
    assert.match(refusal.body.message, /disk is full/);
    const { status, body } = await server.request('GET', path);
    assert.equal(status, 200);
    const created = body.items.filter(({ metadata }: { metadata: { name: string } }) =>
      metadata.name.startsWith('c-'),
    );
    assert.equal(created.length, acknowledged);
    assert.equal((await server.request('GET', '/livez')).status, 200);
  } finally {
    await server.close();
  }
});

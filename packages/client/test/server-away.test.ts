import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ClientError, kinds } from '../src/index.ts';
import { startScriptedServer } from './scripted-server.ts';

const client = new URL('../src/index.ts', import.meta.url).href;

/** Runs a program with a client of a port where nobody listens, and gives back what it prints. */
async function printed(program: string): Promise<string> {
  const text = `
    import { ClientError, KubeClient, kinds } from ${JSON.stringify(client)};
    const access = { server: new URL('http://127.0.0.1:9'), tls: {}, namespace: 'default', headers: () => ({}) };
    const client = new KubeClient({ access });
    ${program}`;
  const words = ['--input-type=module', '--eval', text];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 30_000 });
  return stdout;
}

test('a program that does nothing but wait lives until its time-out while no server answers', async () => {
  const said = await printed(`
    const error = await client.waitFor('Pod/web', 'Ready', { timeoutMs: 700 }).catch((error) => error);
    console.log(error.code, error.message);`);
  assert.equal(
    said,
    'timed-out pods/web: Ready did not come within 0.7 s; The connection to the server 127.0.0.1:9 was refused - did you specify the right host or port?\n',
  );
});

test('an informer keeps its program alive over failed attempts, until it is closed', async () => {
  const said = await printed(`
    let failures = 0;
    const informer = client.informer(kinds.pods, {
      handlers: {
        failed() {
          failures += 1;
          console.log(failures);
          if (failures === 3) void informer.close();
        },
      },
    });
    informer.start();`);
  assert.equal(said, '1\n2\n3\n');
});

test('a client that is closed ends what waits and follows, and what begins later', async (context) => {
  const { client } = await startScriptedServer(context, [() => {}]);
  const isClosed = (error: unknown) => error instanceof ClientError && error.code === 'closed';
  const informer = client.informer(kinds.pods).start();
  const ends = [
    client.waitFor('Pod/web', 'create'),
    client.followUntil('Pod', () => false),
    client.watch('Pod').next(),
    informer.synced(),
  ];
  client.close();
  for (const end of ends) await assert.rejects(async () => await end, isClosed);
  await informer.close();
  await assert.rejects(client.waitFor('Pod/web', 'create'), isClosed);
});

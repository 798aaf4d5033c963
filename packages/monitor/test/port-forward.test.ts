import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { iterate } from '@wherry/bytes';
import { pinNamespaces, RouteNetlink, unpinNamespace } from '@wherry/linux';
import { connectPortForward } from '@wherry/portforward';
import { Harness } from './harness.ts';

const harness = new Harness();
let server: ChildProcess;
let namespace = '';

before(async () => {
  await harness.start();
  const directory = join(harness.folder, 'ns');
  mkdirSync(directory);
  const inside = () => {
    using routes = new RouteNetlink();
    routes.setLink('lo', { up: true });
  };
  namespace = pinNamespaces({ types: ['net'], directory, inside }).net!;
  const program = new URL('./answering-server.ts', import.meta.url).pathname;
  const words = [`--net=${namespace}`, process.execPath, program, '127.0.0.1,8080', '::1,8081'];
  server = spawn('nsenter', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout!, 'data');
});
after(async () => {
  server.kill('SIGKILL');
  unpinNamespace(namespace);
  await harness.stop();
});

async function forward() {
  const { url } = await harness.client.call('stream.portForward', {
    sandboxId: 'pod',
    networkNamespacePath: namespace,
    ports: [],
  });
  return connectPortForward({ url, transport: 'spdy' });
}

async function ask(
  session: Awaited<ReturnType<typeof forward>>,
  port: number,
  words: string,
): Promise<string> {
  const channel = await session.dial(port);
  channel.write(Buffer.from(words));
  channel.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of iterate(channel)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('servers on 127.0.0.1 and on ::1 inside the pod answer, also after the client has half-closed', async () => {
  const session = await forward();
  assert.deepEqual(await Promise.all([ask(session, 8080, 'four'), ask(session, 8081, 'six')]), [
    'got four',
    'got six',
  ]);
  session.close();
});

test('a refused port ends only its own connection', async () => {
  const session = await forward();
  await ask(session, 9, 'nobody').then(
    (answer) => assert.equal(answer, ''),
    () => {},
  );
  assert.equal(await ask(session, 8080, 'still'), 'got still');
  session.close();
});

test('100 connections, one after another, leave no descriptor open', async () => {
  const session = await forward();
  await ask(session, 8080, 'warm');
  const before = readdirSync('/proc/self/fd').length;
  for (let index = 0; index < 100; index++)
    assert.equal(await ask(session, 8080, String(index)), `got ${index}`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(readdirSync('/proc/self/fd').length <= before + 2);
  session.close();
});

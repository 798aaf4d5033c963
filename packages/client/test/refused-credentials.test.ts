import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { KubeClient, kinds } from '../src/index.ts';
import { startScriptedServer } from './scripted-server.ts';

/** A server that refuses, and does not end its answers; `replace` is how the client gets other credentials. */
async function refused(context: TestContext, replace: () => Promise<boolean>) {
  const unfinished: Promise<void>[] = [];
  const { client: plain } = await startScriptedServer(context, [
    (response: ServerResponse) => {
      unfinished.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(401).write('no');
    },
  ]);
  const credentials = { current: async () => ({ token: 'old' }), replace };
  const client = new KubeClient({ access: { ...plain.access, credentials } });
  context.after(() => client.close());
  return { pods: client.resource(kinds.pods), unfinished };
}

test('an abort ends a request that waits for other credentials, and lets go of the refusal', async (context) => {
  const stop = new AbortController();
  const { pods, unfinished } = await refused(context, () => {
    setImmediate(() => stop.abort(new Error('enough')));
    return new Promise(() => {});
  });
  await assert.rejects(pods.get({ name: 'p', signal: stop.signal }), /enough/);
  await Promise.all(unfinished);
  assert.equal(unfinished.length, 1);
});

test('credentials that can not be replaced are told of, and the refusal is let go of', async (context) => {
  const { pods, unfinished } = await refused(context, async () => {
    throw new Error('the plugin failed');
  });
  await assert.rejects(pods.get({ name: 'p' }), /the plugin failed/);
  await Promise.all(unfinished);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startApiserver } from '@wherry/apiserver';
import { type Clock, systemClock } from '@wherry/clock';
import { type Answer, TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';
import { periods } from '../limits.ts';

it('a new server refuses nobody what the first roles allow, not even the first who gets through', async (test) => {
  const server = await TestServer.start();
  test.after(() => server.close());
  const bob = await server.authority.issue({ name: 'bob' });
  const { port } = server.apiserver;
  await server.apiserver.close();
  const whoAmI = async (): Promise<Answer> => {
    for (;;) {
      try {
        const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
        return await server.request('POST', path, { as: bob, body: {} });
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED');
        await turn();
      }
    }
  };
  const dataDir = join(server.folder, 'anew');
  const [{ status, body }, apiserver] = await Promise.all([
    whoAmI(),
    startApiserver({ ...server.options, dataDir, securePort: port }),
  ]);
  server.apiserver = apiserver;
  assert.equal(status, 201, body.message);
});

it('closing ends a watch, and the connection that carried it, without cutting any off', async () => {
  let isCutOff = false;
  const clock: Clock = {
    ...systemClock,
    after(delayMs, call) {
      const cutOff = () => {
        isCutOff = true;
        call();
      };
      return systemClock.after(delayMs, delayMs === periods.shutdownMs ? cutOff : call);
    },
  };
  const server = await TestServer.start({ clock });
  const watch = await WatchClient.open(server, '/api/v1/configmaps?watch=true');
  await server.apiserver.close();
  await watch.end();
  await server.close();
  assert.equal(isCutOff, false);
});

it('a server that is told to end with a delay says that it is not ready, and goes on meanwhile', async () => {
  const delay = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    after(delayMs, call) {
      if (delayMs !== 7_777) return systemClock.after(delayMs, call);
      void delay.promise.then(call);
      return { cancel() {} };
    },
  };
  const server = await TestServer.start({ clock, shutdownDelayDurationMs: 7_777 });
  const isReady = async () => (await server.request('GET', '/readyz')).status;
  assert.equal(await isReady(), 200);
  const closed = server.apiserver.close();
  assert.equal(await isReady(), 500);
  const { text } = await server.request('GET', '/readyz?verbose');
  assert.match(text, /\[-\]shutdown failed/);
  assert.equal((await server.request('GET', '/livez')).status, 200);
  assert.equal((await server.request('GET', '/api/v1/configmaps')).status, 200);
  delay.resolve();
  await closed;
  await assert.rejects(isReady());
  await server.close();
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { ContainerState, CriError } from '@wherry/cri';
import { SessionBook } from '@wherry/telemetry';
import { LogRoute, type LogRouteOptions } from './log-route.ts';

const pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
  spec: { containers: [{ name: 'main' }] },
  status: { containerStatuses: [{ name: 'main', containerID: 'test://c', state: { running: {} } }] },
};

/** The log of a container that runs and is silent, behind a runtime that takes its time to say where it is. */
async function startSlow(context: TestContext) {
  const logs = await mkdtemp(join(tmpdir(), 'kubelet-log-route-'));
  const path = join(logs, '0.log');
  await writeFile(path, '2026-01-01T00:00:00.000000000Z stdout F one\n');
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const status = { logPath: path, state: ContainerState.CONTAINER_RUNNING };
  const containerStatus = async () => {
    asked.resolve();
    await answer.promise;
    return { status };
  };
  const route = new LogRoute({
    runtime: { containerStatus },
    store: { find: () => pod },
    statuses: { get: () => undefined },
    cache: { peek: () => undefined },
    clock: systemClock,
    splitStreams: false,
    sessions: new SessionBook({ hop: 'kubelet', clock: systemClock }),
  } as unknown as LogRouteOptions);
  const served = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    route
      .serve(request, response, new URL(request.url ?? '', 'http://node'), undefined)
      .then(served.resolve, served.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(async () => {
    server.close();
    await rm(logs, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/containerLogs/default/web/main?follow=true`;
  return { url, asked, answer, served };
}

test('89: a client that leaves before its log is found leaves no follower of a silent container', async (context) => {
  const { url, asked, answer, served } = await startSlow(context);
  const request = get(url).on('error', () => {});
  await asked.promise;
  request.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer.resolve();
  const isOver = await Promise.race([
    served.promise.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 3_000, false)),
  ]);
  assert.ok(isOver, 'the log is followed for nobody');
});

test("91: a log that went with its container is answered 404 in upstream's words, with the ID that the status has", async () => {
  const route = new LogRoute({
    runtime: {
      async containerStatus() {
        throw new CriError('NOT_FOUND', 'there is no container "c"');
      },
    },
    store: { find: () => pod },
    statuses: { get: () => undefined },
    clock: systemClock,
    splitStreams: false,
  } as unknown as LogRouteOptions);
  const url = new URL('http://node/containerLogs/default/web/main');
  await assert.rejects(route.serve({} as IncomingMessage, {} as ServerResponse, url, undefined), {
    statusCode: 404,
    message: 'unable to retrieve container logs for test://c',
  });
});

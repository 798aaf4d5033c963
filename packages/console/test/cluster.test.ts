/** What a page does through the console, on a real node: lists, watches, logs, terminals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { collect } from '@wherry/bytes';
import { type ApiClient, createApiClient, kinds, openExec } from '@wherry/client';
import { startNode, type TestNode } from '@wherry/testing';
import { busyboxImage, sleepingPod } from '../../testing/test/busybox.ts';
import { type Opened, openConsole } from './opened.ts';

/** Node's own WebSocket takes headers, which a browser sends by itself. */
class LoggedInWebSocket extends WebSocket {
  static headers: Record<string, string> = {};

  constructor(url: string | URL, protocols?: unknown) {
    super(url, { protocols: protocols as string[], headers: LoggedInWebSocket.headers });
  }
}

describe('through the console', { timeout: 170_000 }, () => {
  let node: TestNode;
  let opened: Opened;
  let client: ApiClient;
  const own = globalThis.WebSocket;
  before(async () => {
    node = await startNode({ images: [busyboxImage()], manifests: [sleepingPod('web')] });
    await node.waitFor('Pod/web', 'Ready');
    opened = await openConsole(node.kubeconfig.path);
    const headers = { cookie: opened.cookie, origin: opened.origin };
    LoggedInWebSocket.headers = headers;
    globalThis.WebSocket = LoggedInWebSocket;
    client = createApiClient({
      server: new URL(opened.cluster, opened.origin),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }),
    });
  });
  after(async () => {
    globalThis.WebSocket = own;
    await opened?.[Symbol.asyncDispose]();
    await node?.close();
  });

  const terminal = (command: string[], signal?: AbortSignal) =>
    openExec(client, { pod: 'web', command, stdin: true, stdout: true, stderr: false, tty: true, signal });
  const textOf = async (bytes: Promise<Uint8Array>) => new TextDecoder().decode(await bytes);

  it('pods are followed as they come and go', async () => {
    const changes: string[] = [];
    const seen = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using informer = client.informer(kinds.pods, {
      allNamespaces: true,
      handlers: {
        added({ metadata }) {
          changes.push(metadata?.name ?? '');
          if (metadata?.name === 'later') seen.resolve();
        },
        deleted: () => gone.resolve(),
      },
    });
    await informer.start().synced();
    await node.apply(sleepingPod('later'));
    await seen.promise;
    await node.client.delete('Pod/later');
    await gone.promise;
    assert.ok(changes.includes('web'));
  });

  it('a log is read, and followed until the reader leaves', async () => {
    const abort = new AbortController();
    const lines: string[] = [];
    for await (const line of client.logLines({
      pod: 'web',
      container: 'main',
      follow: true,
      signal: abort.signal,
    })) {
      lines.push(line);
      break;
    }
    assert.deepEqual(lines, ['hello']);
    await assert.rejects(
      client.logLines({ pod: 'web', container: 'main', previous: true }).next(),
      /previous terminated container "main" in pod "web" not found/,
    );
  });

  it('a terminal takes what is typed and its size, and tells the exit code', async () => {
    const connection = await terminal(['sh']);
    connection.resize({ width: 91, height: 33 });
    const text = textOf(collect(connection.stdout!));
    // The size has a way of its own.
    const wait = 'until [ "$(busybox stty size)" = "33 91" ]; do busybox sleep 0.05; done';
    connection.stdin?.write(new TextEncoder().encode(`${wait}; busybox stty size; exit 7\n`));
    assert.match(await text, /^33 91\r$/m);
    assert.equal(await connection.exitCode, 7);
  });

  it('a command that there is not is told with the reason, which browsers hide of a refused WebSocket', async () => {
    const connection = await terminal(['/none']);
    collect(connection.stdout!).catch(() => {});
    await assert.rejects(connection.exitCode, (error: Error & { code?: string }) => {
      assert.equal(error.code, 'failure');
      assert.match(error.message, /^Internal error occurred: .*none/s);
      assert.doesNotMatch(error.message, /occurred: Internal error/);
      return true;
    });
  });

  it('a terminal whose console ends is broken, not ended', async () => {
    const connection = await terminal(['sh']);
    const output = collect(connection.stdout!).then(
      () => 'ended',
      () => 'broken',
    );
    await opened.console.close();
    await assert.rejects(connection.exitCode, { code: 'connectionLost' });
    assert.equal(await output, 'broken');
  });
});

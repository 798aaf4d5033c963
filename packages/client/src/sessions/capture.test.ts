import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectRemoteCommand, serveRemoteCommand } from '@wherry/remotecommand';
import { upgradeServer } from '../../../upgrade/test/upgrade-server.ts';
import { captureExec } from './capture.ts';
import type { SessionClient } from './session.ts';

for (const transport of ['websocket', 'spdy'] as const) {
  test(`a command whose connection is cut is lost, in the session's own words, over ${transport}`, async () => {
    await using server = await upgradeServer((request, socket, head) => {
      void serveRemoteCommand({
        ...{ request, socket, head, webSocketProtocols: ['v5.channel.k8s.io'] },
        streams: { stdin: false, stdout: true, stderr: true, tty: false },
        handler: async ({ stdout, signal }) => {
          stdout?.write(Buffer.from('half'));
          setTimeout(() => socket.destroy(), 20);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          return { kind: 'exited', exitCode: 0 };
        },
      });
    });
    const client: SessionClient = {
      namespace: 'default',
      openSession: ({ streams }) => connectRemoteCommand({ url: server.url, streams, transport }),
    };
    await assert.rejects(captureExec(client, { pod: 'any', command: ['true'] }), {
      name: 'RemoteCommandError',
      code: 'connectionLost',
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { upgradeServer } from '../../upgrade/test/upgrade-server.ts';
import { RemoteCommandError } from './errors.ts';
import { protocols } from './protocols.ts';
import { serveRemoteCommand } from './server/serve.ts';
import { decodeExitCode } from './status.ts';
import { TerminalSizeDecoder } from './terminal-sizes.ts';

const jsonText = fc.json().map((text) => Buffer.from(text));
/** What says itself how it becomes a text, and what is in every object anyhow. */
const hostileValue = fc.object({
  key: fc.constantFrom('toString', 'valueOf', 'toJSON', '__proto__', 'constructor', 'length'),
  maxKeys: 3,
});
const anyValue = fc.oneof(fc.jsonValue(), hostileValue);
const statusLike = fc
  .record(
    {
      status: fc.oneof(fc.constantFrom('Success', 'Failure'), anyValue),
      reason: fc.oneof(fc.constant('NonZeroExitCode'), anyValue),
      message: anyValue,
      details: fc.oneof(
        fc.record({
          causes: fc.array(fc.record({ reason: fc.constant('ExitCode'), message: anyValue })),
        }),
        anyValue,
      ),
    },
    { requiredKeys: [] },
  )
  .map((value) => Buffer.from(JSON.stringify(value)));

test('whatever an error stream carries is an exit code from 0 to 255 or a RemoteCommandError', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), jsonText, statusLike),
      fc.constantFrom(...Object.values(protocols)),
      (bytes, protocol) => {
        try {
          const exitCode = decodeExitCode(bytes, protocol);
          assert.ok(Number.isInteger(exitCode) && exitCode >= 0 && exitCode <= 255);
        } catch (error) {
          assert.ok(error instanceof RemoteCommandError, String(error));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('whatever a resize stream carries decodes to sizes in range, or to nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.uint8Array(), jsonText)), (chunks) => {
      const decoder = new TerminalSizeDecoder();
      for (const { width, height } of chunks.flatMap((chunk) => decoder.decode(chunk))) {
        assert.ok(width >= 0 && width <= 65_535 && height >= 0 && height <= 65_535);
      }
    }),
    { numRuns: 1000 },
  );
});

for (const protocol of [protocols.v4, protocols.v4Base64, protocols.v5]) {
  test(`whatever messages a client sends over ${protocol}, the session ends and the server lives`, async () => {
    const message = fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), binary: fc.boolean() });
    let sessions = 0;
    await using server = await upgradeServer(async (request, socket, head) => {
      sessions++;
      await serveRemoteCommand({
        request,
        socket,
        head,
        streams: { stdin: true, stdout: true, stderr: false, tty: true },
        webSocketProtocols: Object.values(protocols),
        async handler({ stdin, sizes, signal }) {
          stdin?.receive({ data() {}, end() {}, closed() {} });
          for await (const _ of sizes) if (signal.aborted) break;
          return { kind: 'exited', exitCode: 0 };
        },
      });
      sessions--;
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 30 }), async (messages) => {
        const client = new WebSocket(server.url.replace('http', 'ws'), [protocol]);
        client.on('error', () => {});
        const closed = new Promise((resolve) => client.once('close', resolve));
        await new Promise((resolve) => client.once('open', resolve));
        for (const { bytes, binary } of messages) client.send(bytes, { binary });
        client.close(1000);
        await closed;
      }),
      { numRuns: 100 },
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(sessions, 0);
    assert.equal(server.openSockets(), 0);
  });
}

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '@wherry/clock';
import { type Answer, json, startScriptedServer } from './scripted-server.ts';

/** Every wait is a hundred times shorter. */
const clock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (delayMs, call) => systemClock.after(delayMs / 100, call),
};

const pod = (state: object) =>
  json({
    metadata: { name: 'p' },
    status: { containerStatuses: [{ name: 'c', containerID: 'x://1', state }] },
  });
const running = pod({ running: {} });
const one = '2026-01-02T03:04:05.1Z one\n';
const two = '2026-01-02T03:04:06.1Z two\n';
const cut: Answer = (response) => response.writeHead(200).write(one, () => response.destroy());

async function linesOf(context: TestContext, ...answers: Answer[]) {
  const { client } = await startScriptedServer(context, [running, cut, ...answers], { clock });
  const lines: string[] = [];
  const ended = (async () => {
    for await (const line of client.logLines({ pod: 'p', follow: true })) lines.push(line);
  })();
  return { lines, ended };
}

test('a followed log that was cut goes on behind a server with too much to do (429)', async (context) => {
  const { lines, ended } = await linesOf(
    context,
    json({ kind: 'Status', code: 429 }, 429),
    (response) => response.end(one + two),
    pod({ terminated: {} }),
  );
  await ended;
  assert.deepEqual(lines, ['one', 'two']);
});

test('a followed log that may not be read any more has not ended: that is an error', async (context) => {
  for (const code of [401, 403]) {
    const { lines, ended } = await linesOf(context, json({ kind: 'Status', code }, code));
    await assert.rejects(ended, { code });
    assert.deepEqual(lines, ['one']);
  }
});

test('a followed log whose pod is gone has ended', async (context) => {
  const { lines, ended } = await linesOf(context, json({ kind: 'Status', code: 404 }, 404));
  await ended;
  assert.deepEqual(lines, ['one']);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processOf } from '../test/bundle.ts';
import { Harness } from '../test/harness.ts';
import { connect, textOf } from '../test/session.ts';
import { streams } from '../test/streams.ts';
import { streamingLimits } from './streaming/index.ts';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

const { client } = harness;
const exec = (containerId: string, args = ['echo', 'works']) =>
  client.call('stream.exec', { containerId, process: processOf(args), ...streams() });

/** More than the cache of tokens holds. */
async function refusedOften(ask: () => Promise<unknown>, code: string): Promise<void> {
  for (let left = streamingLimits.pendingTokensMax + 1; left > 0; left--)
    await assert.rejects(ask(), { code });
}

test('refused calls take up no token: exec, attach and port-forward go on after a thousand of them', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const chosen = streams();
  const withTerminal = { ...chosen, tty: true };
  const process = processOf(['true'], { terminal: false });
  await refusedOften(() => exec('nobody'), 'NOT_FOUND');
  await refusedOften(
    () => client.call('stream.exec', { containerId: id, process, ...withTerminal }),
    'INVALID_ARGUMENT',
  );
  await refusedOften(() => client.call('stream.attach', { containerId: 'nobody', ...chosen }), 'NOT_FOUND');
  await refusedOften(
    () => client.call('stream.attach', { containerId: id, ...withTerminal }),
    'INVALID_ARGUMENT',
  );
  const gone = { sandboxId: 'pod', networkNamespacePath: `${harness.folder}/no-netns`, ports: [] };
  await refusedOften(() => client.call('stream.portForward', gone), 'FAILED_PRECONDITION');
  const { url } = await exec(id);
  assert.equal(await textOf((await connect(url, chosen, 'spdy')).stdout), 'works\n');
});

test('one session too many is refused as RESOURCE_EXHAUSTED, in upstream’s words', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const asked = Array.from({ length: streamingLimits.pendingTokensMax + 1 }, () => exec(id));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
  assert.ok(refused.length > 0);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    assert.equal(reason.code, 'RESOURCE_EXHAUSTED');
    assert.equal(reason.message, 'maximum number of in-flight requests exceeded');
  }
});

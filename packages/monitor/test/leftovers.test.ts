import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runningKeepers } from '../src/keeper/strays.ts';
import { processOf } from './bundle.ts';
import { Harness, type TestContainer, until } from './harness.ts';

const harness = new Harness();
before(() => harness.start({ ownsProcess: true }));
after(() => harness.stop());

const descriptors = () => readdirSync('/proc/self/fd').length;
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim();

test('containers of every kind, ended and removed, leave no descriptor, no child, no zombie and no keeper', async () => {
  const kinds: TestContainer[] = [
    {},
    { stdin: true },
    { stdin: true, stdinOnce: true },
    { terminal: true, stdin: true },
    { hostPids: true },
  ];
  const round = async () => {
    for (const kind of kinds) {
      const { id } = await harness.run(['sh', '-c', 'sleep 0.01 & sleep 100'], kind);
      const terminal = kind.terminal ?? false;
      await harness.client.call('exec.sync', {
        containerId: id,
        process: processOf(['true']),
        timeoutMs: 0,
      });
      assert.equal(
        runningKeepers(join(harness.dataDir, 'keeper')).length,
        terminal || kind.stdinOnce ? 2 : 1,
      );
      await harness.client.call('container.delete', { id, force: true });
    }
    await assert.rejects(harness.run(['/no/such/program']));
    await until(() => runningKeepers(join(harness.dataDir, 'keeper')).length === 0);
  };
  await round();
  const before = descriptors();
  for (let rounds = 0; rounds < 3; rounds++) await round();
  await until(() => descriptors() <= before);
  await until(() => children() === '', 20_000);
});

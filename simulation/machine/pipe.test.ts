import '../hooks.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FakeClock } from '@wherry/clock';

const files = await import('./files.ts');
const { Machine } = await import('./machine.ts');
const { Participant } = await import('./participant.ts');
const { probePipes } = await import('./pipe-probe.ts');

test('simulated pipes do what the kernel’s do', () => {
  const probe = fileURLToPath(new URL('./pipe-probe.ts', import.meta.url));
  const real = execFileSync(process.execPath, [probe], { encoding: 'utf8' }).trim().split('\n');
  const participant = new Participant('probe', new Machine(new FakeClock()));
  const simulated = participant.run(() => probePipes(files as never, '/tmp'));
  assert.deepEqual(simulated, real);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '@wherry/telemetry';
import { Command } from 'commander';
import { definitions } from '../../../../../controllers/src/definitions.ts';
import { addWarnedFlags, warnedOfControllers, warnOfFlags } from '../warned-flags.ts';
import { withManagerReason } from './absent-manager-flags.ts';
import { addAutoscalerFlags, autoscalerSettingsOf } from './autoscaler-flags.ts';
import { addConcurrencyFlags, concurrencyOf } from './concurrency-flags.ts';

const optionsOf = (command: Command, ...words: string[]): object =>
  command
    .exitOverride()
    .configureOutput({ writeErr() {} })
    .parse(words, { from: 'user' })
    .opts();

test('each flag of how much is worked on at once is about a controller that there is', () => {
  const flags = addConcurrencyFlags(new Command()).options.map(({ long }) => `${long}=7`);
  const atOnce = concurrencyOf(optionsOf(addConcurrencyFlags(new Command()), ...flags));
  assert.equal(atOnce.size, flags.length);
  const names = new Set(definitions.map(({ name }) => name));
  assert.deepEqual(
    [...atOnce].filter(([name, count]) => !names.has(name) || count !== 7),
    [],
  );
  assert.equal(concurrencyOf({}).size, 0);
  assert.throws(() => optionsOf(addConcurrencyFlags(new Command()), '--concurrent-gc-syncs=0'), /from 1 to/);
});

test('what autoscalers go by is what the flags say, and nothing else', () => {
  const settings = (...words: string[]) =>
    autoscalerSettingsOf(optionsOf(addAutoscalerFlags(new Command()), ...words));
  assert.deepEqual(settings(), {});
  assert.deepEqual(
    settings(
      '--horizontal-pod-autoscaler-sync-period=30s',
      '--horizontal-pod-autoscaler-downscale-stabilization=0s',
      '--horizontal-pod-autoscaler-tolerance=0.05',
    ),
    { periodMs: 30_000, downscaleStabilizationMs: 0, tolerance: 0.05 },
  );
  assert.throws(() => settings('--horizontal-pod-autoscaler-tolerance=some'), /a number/);
});

test('a flag that nothing comes of is warned of, and one that is not there is refused with the reason', () => {
  const said: unknown[] = [];
  const logger = { warn: (_: string, facts: object) => said.push(facts) } as unknown as Logger;
  const given = optionsOf(addWarnedFlags(new Command(), warnedOfControllers), '--cluster-name=one');
  warnOfFlags(given, warnedOfControllers, logger);
  assert.deepEqual(said, [
    { flag: '--cluster-name', reason: 'no cloud provider asks for the name of a cluster' },
  ]);
  assert.equal(
    withManagerReason("error: unknown option '--master=http://127.0.0.1'\n"),
    'error: --master is not taken: the server is that of --kubeconfig\n',
  );
});

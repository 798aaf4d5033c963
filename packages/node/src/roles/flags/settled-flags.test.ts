import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addSettledFlags, settledOfControllers, settledOfManagers } from './settled-flags.ts';

const parse = (...words: string[]) => {
  const command = addSettledFlags(new Command(), [...settledOfManagers, ...settledOfControllers])
    .exitOverride()
    .configureOutput({ writeErr() {} });
  return command.parse(words, { from: 'user' }).opts();
};

test('switches that can only be one way are taken that way, and refused the other with the reason', () => {
  assert.deepEqual(
    parse('--profiling=false', '--configure-cloud-routes=false', '--enable-garbage-collector'),
    {
      ...{ profiling: false, configureCloudRoutes: false, enableGarbageCollector: true },
    },
  );
  assert.throws(() => parse('--profiling'), /--profiling.*the kubelet’s/);
  assert.throws(() => parse('--contention-profiling=true'), /no Go runtime/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addElectionFlags, leaseTermsOf } from './election-flags.ts';

const termsOf = (...words: string[]) =>
  leaseTermsOf(addElectionFlags(new Command(), 'name').exitOverride().parse(words, { from: 'user' }).opts());

test('a lease is held as the flags say, or as upstream holds it', () => {
  assert.deepEqual(termsOf(), { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 });
  assert.deepEqual(
    termsOf(
      ...['--leader-elect-renew-deadline=12s', '--leader-elect-retry-period=3s'],
      ...['--leader-elect-resource-name=other', '--leader-elect-resource-namespace=there'],
      '--leader-elect-resource-lock=leases',
    ),
    { durationMs: 15_000, renewDeadlineMs: 12_000, retryMs: 3_000, name: 'other', namespace: 'there' },
  );
});

test('times by which no lease can be held are refused', () => {
  for (const [word, message] of [
    ['--leader-elect-lease-duration=10s', /--leader-elect-lease-duration: 10s is not longer than/],
    ['--leader-elect-retry-period=9s', /--leader-elect-renew-deadline: 10s is not longer than 1.2 times/],
    ['--leader-elect-resource-lock=endpoints', /"endpoints" is not leases/],
  ] as const)
    assert.throws(() => termsOf(word), { code: 'bad-settings', message });
});

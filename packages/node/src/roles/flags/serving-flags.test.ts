import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addServingFlags, servingOptions } from './serving-flags.ts';

const flagsOf = (...words: string[]) => {
  const command = addServingFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(words, { from: 'user' }).opts();
};

test('suites of TLS are named as IANA does, the least version as Go does', () => {
  const suites = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256';
  assert.deepEqual(flagsOf(`--tls-cipher-suites=${suites}`, '--tls-min-version=VersionTLS13'), {
    ...{ tlsCipherSuites: suites.split(','), tlsMinVersion: 'VersionTLS13' },
  });
  assert.throws(() => flagsOf('--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA'), /"TLS_RSA_WITH_RC4_128_SHA"/);
  assert.throws(() => flagsOf('--tls-min-version=VersionTLS10'), /VersionTLS12, VersionTLS13/);
});

test('events live as long as is said, an hour if nothing is', () => {
  assert.deepEqual(servingOptions(flagsOf('--event-ttl=1h30m')), { eventTtlMs: 5_400_000 });
  assert.deepEqual(servingOptions(flagsOf()), {});
  assert.throws(() => flagsOf('--event-ttl=0'), /a duration above 0/);
});

test('what hardened manifests say is taken where it is so', () => {
  const flags = flagsOf(
    ...['--service-account-max-token-expiration=24h', '--service-node-port-range=80-90'],
    ...['--default-not-ready-toleration-seconds=10', '--default-unreachable-toleration-seconds=0'],
  );
  assert.deepEqual(servingOptions(flags), { serviceAccountMaxTokenExpirationMs: 86_400_000 });
  const { serviceNodePortRange, defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds } =
    flags;
  assert.deepEqual(
    [serviceNodePortRange, defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds],
    ['80-90', 10, 0],
  );
});

test('priority and fairness can be switched off', () => {
  assert.deepEqual(servingOptions(flagsOf('--enable-priority-and-fairness=false')), {
    priorityAndFairness: false,
  });
  assert.deepEqual(servingOptions(flagsOf('--enable-priority-and-fairness')), {});
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { JwtFigures } from './jwt-figures.ts';

test('figures of a provider name it by a hash, tell of its last keys alone, and go with it', () => {
  const clock = new FakeClock({ nowMs: 5_000 });
  const metrics = new MetricsRegistry();
  const figures = new JwtFigures(metrics, clock);
  const url = 'https://a.example';
  const series = (name: string) =>
    metrics
      .render()
      .split('\n')
      .filter((line) => line.startsWith(`apiserver_authentication_jwt_authenticator_${name}{`));
  figures.keysRead(url, '{"keys":[]}');
  figures.keysRead(url, '{"keys":[1]}');
  figures.keysRead(url, undefined);
  assert.equal(series('jwks_fetch_last_key_set_info').length, 1);
  assert.match(series('jwks_fetch_last_key_set_info')[0] ?? '', /jwt_issuer_hash="sha256:[0-9a-f]{64}".* 1$/);
  assert.deepEqual(
    series('jwks_fetch_last_timestamp_seconds').map((line) => [
      /result="(\w+)"/.exec(line)?.[1],
      line.split(' ').at(-1),
    ]),
    [
      ['success', '5'],
      ['failure', '5'],
    ],
  );
  const sinceMs = clock.monotonicMs();
  clock.advance(250);
  figures.lookedAt(url, 'success', sinceMs);
  assert.match(series('latency_seconds_sum')[0] ?? '', /result="success".* 0\.25$/);
  figures.forget(url);
  assert.deepEqual(
    [...series('jwks_fetch_last_key_set_info'), ...series('jwks_fetch_last_timestamp_seconds')],
    [],
  );
});

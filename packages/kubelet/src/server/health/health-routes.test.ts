import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { HealthIndicators } from '@wherry/telemetry';
import { HealthRoutes } from './health-routes.ts';

/** The text of the answer; undefined when there is no such path. */
function ask(health: HealthRoutes, path: string): string | undefined {
  let shown: string | undefined;
  const response = { setHeader() {}, end: (text: string) => (shown = text) } as unknown as ServerResponse;
  return health.serve(response, new URL(path, 'http://kubelet')) ? shown : undefined;
}

const late = /sync Loop took longer than expected/;

test('/healthz fails once the loop was not entered for five minutes, and says which check failed', () => {
  const clock = new FakeClock();
  const enteredMs = clock.monotonicMs() + 1;
  const indicators = new HealthIndicators();
  const health = new HealthRoutes({ clock, enteredMs: () => enteredMs, syncFrequencyMs: 60_000 }, indicators);
  assert.equal(ask(health, '/healthz'), 'ok');
  assert.match(
    ask(health, '/healthz?verbose') ?? '',
    /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]syncloop ok\nhealthz check passed\n$/,
  );
  clock.advance(300_002);
  assert.throws(() => ask(health, '/healthz'), {
    statusCode: 500,
    message: /\[\+\]ping ok\n.*\n\[-\]syncloop failed/,
  });
  assert.throws(() => ask(health, '/healthz/syncloop'), late);
  const told = indicators.render();
  assert.match(told, /^kubernetes_healthcheck\{name="syncloop",type="healthz"\} 0$/m);
  assert.match(told, /^kubernetes_healthchecks_total\{name="syncloop",type="healthz",status="success"\} 2$/m);
  assert.match(told, /^kubernetes_healthchecks_total\{name="syncloop",type="healthz",status="error"\} 2$/m);
  assert.equal(ask(health, '/healthz/ping'), 'ok');
  assert.equal(ask(health, '/healthz?exclude=syncloop'), 'ok');
});

test('the health server has no check of the loop', () => {
  const health = new HealthRoutes();
  assert.equal(ask(health, '/healthz'), 'ok');
  assert.equal(ask(health, '/healthz/'), 'ok');
  for (const path of ['/healthz/syncloop', '/healthz/toString', '/healthz/ping/more', '/healthzz', '/pods'])
    assert.equal(ask(health, path), undefined, path);
});

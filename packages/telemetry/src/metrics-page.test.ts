import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsPage } from './metrics-page.ts';

test('samples stand under their family, whenever they came, with their time where they have one', () => {
  const page = new MetricsPage();
  const cpu = page.counter('cpu_seconds_total', 'Time taken.');
  page.gauge('nothing', 'Never measured.');
  cpu(1.5, { pod: 'a "quoted" one' }, 1_700_000_000_123.9);
  page.gauge('limit', 'Bound.')(Number.POSITIVE_INFINITY);
  page.counter('cpu_seconds_total', 'Time taken.')(2);
  assert.equal(
    page.render(),
    `# HELP cpu_seconds_total Time taken.
# TYPE cpu_seconds_total counter
cpu_seconds_total{pod="a \\"quoted\\" one"} 1.5 1700000000123
cpu_seconds_total 2
# HELP limit Bound.
# TYPE limit gauge
limit +Inf
`,
  );
});

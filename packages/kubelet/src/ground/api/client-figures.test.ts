import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { clientFigures } from './client-figures.ts';

test('requests to the API server are counted with their sizes and those of their answers, and what is sent again', () => {
  const metrics = new MetricsRegistry();
  const { onExchange, onRead } = clientFigures(metrics);
  const request = { method: 'POST', serverName: 'api:6443', tookMs: 30, sentBytes: 300 };
  onExchange({ ...request, status: undefined, willRepeat: true });
  onExchange({ ...request, status: 201, willRepeat: false });
  onRead({ method: 'POST', serverName: 'api:6443', bytes: 2_000 });
  const page = metrics.render().split('\n');
  const labels = 'verb="POST",host="api:6443"';
  for (const line of [
    'rest_client_requests_total{code="201",method="POST",host="api:6443"} 1',
    `rest_client_request_retries_total{code="<error>",${labels}} 1`,
    `rest_client_request_size_bytes_bucket{${labels},le="256"} 0`,
    `rest_client_request_size_bytes_bucket{${labels},le="512"} 2`,
    `rest_client_response_size_bytes_sum{${labels}} 2000`,
    `rest_client_request_duration_seconds_count{${labels}} 2`,
  ])
    assert.ok(page.includes(line), line);
});

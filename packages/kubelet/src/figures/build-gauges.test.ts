import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import type { Ground } from '../ground/ground.ts';
import { buildGauges } from './build-gauges.ts';

test('the release and each gate are told, those that the configuration switches as it has them', () => {
  const metrics = new MetricsRegistry();
  buildGauges(metrics, {
    machine: { architecture: 'arm64' },
    configuration: { featureGates: { CPUManagerPolicyAlphaOptions: true } },
  } as unknown as Ground);
  const page = metrics.render().split('\n');
  for (const line of [
    'kubernetes_feature_enabled{name="CPUManagerPolicyAlphaOptions",stage="ALPHA"} 1',
    'kubernetes_feature_enabled{name="APIServingWithRoutine",stage="ALPHA"} 0',
    'kubernetes_feature_enabled{name="APIServerTracing",stage=""} 1',
  ])
    assert.ok(page.includes(line), line);
  assert.match(
    page.join('\n'),
    /^kubernetes_build_info\{major="1",minor="36",git_version="v1\.36\.\d+",.*platform="linux\/arm64"\} 1$/m,
  );
});

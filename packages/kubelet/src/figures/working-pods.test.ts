import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podAnnotations } from '@wherry/podrules';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../test/builders.ts';
import { countWorkingPods } from './working-pods.ts';

test('pods that have a worker are counted by how far they are, who names them and whether they are static', () => {
  const metrics = new MetricsRegistry();
  const gauge = metrics.gauge('kubelet_working_pods', 'Pods.');
  const of = (uid: string, source = 'api') =>
    pod({ containers: [container('a')] }, { uid, annotations: { [podAnnotations.source]: source } });
  const pods = [
    { pod: of('a'), phase: 'syncing', isOrphan: false },
    { pod: of('b'), phase: 'finished', isOrphan: false },
    { pod: of('c', 'file'), phase: 'syncing', isOrphan: false },
    { pod: of('gone'), phase: 'terminating', isOrphan: false },
    { pod: of('unknown'), phase: 'terminating', isOrphan: true },
  ] as const;
  for (const _ of ['once', 'and again'])
    countWorkingPods(gauge, pods, (uid) => uid !== 'gone' && uid !== 'unknown');
  const series = metrics.render().match(/(?<=^kubelet_working_pods).*$/gm) ?? [];
  assert.equal(series.length, 15);
  assert.deepEqual(
    series.filter((line) => !line.endsWith(' 0')),
    [
      '{lifecycle="sync",config="desired",static="true"} 1',
      '{lifecycle="sync",config="desired",static=""} 1',
      '{lifecycle="terminating",config="orphan",static=""} 1',
      '{lifecycle="terminating",config="runtime_only",static="unknown"} 1',
      '{lifecycle="terminated",config="desired",static=""} 1',
    ],
  );
});

import type { MetricsRegistry } from '@wherry/telemetry';
import { featureGates } from '../generated/upstream.ts';
import type { Ground } from '../ground/ground.ts';
import { kubeletVersion } from '../reporting/node/node-status.ts';

/**
 * Which release of Kubernetes this kubelet stands for, as it says of its node, and which feature gates are on. What upstream says
 * beside that of its build, a commit and a compiler of Go, is empty.
 */
export function buildGauges(metrics: MetricsRegistry, { machine, configuration }: Ground): void {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)\./.exec(kubeletVersion) ?? [];
  metrics.gauge('kubernetes_build_info', 'The release of Kubernetes that this kubelet stands for.').set(1, {
    ...{ major, minor, git_version: kubeletVersion, git_commit: '', git_tree_state: '', build_date: '' },
    ...{ go_version: '', compiler: '', platform: `linux/${machine.architecture}` },
  });
  const enabled = metrics.gauge(
    'kubernetes_feature_enabled',
    'Whether a feature gate is on, by its name and stage.',
  );
  const switched = new Map(Object.entries(configuration.featureGates));
  for (const [name, facts] of Object.entries(featureGates)) {
    const [stage = '', initial] = facts.split(' ');
    const isOn = switched.get(name) ?? initial === 'true';
    // What is generally available has no stage upstream.
    enabled.set(isOn ? 1 : 0, { name, stage: stage === 'GA' ? '' : stage.toUpperCase() });
  }
}

import { kubernetesVersion } from '@wherry/kubeapi';
import type { MetricsRegistry } from '@wherry/telemetry';

/** What `/version` says: the Kubernetes release whose API is spoken, and that it is wherry that speaks it. */
export const versionInfo = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `${kubernetesVersion}+wherry`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
} as const;

/** The same as a metric. */
export function showBuild(metrics: MetricsRegistry): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } =
    versionInfo;
  metrics.gauge('kubernetes_build_info', 'The release of Kubernetes that this server stands for.').set(1, {
    ...{ major, minor, git_version: gitVersion, git_commit: gitCommit, git_tree_state: gitTreeState },
    ...{ build_date: buildDate, go_version: goVersion, compiler, platform },
  });
}

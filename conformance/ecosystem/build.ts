import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What is built for each name: programs as they are, and those of this module. */
const packages = {
  stern: 'github.com/stern/stern',
  'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  kueue: 'sigs.k8s.io/kueue/cmd/kueue',
  descheduler: 'sigs.k8s.io/descheduler/cmd/descheduler',
  certmanager: './certmanager',
  manager: './manager',
  collector: '.',
  prometheus: 'github.com/prometheus/prometheus/cmd/prometheus',
  'kube-state-metrics': 'k8s.io/kube-state-metrics/v2',
  'node-exporter': 'github.com/prometheus/node_exporter',
  'source-controller': 'github.com/fluxcd/source-controller',
  'kustomize-controller': 'github.com/fluxcd/kustomize-controller',
  'helm-controller': 'github.com/fluxcd/helm-controller',
  k9s: 'github.com/derailed/k9s',
  tofu: 'github.com/opentofu/opentofu/cmd/tofu',
  'tekton-controller': 'github.com/tektoncd/pipeline/cmd/controller',
  'tekton-webhook': 'github.com/tektoncd/pipeline/cmd/webhook',
  'tekton-entrypoint': 'github.com/tektoncd/pipeline/cmd/entrypoint',
  'tekton-nop': 'github.com/tektoncd/pipeline/cmd/nop',
  'tekton-workingdirinit': 'github.com/tektoncd/pipeline/cmd/workingdirinit',
  'keda-operator': 'github.com/kedacore/keda/v2/cmd/operator',
  'keda-adapter': 'github.com/kedacore/keda/v2/cmd/adapter',
  'keda-webhooks': 'github.com/kedacore/keda/v2/cmd/webhooks',
  kwok: 'sigs.k8s.io/kwok/cmd/kwok',
  'vpa-recommender': 'k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender',
  'vpa-updater': 'k8s.io/autoscaler/vertical-pod-autoscaler/pkg/updater',
  'vpa-admission-controller': 'k8s.io/autoscaler/vertical-pod-autoscaler/pkg/admission-controller',
  kyverno: 'github.com/kyverno/kyverno/cmd/kyverno',
  kyvernopre: 'github.com/kyverno/kyverno/cmd/kyverno-init',
  'background-controller': 'github.com/kyverno/kyverno/cmd/background-controller',
  'cleanup-controller': 'github.com/kyverno/kyverno/cmd/cleanup-controller',
  'reports-controller': 'github.com/kyverno/kyverno/cmd/reports-controller',
} as const;

type Program = keyof typeof packages;

/** Programs of one folder, whose module pins them together. */
const folders: Partial<Record<Program, string>> = {
  'kube-state-metrics': 'exporters',
  'node-exporter': 'exporters',
  'source-controller': 'flux',
  'kustomize-controller': 'flux',
  'helm-controller': 'flux',
  'tekton-controller': 'tekton',
  'tekton-webhook': 'tekton',
  'tekton-entrypoint': 'tekton',
  'tekton-nop': 'tekton',
  'tekton-workingdirinit': 'tekton',
  'keda-operator': 'keda',
  'vpa-recommender': 'vpa',
  'vpa-updater': 'vpa',
  'vpa-admission-controller': 'vpa',
};

/** Of Prometheus the one way to find targets that is judged here, without those of clouds. */
const tags: Partial<Record<Program, string>> = { prometheus: 'remove_all_sd,enable_kubernetes_sd' };

/** The folder of the module that pins a program: its own, where it needs other versions of what the others need too. */
function moduleOf(program?: Program): string {
  const own = join(import.meta.dirname, (program && folders[program]) ?? program ?? '');
  return existsSync(join(own, 'go.mod')) ? own : import.meta.dirname;
}

/**
 * Builds one of the programs that are pinned here and answers its path. The first time it compiles for minutes. `source` is
 * where its module is that has been changed for it.
 */
export async function buildProgram(name: Program, source = moduleOf(name)): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin', name);
  const env = { ...process.env, CGO_ENABLED: '0' };
  const words = ['build', '-ldflags=-s -w', '-tags', tags[name] ?? '', '-o', binary, packages[name]];
  await run('go', words, { cwd: source, maxBuffer: 16 << 20, env });
  return binary;
}

/** The folder of a module that this one pins, or the one of `program`, with the manifests that it is delivered with. */
export async function folderOf(module: string, program?: Program): Promise<string> {
  const cwd = moduleOf(program);
  await run('go', ['mod', 'download', module], { cwd });
  const { stdout } = await run('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd });
  return stdout.trim();
}

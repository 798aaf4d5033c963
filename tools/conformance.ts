/**
 * Runs the outside judges: real clients, servers and test suites that are built from the Go module in conformance/.
 * Arguments narrow it down; "upstream" runs those that build Kubernetes' own programs, "charts" those that build Helm,
 * "ecosystem" those that build programs which many clusters run, "network" pod networks and ingress controllers that
 * come as pods, "integration/" Kubernetes' own integration tests, "test-cmd" what upstream types in its test/cmd, "envtest" controller-runtime's own suites,
 * "operator-suites" those of operators, "tools" programs that developers run over exec, logs and forwarded ports,
 * "kustomize/" kustomizations of known projects, "nested" what podman builds and runs, "kubers" a program on kube-rs,
 * "virtual-kubelet" the suite that providers of Virtual Kubelet are judged by, "gateways" those of docs/gateways.md in frameworks
 * from npm, "java-clients" one on the clients for Java, "python-clients" programs on those for Python, "ansible" its modules,
 * "e2e" Kubernetes' own suite against a node, "e2e-node" its suite of the kubelet's machine, "containerd-suite"
 * containerd's own against the runtime, "pod-stories" the same pods on a node of upstream's and on ours, the last four
 * with arguments of their own (run.ts in the folder of each name).
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { shareCompiledModules } from './compiled-modules.ts';
import { conclude, runWithSecondChance, sum } from './rounds.ts';

if (spawnSync('go', ['version']).error) {
  console.error('The outside judges need Go 1.26 or newer on PATH; Debian 12 packages an older one.');
  process.exit(1);
}

// Without what debuggers read there is a sixth less to compile.
process.env['GOFLAGS'] = `${process.env['GOFLAGS'] ?? ''} -gcflags=all=-dwarf=false -ldflags=-w`.trimStart();

const [first, ...rest] = process.argv.slice(2);
const withArguments = ['e2e', 'e2e-node', 'containerd-suite', 'pod-stories'];
if (first !== undefined && withArguments.includes(first)) {
  const { status } = spawnSync(process.execPath, [`conformance/${first}/run.ts`, ...rest], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

/** What builds Kubernetes itself, Helm or a Debian takes long, and so do libraries of Rust: it runs when it is named. */
const onRequest = [
  'conformance/upstream/',
  'conformance/charts/',
  'conformance/ecosystem/',
  'conformance/network/',
  'conformance/tools/',
  'conformance/test-cmd/',
  'conformance/integration/',
  'conformance/envtest/',
  'conformance/operator-suites/',
  'conformance/nested/',
  'conformance/kustomize/',
  'conformance/virtual-kubelet/',
  'conformance/gateways.test.ts',
  'conformance/java-clients.test.ts',
  'conformance/kubers.test.ts',
  'conformance/python-clients.test.ts',
  'conformance/ansible.test.ts',
];
const chosen = process.argv.slice(2);
const isWanted = (file: string) =>
  chosen.length === 0
    ? !onRequest.some((path) => file.startsWith(path))
    : chosen.some((name) => file.includes(name));
const files = globSync('conformance/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter(isWanted);
/** What is built the first time counts: Kubernetes, Helm, an image of a whole checkout. */
const isLong = files.some((file) => onRequest.some((path) => file.startsWith(path)));
const judges = {
  title: 'outside judges',
  files: files.sort(),
  // Those that run always wait for half of their time.
  concurrency: isLong ? 1 : availableParallelism(),
  fileTimeoutMs: isLong
    ? files.some((file) => /\/(test-cmd|envtest|integration|operator-suites)\//.test(file))
      ? 5_400_000
      : 1_500_000
    : 420_000,
};
shareCompiledModules();
conclude(sum([await runWithSecondChance(judges)]));

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const run = promisify(execFile);

/** Where the outside judges' programs are kept. */
export const binFolder = join(dirname(import.meta.dirname), 'bin');

const sidecarsFolder = join(dirname(import.meta.dirname), 'csisidecars');

/** Static, and alike for all: so that what they share is compiled once. */
async function go(words: readonly string[], cwd = import.meta.dirname): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: '0' };
  await run('go', words, { cwd, maxBuffer: 16 << 20, env });
}

/** Without tables for debuggers: linking takes half as long. */
const smaller = '-ldflags=-s -w';

/** What Go knows of the module of Kubernetes that the suite is built from: a field of its `go list -m`. */
async function ofKubernetes(field: 'Dir' | 'Version'): Promise<string> {
  const words = ['list', '-m', '-f', `{{.${field}}}`, 'k8s.io/kubernetes'];
  return (await run('go', words, { cwd: import.meta.dirname })).stdout.trim();
}

/** The source of Kubernetes that the suite is built from. */
export const kubernetesFolder = () => ofKubernetes('Dir');

/** The names of the specs that Kubernetes certifies by. */
export async function conformanceList(): Promise<string[]> {
  const file = join(await kubernetesFolder(), 'test/conformance/testdata/conformance.yaml');
  const entries = parse(await readFile(file, 'utf8')) as { codename: string }[];
  return entries.map(({ codename }) => codename);
}

/** Builds Kubernetes' suite and answers its path. The first time it compiles for many minutes. */
export async function buildSuite(): Promise<string> {
  const binary = join(binFolder, 'e2e.test');
  await go(['test', '-c', '-vet=off', smaller, '-o', binary, '.']);
  return binary;
}

/** Builds Kubernetes' suite of the node alone and answers its path. The first time it compiles for many minutes. */
export async function buildNodeSuite(): Promise<string> {
  const binary = join(binFolder, 'e2e_node.test');
  await go(['test', '-c', '-vet=off', smaller, '-o', binary, 'k8s.io/kubernetes/test/e2e_node']);
  return binary;
}

/** Builds Ginkgo, which runs the suite in several processes, and answers its path. */
export async function buildGinkgo(): Promise<string> {
  const binary = join(binFolder, 'ginkgo');
  await go(['build', '-o', binary, 'github.com/onsi/ginkgo/v2/ginkgo']);
  return binary;
}

/** Builds the program of most of the suite's images, and answers its path. */
export const buildAgnhost = () => buildProgram('agnhost', 'k8s.io/kubernetes/test/images/agnhost');

/** Builds the API server that specs put behind the cluster's own, and answers its path. */
export const buildSampleApiServer = () => buildProgram('sample-apiserver', 'k8s.io/sample-apiserver');

/** Builds what watches whether connections are reset by packets that nobody waits for, and answers its path. */
export const buildResetProbe = () =>
  buildProgram('regression-issue-74839', 'k8s.io/kubernetes/test/images/regression-issue-74839');

/** Builds the device plug-in that the node's suite runs, and answers its path. */
export const buildSampleDevicePlugin = () =>
  buildProgram('sampledeviceplugin', 'k8s.io/kubernetes/test/images/sample-device-plugin');

/** Builds what uses as much processor and memory as it is asked to, and answers its path. */
export const buildConsumer = () =>
  buildProgram('consumer', 'k8s.io/kubernetes/test/images/resource-consumer');

/** Builds what it uses the processor by, and answers its path. */
export const buildConsumeCpu = () =>
  buildProgram('consume-cpu', 'k8s.io/kubernetes/test/images/resource-consumer/consume-cpu');

/** Builds what stands in for Kubernetes' driver of host paths, and answers its path. */
export const buildHostPathPlugin = () => buildProgram('hostpathplugin', './hostpathplugin');

/** Builds what tells a kubelet of a CSI driver, and answers its path. */
export const buildRegistrar = () => buildProgram('registrar', './registrar');

/** Builds a program that stands beside a CSI driver, such as `csi-attacher`, and answers its path. */
export const buildSidecar = (source: string) =>
  buildProgram(basename(source), `github.com/kubernetes-csi/${source}`, { moduleFolder: sidecarsFolder });

/**
 * Builds the kubectl of the suite's version, which specs also copy into containers, and answers its path. It is told its
 * version, which it compares with the server's.
 */
export async function buildKubectl(): Promise<string> {
  const version = `-X k8s.io/component-base/version.gitVersion=${await ofKubernetes('Version')}`;
  return buildProgram('kubectl', 'k8s.io/kubernetes/cmd/kubectl', { linkFlags: `${smaller} ${version}` });
}

interface BuildOptions {
  moduleFolder?: string;
  linkFlags?: string;
}

async function buildProgram(
  name: string,
  source: string,
  { moduleFolder, linkFlags = smaller }: BuildOptions = {},
): Promise<string> {
  const binary = join(binFolder, name);
  await go(['build', linkFlags, '-o', binary, source], moduleFolder);
  return binary;
}

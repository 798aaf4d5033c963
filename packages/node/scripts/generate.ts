/**
 * Writes src/generated/kube-proxy.ts from the facts of Kubernetes: the fields of KubeProxyConfiguration v1alpha1 (k8s.io/kube-proxy,
 * k8s.io/component-base) and the flags of kube-proxy (cmd/kube-proxy/app). The upstream prose stays behind.
 *
 *   node packages/node/scripts/generate.ts [MINOR.PATCH] [--into FOLDER]      (default 36.2: Kubernetes 1.36.2; needs Go)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { parseGoPackage } from '../../kubeapi/scripts/go-types.ts';
import { downloadModule, readGoFiles } from '../../kubeapi/scripts/sources.ts';
import { messagesOf } from '../../kubelet/scripts/messages.ts';

const generation = readGeneration(import.meta.dirname, '36.2');
const release = generation.version;
const staging = (name: string) => downloadModule(`k8s.io/${name}`, `v0.${release}`);
const parse = (folder: string) => parseGoPackage(readGoFiles(folder));
const componentBase = staging('component-base');
const messages = messagesOf('KubeProxyConfiguration', parse(join(staging('kube-proxy'), 'config/v1alpha1')), {
  componentbaseconfigv1alpha1: parse(join(componentBase, 'config/v1alpha1')),
  logsapi: parse(join(componentBase, 'logs/api/v1')),
});
const options = readFileSync(
  join(downloadModule('k8s.io/kubernetes', `v1.${release}`), 'cmd/kube-proxy/app/options.go'),
  'utf8',
);
const flags = [...options.matchAll(/\bfs\.\w*Var\([^"]*"([a-z][a-z0-9-]*)",/g)]
  .map(([, name = '']) => name)
  .sort();
const text = `/** \`name type\` of each field, a star before the type of a pointer, parted by \`;\`, by message. */
export const proxyMessages: Readonly<Record<string, string>> = ${JSON.stringify(messages, undefined, 2)};

/** Flags of kube-proxy, but those of the log and of cAdvisor, which are registered elsewhere. */
export const proxyFlagNames: readonly string[] = ${JSON.stringify(flags, undefined, 2)};
`;
writeGenerated(generation, { name: 'kube-proxy.ts', source: `Kubernetes 1.${release}`, text });
console.log(`proxyFlagNames: ${flags.length}`);
console.log(`proxyMessages: ${Object.keys(messages).length}`);

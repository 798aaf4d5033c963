/**
 * Writes src/generated/upstream.ts from the facts of Kubernetes: the fields of KubeletConfiguration v1beta1
 * (k8s.io/kubelet, k8s.io/component-base), the flags of the kubelet (cmd/kubelet/app/options) and the feature gates that
 * it knows; and the protocols that plug-ins of the node speak. The upstream prose stays behind.
 *
 *   node packages/kubelet/scripts/generate.ts [MINOR.PATCH] [--into FOLDER]      (default 36.2: Kubernetes 1.36.2; needs Go)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { parseGoPackage } from '../../kubeapi/scripts/go-types.ts';
import { downloadModule, readGoFiles } from '../../kubeapi/scripts/sources.ts';
import { configurationFlags } from './flags.ts';
import { featureGates } from './gates.ts';
import { messagesOf } from './messages.ts';
import { plugInProtocols } from './plug-in-protocols.ts';

const generation = readGeneration(import.meta.dirname, '36.2');
const release = generation.version;
const minor = Number(release.split('.')[0]);
const staging = (name: string) => downloadModule(`k8s.io/${name}`, `v0.${release}`);
const kubernetes = downloadModule('k8s.io/kubernetes', `v1.${release}`);
const componentBase = staging('component-base');

/** Of KubeletConfiguration. */
function configurationMessages(): Record<string, string> {
  const parse = (folder: string) => parseGoPackage(readGoFiles(folder));
  return messagesOf('KubeletConfiguration', parse(join(staging('kubelet'), 'config/v1beta1')), {
    logsapi: parse(join(componentBase, 'logs/api/v1')),
    tracingapi: parse(join(componentBase, 'tracing/api/v1')),
  });
}

const gateFiles = [
  join(kubernetes, 'pkg/features/kube_features.go'),
  join(staging('apiserver'), 'pkg/features/kube_features.go'),
  join(componentBase, 'logs/api/v1/kube_features.go'),
  join(componentBase, 'metrics/features/kube_features.go'),
  join(componentBase, 'zpages/features/kube_features.go'),
  join(staging('client-go'), 'features/known_features.go'),
];
const facts = {
  configurationMessages: configurationMessages(),
  configurationFlags: configurationFlags(
    readFileSync(join(kubernetes, 'cmd/kubelet/app/options/options.go'), 'utf8'),
  ),
  featureGates: featureGates(
    gateFiles.map((file) => readFileSync(file, 'utf8')),
    minor,
  ),
};
const docs: Record<keyof typeof facts, string> = {
  configurationMessages:
    '`name type` of each field, a star before the type of a pointer, parted by `;`, by message.',
  configurationFlags:
    "Flags of upstream's kubelet: the field of its options or configuration (`c.…`) that each sets, and how.",
  featureGates: 'Stage, default and `locked` of the gates in this release.',
};
const text = Object.entries(facts).map(
  ([name, value]) =>
    `/** ${docs[name as keyof typeof facts]} */\nexport const ${name}: Readonly<Record<string, string>> = ${JSON.stringify(value, undefined, 2)};\n`,
);
const source = `Kubernetes 1.${release}`;
writeGenerated(generation, { name: 'upstream.ts', source, text: text.join('\n') });
for (const file of plugInProtocols(`v0.${release}`)) writeGenerated(generation, file);
for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${Object.keys(value).length}`);

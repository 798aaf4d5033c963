/**
 * Writes src/generated/ from the facts of Kubernetes' bootstrap policy: names, labels, rules, subjects.
 *
 *   node packages/apiserver/scripts/generate.ts [MINOR.PATCH] [--into FOLDER]      (default 36.2: Kubernetes 1.36.2; needs Go)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseText } from '@wherry/kubeapi';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { downloadModule } from '../../kubeapi/scripts/sources.ts';

const generation = readGeneration(import.meta.dirname, '36.2');
const source = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';
const folder = join(downloadModule('k8s.io/kubernetes', `v1.${generation.version}`), source);

/** A file that upstream holds its policy to. */
function itemsOf(name: string): JsonObject[] {
  const list = parseText(readFileSync(join(folder, `${name}.yaml`)), 'yaml');
  const items: JsonValue = isJsonObject(list) ? (list['items'] ?? []) : [];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** Without what all have, and without what is not there. */
function compact({ metadata, kind: _kind, apiVersion: _apiVersion, ...rest }: JsonObject): JsonObject {
  const { annotations: _annotations, labels, creationTimestamp: _time, ...identity } = metadata as JsonObject;
  const { 'kubernetes.io/bootstrapping': _bootstrapping, ...own } = labels as JsonObject;
  const head = { ...identity, ...(Object.keys(own).length > 0 ? { labels: own } : {}) };
  const parts = Object.entries(rest).filter(([, value]) => value !== null);
  return { metadata: head, ...Object.fromEntries(parts) };
}

function table(name: string, type: string, words: string, files: string[]): string {
  const lines = files.flatMap(itemsOf).map((item) => `  ${JSON.stringify(compact(item))},\n`);
  return `/** ${words} */\nexport const ${name}: readonly ${type}[] = [\n${lines.join('')}];\n`;
}

writeGenerated(generation, {
  name: 'bootstrap-policy.ts',
  source: `Kubernetes 1.${generation.version}`,
  text: `import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@wherry/kubeapi';

${[
  table('clusterRoles', 'ClusterRole', 'Roles of the cluster.', ['cluster-roles', 'controller-roles']),
  table('clusterRoleBindings', 'ClusterRoleBinding', 'Who has them.', [
    'cluster-role-bindings',
    'controller-role-bindings',
  ]),
  table('roles', 'Role', 'Roles in namespaces.', ['namespace-roles']),
  table('roleBindings', 'RoleBinding', 'Who has those.', ['namespace-role-bindings']),
].join('\n')}`,
});

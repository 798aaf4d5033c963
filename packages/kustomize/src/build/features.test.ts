import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryFiles } from '../files/file-tree.ts';
import { buildKustomization } from './build.ts';

const objects = `apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: bound}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: other}
subjects: [{kind: ServiceAccount, name: runner, namespace: default}]
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  serviceAccountName: runner
  containers: [{name: web, image: "nginx:1.25", args: [$(ACCOUNT)]}]
`;

const build = (kustomization: string, more: Record<string, string> = {}) =>
  buildKustomization('/app', {
    files: memoryFiles({
      '/app/kustomization.yaml': `resources: [all.yaml]\n${kustomization}`,
      '/app/all.yaml': objects,
      ...more,
    }),
  }).objects as { kind: string; metadata: { name: string; namespace?: string }; [field: string]: unknown }[];

const ofKind = (built: ReturnType<typeof build>, kind: string) => built.find((one) => one.kind === kind);

describe('a kustomization', () => {
  it('has names and namespaces in other objects follow', () => {
    const built = build('namePrefix: p-\nnamespace: shop\n');
    assert.deepEqual(ofKind(built, 'ClusterRoleBinding')?.['subjects'], [
      { kind: 'ServiceAccount', name: 'p-runner', namespace: 'shop' },
    ]);
    const pod = ofKind(built, 'Pod') as { spec?: { serviceAccountName?: string } } | undefined;
    assert.equal(pod?.spec?.serviceAccountName, 'p-runner');
    assert.equal(ofKind(built, 'ClusterRoleBinding')?.metadata.namespace, undefined);
  });

  it('puts values in their places: replacements, variables, images', () => {
    const built = build(
      `namePrefix: p-
images: [{name: nginx, newTag: "2"}]
vars: [{name: ACCOUNT, objref: {apiVersion: v1, kind: ServiceAccount, name: runner}}]
replacements:
- source: {kind: Pod, fieldPath: metadata.name}
  targets: [{select: {kind: Pod}, fieldPaths: [spec.hostname], options: {create: true}}]
`,
    );
    assert.deepEqual(ofKind(built, 'Pod')?.['spec'], {
      containers: [{ args: ['p-runner'], image: 'nginx:2', name: 'web' }],
      hostname: 'p-web',
      serviceAccountName: 'p-runner',
    });
  });

  it('lets components change what is there, and transformers of its own kinds', () => {
    const kind = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n';
    const built = build('components: [../part]\ntransformers: [t.yaml]\n', {
      '/part/kustomization.yaml': `${kind}nameSuffix: -part\n`,
      '/app/t.yaml':
        'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name, kind: Pod}]\n',
    });
    assert.deepEqual(
      built.map(({ metadata }) => metadata.name),
      ['runner-part', 'bound-part', 't-web-part'],
    );
  });

  it('runs no programs: charts and plug-ins of others are refused by name', () => {
    assert.throws(() => build('helmCharts: [{name: x, valuesInline: {a: b}}]\n'), /helmCharts run helm/);
    const plugin = { '/app/t.yaml': 'apiVersion: a.b/v1\nkind: Mine\nmetadata: {name: t}\n' };
    assert.throws(() => build('transformers: [t.yaml]\n', plugin), /unable to load external plugin 'Mine'/);
    assert.throws(() => build('generators: [t.yaml]\n', plugin), /unable to load external plugin 'Mine'/);
  });

  it('keeps keys that every object inherits', () => {
    const built = build('commonAnnotations: {constructor: a, __proto__: b}\n');
    const { annotations = {} } = (built[0]?.metadata ?? {}) as { annotations?: object };
    assert.deepEqual(Object.entries(annotations), [
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });
});

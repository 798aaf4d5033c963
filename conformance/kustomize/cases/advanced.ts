/** Components, replacements, variables, configurations, plug-ins of kustomize's own kinds, and what is told of where objects are from. */
import { type Case, oneFolder } from './case.ts';
import { configMap, deployment, documents, service } from './objects.ts';

const data = `apiVersion: v1
kind: ConfigMap
metadata:
  name: source
  labels: {app: web}
data:
  host: example.com
  address: "a.b.c:8080"
  port: "9090"
  config.yaml: |
    # top
    server:
      host: old # which
      port: 1
      names: [x, y]
    other: "quoted"
  config.json: '{"server": {"host": "old", "port": 1}}'
  pretty.json: |
    {
      "server": {
        "host": "old"
      }
    }
number: 7
map: {x: y, z: [1, 2]}
list: [{name: a, v: 1}, {name: ab, v: 2}]
`;

const files = {
  'data.yaml': data,
  'web.yaml': documents(deployment('web'), deployment('other'), service('web')),
};
const head = 'resources: [data.yaml, web.yaml]\n';

const replaced = (name: string, replacement: string, more: Record<string, string> = {}): Case =>
  oneFolder(`replacement: ${name}`, `${head}replacements:\n${replacement}`, { ...files, ...more });

const from = (path: string, more = '') =>
  `- source: {kind: ConfigMap, name: source, fieldPath: ${path}${more}}\n`;
/** `paths` are parted by blanks. */
const to = (select: string, paths: string, more = '') =>
  `  targets:\n  - select: ${select}\n    fieldPaths: ${JSON.stringify(paths.split(' '))}\n${more}`;
const web = '{kind: Deployment, name: web}';
const image = 'spec.template.spec.containers.[name=web].image';

const replacements: readonly Case[] = [
  replaced('a text', from('data.host') + to(web, image)),
  replaced('by index', from('data.host') + to(web, 'spec.template.spec.containers.0.image')),
  replaced(
    'everywhere',
    from('data.host') + to('{kind: Deployment}', 'spec.template.spec.containers.*.image'),
  ),
  replaced(
    'a part of it',
    from('data.address', ', options: {delimiter: ":", index: 1}') +
      to(web, 'spec.template.spec.containers.[name=web].ports.0.containerPort'),
  ),
  replaced('into a part', from('data.port') + to(web, image, '    options: {delimiter: ":", index: 1}\n')),
  replaced(
    'in front of the parts',
    from('data.host') + to(web, image, '    options: {delimiter: "/", index: -1}\n'),
  ),
  replaced(
    'behind the parts',
    from('data.port') + to(web, image, '    options: {delimiter: "@", index: 9}\n'),
  ),
  replaced('out of bounds', from('data.address', ', options: {delimiter: ":", index: 5}') + to(web, image)),
  replaced('a map', from('map') + to('{kind: Service}', 'spec.selector')),
  replaced(
    'a map made',
    from('map') + to('{kind: Service}', 'spec.made.deep', '    options: {create: true}\n'),
  ),
  replaced(
    'a field made',
    from('data.host') + to(web, 'metadata.annotations.host', '    options: {create: true}\n'),
  ),
  replaced(
    'a number made of a text',
    from('data.port') + to(web, 'spec.made', '    options: {create: true}\n'),
  ),
  replaced(
    'an item made',
    from('data.host') +
      to(
        web,
        'spec.template.spec.containers.[name=web].env.[name=HOST].value',
        '    options: {create: true}\n',
      ),
  ),
  replaced(
    'a name with dots',
    from('data.host') + to('{kind: ConfigMap}', 'metadata.labels.[a.b/c]', '    options: {create: true}\n'),
  ),
  replaced(
    'an escaped name',
    from('data.host') + to('{kind: ConfigMap}', 'metadata.labels.a\\.b', '    options: {create: true}\n'),
  ),
  replaced('a missing field', from('data.host') + to(web, 'spec.none.x')),
  replaced('a missing source field', from('data.none') + to(web, image)),
  replaced('a missing source', `- source: {kind: Secret, name: none}\n${to(web, image)}`),
  replaced('several sources', `- source: {kind: Deployment}\n${to(web, image)}`),
  replaced('no targets', from('data.host')),
  replaced('no select', `${from('data.host')}  targets:\n  - fieldPaths: [x]\n`),
  replaced(
    'the name by default',
    '- source: {kind: ConfigMap, name: source}\n  targets:\n  - select: {kind: Service}\n',
  ),
  replaced('a text for a number', from('data.host') + to('{kind: ConfigMap}', 'number')),
  replaced('a number for a number', from('data.port') + to('{kind: ConfigMap}', 'number')),
  replaced(
    'by labels, but for some',
    `${from('data.host')}  targets:\n  - select: {kind: Deployment}\n    reject: [{name: other}]\n    fieldPaths: [spec.template.spec.containers.0.image]\n`,
  ),
  replaced(
    'by a pattern',
    from('data.host') + to('{name: "w.*", kind: Deployment}', 'spec.template.spec.containers.0.image'),
  ),
  replaced('items by a pattern', from('data.port') + to('{kind: ConfigMap}', 'list.[name=a].v')),
  replaced('a text of its own', `- sourceValue: fixed\n${to(web, image)}`),
  replaced('both sources', `- sourceValue: fixed\n  source: {kind: ConfigMap}\n${to(web, image)}`),
  replaced('from a file', '- path: r.yaml\n', {
    'r.yaml': `source: {kind: ConfigMap, name: source, fieldPath: data.host}\ntargets:\n- select: ${web}\n  fieldPaths: ["${image}"]\n`,
  }),
  replaced('a list in a file', '- path: r.yaml\n', {
    'r.yaml': `- source: {kind: ConfigMap, name: source, fieldPath: data.host}\n  targets:\n  - select: ${web}\n    fieldPaths: ["${image}"]\n`,
  }),
  replaced(
    'in JSON of a text',
    from('data.host') +
      to('{kind: ConfigMap}', 'data.config\\.json.server.host data.pretty\\.json.server.host'),
  ),
  replaced(
    'in YAML of a text',
    from('data.host') + to('{kind: ConfigMap}', 'data.config\\.yaml.server.host'),
  ),
  {
    name: 'replacement: by a former name',
    folder: 'top',
    files: {
      'base/kustomization.yaml': 'resources: [data.yaml, web.yaml]\nnamePrefix: b-\n',
      'base/data.yaml': data,
      'base/web.yaml': files['web.yaml'],
      'top/kustomization.yaml': `resources: [../base]\nnamePrefix: t-\nreplacements:\n${from('metadata.name')}${to('{kind: Deployment, name: b-web}', image)}`,
    },
  },
];

const component = (name: string, top: string, parts: Record<string, string>): Case => ({
  name: `component: ${name}`,
  folder: 'top',
  files: {
    'base/kustomization.yaml': 'resources: [web.yaml]\nnamePrefix: b-\n',
    'base/web.yaml': files['web.yaml'],
    'top/kustomization.yaml': top,
    ...Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, text])),
  },
});

const kind = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n';

const components: readonly Case[] = [
  component('patches and adds', 'resources: [../base]\ncomponents: [../one, ../two]\nnameSuffix: -t\n', {
    'one/kustomization.yaml': `${kind}resources: [a.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {replicas: 4}\n`,
    'one/a.yaml': configMap('added'),
    'two/kustomization.yaml': `${kind}namePrefix: two-\nconfigMapGenerator:\n- name: made\n  literals: [a=b]\ncommonLabels: {two: "2"}\n`,
  }),
  component('that is none', 'resources: [../base]\ncomponents: [../one]\n', {
    'one/kustomization.yaml': 'namePrefix: x-\n',
  }),
  component('as a resource', 'resources: [../base, ../one]\n', {
    'one/kustomization.yaml': `${kind}namePrefix: x-\n`,
  }),
  component('merges what the base generates', 'resources: [../made]\ncomponents: [../one]\n', {
    'made/kustomization.yaml': 'configMapGenerator:\n- name: made\n  literals: [a=b]\n',
    'one/kustomization.yaml': `${kind}configMapGenerator:\n- name: made\n  behavior: merge\n  literals: [c=d]\n`,
  }),
];

const variable = (name: string, vars: string, texts: string): Case =>
  oneFolder(`variable: ${name}`, `${head}vars:\n${vars}namePrefix: p-\n`, {
    ...files,
    'web.yaml': documents(deployment('web', texts), service('web')),
  });

const variables: readonly Case[] = [
  variable(
    'a name',
    '- name: SERVICE\n  objref: {kind: Service, name: web, apiVersion: v1}\n',
    '        args: ["--to=$(SERVICE)", $(SERVICE), $$(SERVICE), $(NONE), "$(", $]\n        env: [{name: A, value: $(SERVICE).x}]\n',
  ),
  variable(
    'a field',
    '- name: HOST\n  objref: {kind: ConfigMap, name: source, apiVersion: v1}\n  fieldref: {fieldpath: data.host}\n',
    '        args: [$(HOST)]\n',
  ),
  variable(
    'a number',
    '- name: PORT\n  objref: {kind: Service, name: web, apiVersion: v1}\n  fieldref: {fieldpath: "spec.ports[0].targetPort"}\n',
    '        args: [$(PORT), "x$(PORT)"]\n',
  ),
  variable(
    'a map',
    '- name: MAP\n  objref: {kind: Service, name: web, apiVersion: v1}\n  fieldref: {fieldpath: spec.selector}\n',
    '        args: [$(MAP), "x$(MAP)"]\n',
  ),
  variable(
    'nothing of its name',
    '- name: X\n  objref: {kind: Service, name: none, apiVersion: v1}\n',
    '        args: [$(X)]\n',
  ),
  variable(
    'a missing field',
    '- name: X\n  objref: {kind: Service, name: web, apiVersion: v1}\n  fieldref: {fieldpath: spec.none}\n',
    '        args: [$(X)]\n',
  ),
  variable(
    'twice',
    '- name: X\n  objref: {kind: Service, name: web, apiVersion: v1}\n- name: X\n  objref: {kind: Service, name: web, apiVersion: v1}\n',
    '        args: [$(X)]\n',
  ),
];

const configurations: readonly Case[] = [
  oneFolder(
    'fields of custom resources',
    'resources: [thing.yaml]\nnamePrefix: p-\nnamespace: moved\ncommonLabels: {a: b}\ncommonAnnotations: {c: d}\nimages: [{name: nginx, newTag: "9"}]\nreplicas: [{name: thing, count: 4}]\nconfigurations: [c.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\nvars: [{name: V, objref: {kind: Thing, name: thing, apiVersion: a.b/v1}}]\n',
    {
      'thing.yaml':
        'apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: thing}\nspec:\n  settings: settings\n  list: [{ref: settings}]\n  image: nginx:1\n  text: see $(V)\n  other: {name: x}\n',
      'c.yaml':
        'nameReference:\n- {kind: ConfigMap, version: v1, fieldSpecs: [{kind: Thing, path: spec/settings}, {kind: Thing, path: spec/list/ref}]}\nnamePrefix:\n- {kind: Thing, path: spec/other/name}\nnamespace:\n- {kind: Thing, path: spec/namespace, create: true}\ncommonLabels:\n- {kind: Thing, path: spec/selector, create: true}\ncommonAnnotations:\n- {kind: Thing, path: spec/notes, create: true}\nimages:\n- {kind: Thing, path: spec/image}\nreplicas:\n- {kind: Thing, path: spec/replicas, create: true}\nvarReference:\n- {kind: Thing, path: spec/text}\n',
    },
  ),
  oneFolder('fields of a configuration that are none', 'resources: [data.yaml]\nconfigurations: [c.yaml]\n', {
    ...files,
    'c.yaml': 'namePrefixes: []\n',
  }),
  oneFolder('fields that contradict', 'resources: [data.yaml]\nconfigurations: [c.yaml]\n', {
    ...files,
    'c.yaml': 'commonLabels:\n- {path: metadata/labels, create: false}\n',
  }),
  oneFolder('a missing configuration', 'resources: [data.yaml]\nconfigurations: [c.yaml]\n', files),
  oneFolder(
    'definitions in OpenAPI',
    'resources: [thing.yaml]\nnamePrefix: p-\ncommonAnnotations: {c: d}\ncrds: [crd.json]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n',
    {
      'thing.yaml':
        'apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: thing}\nspec: {settings: {name: settings}, notes: {}}\n',
      'crd.json': JSON.stringify({
        'x.Thing': {
          Schema: { properties: { kind: {}, apiVersion: {}, metadata: {}, spec: { $ref: 'x.Spec' } } },
        },
        'x.Spec': {
          Schema: {
            properties: {
              settings: {
                'x-kubernetes-object-ref-api-version': 'v1',
                'x-kubernetes-object-ref-kind': 'ConfigMap',
              },
              notes: { 'x-kubernetes-annotation': '' },
            },
          },
        },
      }),
    },
  ),
];

const plugin = (name: string, body: string, more: Record<string, string> = {}): Case =>
  oneFolder(`transformer: ${name}`, `${head}transformers: [t.yaml]\n`, {
    ...files,
    ...more,
    't.yaml': `apiVersion: builtin\nkind: ${body}`,
  });

const plugins: readonly Case[] = [
  plugin(
    'prefix',
    'PrefixTransformer\nmetadata: {name: t}\nprefix: x-\nfieldSpecs: [{path: metadata/name}]\n',
  ),
  plugin('prefix without fields', 'PrefixTransformer\nmetadata: {name: t}\nprefix: x-\n'),
  plugin(
    'suffix',
    'SuffixTransformer\nmetadata: {name: t}\nsuffix: -x\nfieldSpecs: [{path: metadata/name, kind: Deployment}]\n',
  ),
  plugin(
    'labels',
    'LabelTransformer\nmetadata: {name: t}\nlabels: {a: b}\nfieldSpecs: [{path: spec/labels, kind: Deployment, create: true}]\n',
  ),
  plugin(
    'annotations',
    'AnnotationsTransformer\nmetadata: {name: t}\nannotations: {a: b}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n',
  ),
  plugin(
    'namespace',
    'NamespaceTransformer\nmetadata: {name: t, namespace: moved}\nunsetOnly: true\nfieldSpecs: [{path: spec/ns, create: true}]\n',
  ),
  plugin(
    'namespace of subjects',
    'NamespaceTransformer\nmetadata: {name: t, namespace: moved}\nsetRoleBindingSubjects: allServiceAccounts\n',
  ),
  plugin(
    'namespace of other subjects',
    'NamespaceTransformer\nmetadata: {name: t, namespace: moved}\nsetRoleBindingSubjects: some\n',
  ),
  plugin(
    'images',
    'ImageTagTransformer\nmetadata: {name: t}\nimageTag: {name: nginx, newTag: "2"}\nfieldSpecs: []\n',
  ),
  plugin(
    'replicas',
    'ReplicaCountTransformer\nmetadata: {name: t}\nreplica: {name: web, count: 3}\nfieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]\n',
  ),
  plugin(
    'patch',
    'PatchTransformer\nmetadata: {name: t}\ntarget: {kind: Deployment}\npatch: "[{op: add, path: /spec/x, value: 1}]"\n',
  ),
  plugin(
    'strategic patches',
    'PatchStrategicMergeTransformer\nmetadata: {name: t}\npaths: [p.yaml]\npatches: |-\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  spec: {replicas: 5}\n',
    { 'p.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: NodePort}\n' },
  ),
  plugin(
    'operations',
    'PatchJson6902Transformer\nmetadata: {name: t}\ntarget: {name: web, kind: Deployment}\njsonOp: "[{op: add, path: /spec/x, value: 1}]"\n',
  ),
  plugin(
    'replacement',
    `ReplacementTransformer\nmetadata: {name: t}\nreplacements:\n${from('data.host')}${to(web, image)}`,
  ),
  plugin('of another kind', 'OtherTransformer\nmetadata: {name: t}\n'),
  oneFolder('transformer: of others', `${head}transformers: [t.yaml]\n`, {
    ...files,
    't.yaml': 'apiVersion: a.b/v1\nkind: Mine\nmetadata: {name: t}\n',
  }),
  oneFolder('transformer: a function', `${head}transformers: [t.yaml]\n`, {
    ...files,
    't.yaml':
      'apiVersion: a.b/v1\nkind: Mine\nmetadata:\n  name: t\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: x}\n',
  }),
  oneFolder(
    'transformer: inline',
    `${head}transformers:\n- |-\n  apiVersion: builtin\n  kind: PrefixTransformer\n  metadata: {name: t}\n  prefix: i-\n  fieldSpecs: [{path: metadata/name}]\n`,
    files,
  ),
  {
    name: 'transformer: a folder',
    folder: '.',
    files: {
      ...files,
      'kustomization.yaml': `${head}transformers: [t]\n`,
      't/kustomization.yaml': 'resources: [t.yaml]\n',
      't/t.yaml':
        'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: f-\nfieldSpecs: [{path: metadata/name}]\n',
    },
  },
  oneFolder('generator: a ConfigMap and a Secret', `${head}generators: [g.yaml]\n`, {
    ...files,
    'f.txt': 'x\n',
    'g.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: made, namespace: x}\nliterals: [a=b]\nfiles: [f.txt]\n---\napiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: hidden}\ntype: Own\nliterals: [a=b]\noptions: {disableNameSuffixHash: true}\n',
  }),
  oneFolder('generator: of others', `${head}generators: [g.yaml]\n`, {
    ...files,
    'g.yaml': 'apiVersion: a.b/v1\nkind: Mine\nmetadata: {name: g}\n',
  }),
  oneFolder('validator: one that changes', `${head}validators: [t.yaml]\n`, {
    ...files,
    't.yaml':
      'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: x-\nfieldSpecs: [{path: metadata/name}]\n',
  }),
  oneFolder('validator: one that changes nothing', `${head}validators: [t.yaml]\n`, {
    ...files,
    't.yaml': 'apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: t}\nlabels: {}\n',
  }),
  oneFolder(
    'charts',
    `${head}helmCharts: [{name: x, repo: https://example.com, version: 1.0.0, valuesInline: {a: b}}]\n`,
    files,
  ),
  oneFolder('the version of the schema', `${head}openapi: {version: v1.21.2}\n`, files),
  oneFolder('another version of the schema', `${head}openapi: {version: v1.30.0}\n`, files),
];

const told = (options: string): Case => ({
  name: `told: ${options}`,
  folder: 'top',
  files: {
    'base/kustomization.yaml':
      'resources: [web.yaml]\nnamePrefix: b-\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n',
    'base/web.yaml': files['web.yaml'],
    'top/kustomization.yaml': `buildMetadata: [${options}]\nresources: [../base, data.yaml]\ncomponents: [../part]\nnamespace: moved\nlabels: [{pairs: {a: b}}]\ntransformers: [t.yaml]\ngenerators: [g.yaml]\nconfigMapGenerator: [{name: made, behavior: merge, literals: [c=d]}]\n`,
    'top/data.yaml': data,
    'top/t.yaml':
      'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: x-\nfieldSpecs: [{path: metadata/name}]\n',
    'top/g.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: plugged}\nliterals: [a=b]\n',
    'part/kustomization.yaml': `${kind}patches:\n- target: {kind: Deployment}\n  patch: '[{"op": "add", "path": "/spec/x", "value": 1}]'\n`,
  },
});

const wrong = (name: string, kustomization: string): Case =>
  oneFolder(`wrong: ${name}`, kustomization, files);

const mistakes: readonly Case[] = [
  wrong('nothing', ''),
  wrong('an empty one', '# nothing\n'),
  wrong('a kind alone', 'kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n'),
  wrong('an unknown field', `${head}resource: [x]\n`),
  wrong('another case', 'Resources: [data.yaml]\nNAMEPREFIX: p-\n'),
  wrong('another version', `${head}apiVersion: kustomize.config.k8s.io/v2\n`),
  wrong('another kind', `${head}kind: Deployment\n`),
  wrong('a list', '- a\n'),
  wrong('no YAML', 'a: b: c\n'),
  wrong('a text for a list', 'resources: data.yaml\n'),
  wrong('a number for a text', `${head}namePrefix: 5\n`),
  wrong('a number for a label', `${head}commonLabels: {a: 1}\n`),
  wrong('a text for a number', `${head}replicas: [{name: web, count: "3"}]\n`),
  wrong('a missing resource', 'resources: [none.yaml]\n'),
  wrong('an absolute folder', 'resources: [/tmp]\n'),
  wrong('itself', 'resources: [.]\n'),
  wrong('an empty path', 'resources: [""]\n'),
  wrong('the same file twice', 'resources: [data.yaml, data.yaml]\n'),
  wrong('a key twice', `${head}namePrefix: a-\nnamePrefix: b-\n`),
  wrong('an unknown field in an entry', `${head}images: [{name: nginx, tag: "1"}]\n`),
  wrong('an unknown field in a patch', `${head}patches: [{patch: x, targets: {}}]\n`),
  wrong('metadata', `${head}metadata: {name: x, labels: {a: b}}\n`),
  oneFolder('wrong: no object', 'resources: [a.yaml]\n', { 'a.yaml': 'just: words\n' }),
  oneFolder('wrong: no name', 'resources: [a.yaml]\n', { 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\n' }),
  oneFolder('wrong: no kind', 'resources: [a.yaml]\n', { 'a.yaml': 'apiVersion: v1\nmetadata: {name: a}\n' }),
  oneFolder('wrong: no version', 'resources: [a.yaml]\n', {
    'a.yaml': 'kind: ConfigMap\nmetadata: {name: a}\n',
  }),
  oneFolder('wrong: a list as an object', 'resources: [a.yaml]\n', { 'a.yaml': '- a\n' }),
  oneFolder('wrong: no YAML in a file', 'resources: [a.yaml]\n', { 'a.yaml': 'a: b: c\n' }),
  oneFolder('wrong: a key twice in a file', 'resources: [a.yaml]\n', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n',
  }),
  oneFolder('wrong: tabs', 'resources: [a.yaml]\n', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n',
  }),
  {
    name: 'wrong: two kustomizations',
    files: { 'kustomization.yaml': head, 'kustomization.yml': head, ...files },
  },
  { name: 'the other names', folder: '.', files: { Kustomization: head, ...files } },
  { name: 'wrong: no kustomization', files },
  { name: 'wrong: no such folder', folder: 'none', files },
  {
    name: 'wrong: a circle',
    folder: 'a',
    files: { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' },
  },
  {
    name: 'wrong: namespaces that meet',
    folder: '.',
    files: {
      'kustomization.yaml': 'resources: [a.yaml]\nnamespace: one\n',
      'a.yaml': documents(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: x}\n',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: y}\n',
      ),
    },
  },
];

export const advanced: readonly Case[] = [
  ...replacements,
  ...components,
  ...variables,
  ...configurations,
  ...plugins,
  told('originAnnotations'),
  told('transformerAnnotations'),
  told('originAnnotations, transformerAnnotations, managedByLabel'),
  ...mistakes,
];

/** Patches: merged objects and operations, inline and in files, by name and by selector. */
import { type Case, oneFolder } from './case.ts';
import { configMap, deployment, documents, service } from './objects.ts';

const rich = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web, tier: front}
  annotations: {note: first}
  finalizers: [a, b]
spec:
  replicas: 1
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {disk: ssd}
      emptyNull:
      writtenNull: null
      containers:
      - name: web
        image: nginx
        args: [a, b]
        env:
        - {name: A, value: "1"}
        - {name: B, value: "2"}
        ports:
        - {containerPort: 80, name: http}
        - {containerPort: 53, protocol: UDP}
        - {containerPort: 53, protocol: TCP}
        volumeMounts:
        - {name: v, mountPath: /v}
      - name: side
        image: busybox
      tolerations: [{key: a, operator: Exists}]
      volumes:
      - {name: v, emptyDir: {}}
      - {name: c, configMap: {name: c}}
`;

const others = documents(
  deployment('other'),
  service('web'),
  configMap('settings'),
  'apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: thing, labels: {app: web}}\nspec:\n  list: [{name: a, x: 1}, {name: b}]\n  finalizers: [a]\n',
);

const files = { 'rich.yaml': rich, 'others.yaml': others };
const head = 'resources: [rich.yaml, others.yaml]\n';

/** One patch of the Deployment. */
const merged = (name: string, body: string): Case =>
  oneFolder(`merged: ${name}`, `${head}patches:\n- path: p.yaml\n`, {
    ...files,
    'p.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n${body}`,
  });

const pod = (body: string) => `spec:\n  template:\n    spec:\n${body}`;

const operations = (name: string, list: string): Case =>
  oneFolder(
    `operations: ${name}`,
    `${head}patches:\n- target: {kind: Deployment, name: web}\n  patch: |-\n${list.replace(/^/gm, '    ')}\n`,
    files,
  );

const selected = (name: string, target: string, more = ''): Case =>
  oneFolder(
    `selected: ${name}`,
    `${head}patches:\n- target: ${target}\n${more}  patch: |-\n    apiVersion: v1\n    kind: Any\n    metadata:\n      name: any\n      annotations: {patched: "yes"}\n`,
    files,
  );

const replaced = '  - name: web\n    $patch: replace\n    image: only\n';

export const patches: readonly Case[] = [
  merged('a scalar', 'spec: {replicas: 3}\n'),
  merged('a scalar that was missing', 'spec: {paused: true, minReadySeconds: 5}\n'),
  merged('a null', 'spec: {replicas: null}\n'),
  merged('labels and annotations', '  labels: {tier: null, new: x}\n  annotations: {note: second}\n'),
  merged('finalizers', '  finalizers: [c, a]\n'),
  merged('a container', pod('      containers:\n      - name: web\n        image: nginx:2\n')),
  merged('a new container', pod('      containers:\n      - name: new\n        image: x\n')),
  merged(
    'the order of containers',
    pod(
      '      containers:\n      - name: side\n        image: y\n      - name: new\n        image: x\n      - name: web\n        args: [c]\n',
    ),
  ),
  merged('a container that goes', pod('      containers:\n      - name: side\n        $patch: delete\n')),
  merged(
    'a container that was not there',
    pod('      containers:\n      - name: none\n        $patch: delete\n'),
  ),
  merged('a container replaced', pod(`      containers:\n${replaced.replace(/^/gm, '    ').trimEnd()}\n`)),
  merged(
    'all containers',
    pod('      containers:\n      - $patch: replace\n      - name: only\n        image: x\n'),
  ),
  merged('no volumes', pod('      volumes:\n      - $patch: delete\n')),
  merged('null for a list', pod('      volumes: null\n      tolerations: null\n')),
  merged(
    'variables',
    pod(
      '      containers:\n      - name: web\n        env:\n        - {name: B, value: "3"}\n        - {name: C, value: "4"}\n',
    ),
  ),
  merged(
    'a variable from elsewhere',
    pod(
      '      containers:\n      - name: web\n        env:\n        - {name: B, value: null, valueFrom: {fieldRef: {fieldPath: metadata.name}}}\n',
    ),
  ),
  merged(
    'ports',
    pod(
      '      containers:\n      - name: web\n        ports:\n        - {containerPort: 53, protocol: UDP, name: dns}\n        - {containerPort: 81}\n',
    ),
  ),
  merged(
    'ports without protocols',
    pod(
      '      containers:\n      - name: web\n        ports:\n        - {containerPort: 80, hostPort: 8080}\n',
    ),
  ),
  merged(
    'ports, one with its protocol',
    pod(
      '      containers:\n      - name: web\n        ports:\n        - {containerPort: 80, protocol: TCP, hostPort: 8080}\n',
    ),
  ),
  merged(
    'a list that is replaced',
    pod('      tolerations: [{key: b}]\n      containers:\n      - name: web\n        args: []\n'),
  ),
  merged(
    'a volume of another kind',
    pod(
      '      volumes:\n      - name: v\n        emptyDir: null\n        hostPath: {path: /x}\n      - name: new\n        secret: {secretName: s}\n',
    ),
  ),
  merged('a map replaced', 'spec:\n  strategy:\n    $patch: replace\n    type: Recreate\n'),
  merged('a map that goes', 'spec:\n  strategy:\n    $patch: delete\n'),
  merged('an empty map', 'spec:\n  strategy: {}\n  template: {}\n'),
  merged('nulls in what was missing', 'spec:\n  extra: {a: null, b: {c: null}, d: [], e: {}}\n'),
  merged('the object that goes', '$patch: delete\n'),
  merged('the object replaced', '$patch: replace\nspec: {replicas: 9}\n'),
  merged('an unknown directive', '$patch: other\n'),
  merged('a scalar for a map', 'spec: 5\n'),
  merged('an item without its key', pod('      containers:\n      - image: nameless\n')),
  merged('quotes and numbers', 'spec:\n  replicas: "3"\n  text: 5\n'),
  oneFolder('a patch of nothing', `${head}patches:\n- path: p.yaml\n`, {
    ...files,
    'p.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: none}\n',
  }),
  oneFolder('a patch in another namespace', `${head}patches:\n- path: p.yaml\n`, {
    ...files,
    'p.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: x}\n',
  }),
  oneFolder('a patch of a custom resource', `${head}patches:\n- path: p.yaml\n`, {
    ...files,
    'p.yaml':
      'apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: thing}\nspec: {list: [{name: c}], more: {x: y}}\n',
  }),
  oneFolder('several patches in a file', `${head}patches:\n- path: p.yaml\n`, {
    ...files,
    'p.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: NodePort, ports: [{port: 80, nodePort: 30080}, {port: 443}]}\n',
  }),
  oneFolder('an empty patch', `${head}patches:\n- path: p.yaml\n`, { ...files, 'p.yaml': '# nothing\n' }),
  oneFolder('a patch that is none', `${head}patches:\n- patch: "just words"\n`, files),
  oneFolder('a patch without kind', `${head}patches:\n- patch: "metadata: {name: web}"\n`, files),
  oneFolder('neither patch nor path', `${head}patches:\n- target: {kind: Deployment}\n`, files),
  oneFolder('patch and path', `${head}patches:\n- path: p.yaml\n  patch: x\n`, files),
  oneFolder('a missing patch file', `${head}patches:\n- path: p.yaml\n`, files),
  oneFolder(
    'patchesStrategicMerge',
    `${head}patchesStrategicMerge:\n- p.yaml\n- |-\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: settings}\n  data: {a: null, c: d}\n`,
    {
      ...files,
      'p.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n',
    },
  ),
  oneFolder(
    'patchesStrategicMerge: one that goes',
    `${head}patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: settings}\n  $patch: delete\n`,
    files,
  ),
  oneFolder(
    'patchesJson6902',
    `${head}patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  path: p.json\n- target: {version: v1, kind: Service, name: web}\n  patch: |-\n    - op: add\n      path: /spec/type\n      value: NodePort\n`,
    {
      ...files,
      'p.json': '[{"op": "replace", "path": "/spec/replicas", "value": 7}]',
    },
  ),
  operations(
    'add, replace, remove',
    '- {op: add, path: /spec/paused, value: true}\n- {op: replace, path: /spec/replicas, value: 4}\n- {op: remove, path: /metadata/labels/tier}',
  ),
  operations(
    'at lists',
    '- {op: add, path: /spec/template/spec/containers/0/args/-, value: c}\n- {op: add, path: /spec/template/spec/containers/0/args/0, value: z}\n- {op: remove, path: /spec/template/spec/containers/1}\n- {op: replace, path: /spec/template/spec/containers/-1/image, value: last}',
  ),
  operations(
    'move, copy, test',
    '- {op: test, path: /spec/replicas, value: 1}\n- {op: copy, from: /metadata/labels, path: /metadata/more}\n- {op: move, from: /spec/strategy, path: /spec/other}',
  ),
  operations('escaped', '- {op: add, path: /metadata/annotations/a.b~1c~0d, value: x}'),
  operations('a test that fails', '- {op: test, path: /spec/replicas, value: 2}'),
  operations('a missing path', '- {op: add, path: /spec/none/x, value: 2}'),
  operations('a missing field removed', '- {op: remove, path: /spec/none}'),
  operations('a missing field replaced', '- {op: replace, path: /spec/none, value: 1}'),
  operations('an unknown one', '- {op: change, path: /spec/none, value: 1}'),
  operations('another name', '- {op: replace, path: /metadata/name, value: renamed}'),
  operations('JSON', '[{"op": "add", "path": "/spec/x", "value": {"a": [1, 2.5, null]}}]'),
  oneFolder(
    'operations without a target',
    `${head}patches:\n- patch: '[{"op": "remove", "path": "/spec"}]'\n`,
    files,
  ),
  selected('by kind', '{kind: Deployment}'),
  selected('by a pattern', '{kind: "Deploy.*|Service", name: "w.b"}'),
  selected('by part of a name', '{name: we}'),
  selected('by labels', '{labelSelector: "app in (web), tier!=back"}'),
  selected('by annotations', '{annotationSelector: note=first}'),
  selected('by group and version', '{group: apps, version: v1}'),
  selected('by namespace', '{namespace: default, kind: Service}'),
  selected('none', '{kind: Pod}'),
  selected('by a wrong pattern', '{name: "("}'),
  selected('by a wrong selector', '{labelSelector: "a in"}'),
  oneFolder(
    'another name is not taken',
    `${head}patches:\n- target: {kind: Deployment, name: web}\n  patch: |-\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: renamed, namespace: x}\n    spec: {replicas: 2}\n`,
    files,
  ),
  oneFolder(
    'another name is taken',
    `${head}patches:\n- target: {kind: Deployment, name: web}\n  options: {allowNameChange: true}\n  patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: renamed}\n    spec: {replicas: 2}\n`,
    files,
  ),
  oneFolder(
    'another kind is taken',
    `${head}patches:\n- target: {kind: Deployment, name: web}\n  options: {allowKindChange: true}\n  patch: |-\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: renamed}\n    spec: {replicas: 2}\n`,
    files,
  ),
  oneFolder(
    'a target with several patches',
    `${head}patches:\n- target: {kind: Deployment}\n  path: p.yaml\n`,
    {
      ...files,
      'p.yaml': documents(configMap('a'), configMap('b')),
    },
  ),
  oneFolder(
    'nulls for labels of what is selected',
    `${head}patches:\n- target: {kind: Deployment, name: web}\n  patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: x\n      labels: {tier: null}\n      annotations: {note: }\n`,
    files,
  ),
  {
    name: 'patches behind a prefix go by the first name',
    folder: 'top',
    files: {
      'base/kustomization.yaml': 'resources: [rich.yaml]\nnamePrefix: b-\n',
      'base/rich.yaml': rich,
      'top/kustomization.yaml':
        'resources: [../base]\nnamePrefix: t-\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {replicas: 8}\n- target: {name: b-web}\n  patch: |-\n    - {op: add, path: /spec/x, value: 1}\n',
    },
  },
];

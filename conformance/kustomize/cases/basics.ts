/** Resources, names, namespaces, labels, images and replicas. */
import { type Case, oneFolder } from './case.ts';
import { configMap, deployment, documents, service } from './objects.ts';

const web = { 'web.yaml': documents(deployment('web'), service('web'), configMap('settings')) };
const base = { 'base/kustomization.yaml': 'resources: [web.yaml]\n', 'base/web.yaml': web['web.yaml'] };

const everyKind = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
imagePullSecrets: [{name: pull}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules:
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [settings, other]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: ServiceAccount, name: runner}
- {kind: ServiceAccount, name: default, namespace: elsewhere}
- {kind: User, name: jane}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects:
- {kind: ServiceAccount, name: runner, namespace: default}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: "1"}
---
apiVersion: v1
kind: Secret
metadata: {name: pull}
type: Opaque
stringData: {password: x}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec: {storageClassName: fast, azureFile: {secretName: pull}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: fast, volumeName: disk}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: x
parameters: {secretName: pull}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: web
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      serviceAccountName: runner
      priorityClassName: high
      imagePullSecrets: [{name: pull}]
      initContainers:
      - name: init
        image: busybox
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: pull}}]
      containers:
      - name: db
        image: registry:5000/db@sha256:aaaa
        env:
        - {name: A, valueFrom: {configMapKeyRef: {name: settings, key: a}}}
        - {name: B, valueFrom: {secretKeyRef: {name: pull, key: password}}}
        - {name: C, valueFrom: {configMapKeyRef: {name: absent, key: a}}}
      volumes:
      - {name: a, configMap: {name: settings}}
      - {name: b, secret: {secretName: pull}}
      - {name: c, persistentVolumeClaim: {claimName: data}}
      - name: d
        projected:
          sources: [{configMap: {name: settings}}, {secret: {name: pull}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: fast}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          serviceAccountName: runner
          restartPolicy: Never
          containers:
          - name: c
            image: busybox:1
            envFrom: [{configMapRef: {name: settings}}]
          volumes: [{name: c, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  annotations: {nginx.ingress.kubernetes.io/auth-secret: pull}
spec:
  ingressClassName: outer
  defaultBackend: {service: {name: web, port: {number: 80}}}
  tls: [{hosts: [a.b], secretName: pull}]
  rules:
  - http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: outer}
spec: {controller: x/y}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: db}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}, minReplicas: 1, maxReplicas: 3}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks:
- name: a.b.c
  clientConfig: {service: {name: web, namespace: default, path: /x}}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.a.b}
spec: {service: {name: web, namespace: default}, group: a.b, version: v1}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db}
spec: {selector: {matchLabels: {app: db}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]
  egress: [{to: [{podSelector: {matchLabels: {app: web}}}, {namespaceSelector: {}}]}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.a.b}
spec:
  group: a.b
  conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: web, namespace: default}}}}
---
apiVersion: a.b/v1
kind: Thing
metadata: {name: thing}
spec: {containers: [{image: nginx}], template: {spec: {containers: [{image: busybox}]}}}
`;

export const basics: readonly Case[] = [
  oneFolder('a file', 'resources:\n- web.yaml\n', web),
  { name: 'a base', files: { ...base, 'app/kustomization.yaml': 'resources: [../base]\n' }, folder: 'app' },
  {
    name: 'three layers of prefixes',
    folder: 'top',
    files: {
      ...base,
      'middle/kustomization.yaml': 'resources: [../base]\nnamePrefix: m-\nnameSuffix: -x\n',
      'top/kustomization.yaml': 'resources: [../middle]\nnamePrefix: t-\nnamespace: shop\n',
    },
  },
  {
    name: 'the same base twice',
    folder: 'top',
    files: {
      ...base,
      'a/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
      'b/kustomization.yaml': 'resources: [../base]\nnamePrefix: b-\n',
      'top/kustomization.yaml': 'resources: [../a, ../b]\nnamespace: both\n',
    },
  },
  oneFolder('every kind: prefix and suffix', 'resources: [all.yaml]\nnamePrefix: p-\nnameSuffix: -s\n', {
    'all.yaml': everyKind,
  }),
  oneFolder('every kind: namespace', 'resources: [all.yaml]\nnamespace: moved\n', { 'all.yaml': everyKind }),
  oneFolder('every kind: both', 'resources: [all.yaml]\nnamespace: moved\nnamePrefix: p-\n', {
    'all.yaml': everyKind,
  }),
  oneFolder(
    'every kind: common labels and annotations',
    'resources: [all.yaml]\ncommonLabels: {team: blue, app: mine}\ncommonAnnotations: {note: "1", "a.b/c": x}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'every kind: labels without selectors',
    'resources: [all.yaml]\nlabels:\n- pairs: {team: blue}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'every kind: labels in templates',
    'resources: [all.yaml]\nlabels:\n- pairs: {team: blue}\n  includeTemplates: true\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'every kind: labels in selectors',
    'resources: [all.yaml]\nlabels:\n- pairs: {team: blue}\n  includeSelectors: true\n- pairs: {more: "2"}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'labels at fields of their own',
    'resources: [all.yaml]\nlabels:\n- pairs: {team: blue}\n  fields:\n  - {path: spec/labels, kind: Thing, create: true}\n  - {path: spec/x/y, group: a.b, create: false}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'every kind: images',
    'resources: [all.yaml]\nimages:\n- {name: busybox, newTag: "1.36"}\n- {name: "registry:5000/db", newName: other/db, digest: "sha256:bbbb"}\n- {name: nginx, newName: my/nginx}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder(
    'images by tag suffix, and a pattern',
    'resources: [web.yaml]\nimages:\n- {name: "ngin.", tagSuffix: -slim}\n',
    web,
  ),
  oneFolder(
    'an image with a tag that looks like a number',
    'resources: [web.yaml]\nimages:\n- {name: nginx, newTag: "1"}\n',
    web,
  ),
  oneFolder('replicas', 'resources: [web.yaml]\nreplicas:\n- {name: web, count: 5}\n', web),
  oneFolder('replicas of none', 'resources: [web.yaml]\nreplicas:\n- {name: other, count: 5}\n', web),
  oneFolder('the order of coming', 'resources: [all.yaml]\nsortOptions: {order: fifo}\n', {
    'all.yaml': everyKind,
  }),
  oneFolder(
    'an order of its own',
    'resources: [all.yaml]\nsortOptions: {order: legacy, legacySortOptions: {orderFirst: [Secret, Service], orderLast: [Namespace]}}\n',
    { 'all.yaml': everyKind },
  ),
  oneFolder('another order', 'resources: [all.yaml]\nsortOptions: {order: random}\n', {
    'all.yaml': everyKind,
  }),
  oneFolder('lists', 'resources: [list.yaml]\n', {
    'list.yaml': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n- apiVersion: v1\n  kind: ConfigMapList\n  items:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: b}\n`,
  }),
  oneFolder('local configuration', 'resources: [a.yaml]\n', {
    'a.yaml': documents(
      configMap('kept'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gone\n  annotations:\n    config.kubernetes.io/local-config: "true"\n',
    ),
  }),
  oneFolder('bases', 'bases: [base]\nnamePrefix: p-\n', base),
  oneFolder('empty documents and comments', 'resources: [a.yaml]\n', {
    'a.yaml': `# first\n---\n---\n# only\n---\n${configMap('a')}---\n\n---\n${configMap('b')}...\n`,
  }),
  oneFolder('anchors and merged keys', 'resources: [a.yaml]\n', {
    'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &x {p: q, r: s}\ny: *x\nz:\n  <<: *x\n  r: t\n`,
  }),
];

/** What the repository of the test holds, and what Flux is told to make of it. */
import { testImage } from '../../../e2e/image.ts';

const labels = { app: 'web' };
const probe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 1, timeoutSeconds: 10 };

/** Two servers that answer with what stands in a ConfigMap. */
export const deployment = (image = testImage, replicas: unknown = 2) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: {
    ...{ replicas, selector: { matchLabels: labels }, progressDeadlineSeconds: 10 },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            ...{ name: 'main', image, imagePullPolicy: 'Never', readinessProbe: probe },
            command: ['httpd', '-f', '-p', '8080', '-h', '/srv'],
            volumeMounts: [{ name: 'content', mountPath: '/srv' }],
          },
        ],
        volumes: [{ name: 'content', configMap: { name: 'content' } }],
      },
    },
  },
});

const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
};

const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'notes.flux.wherry.dev' },
  spec: {
    ...{ group: 'flux.wherry.dev', scope: 'Namespaced', names: { kind: 'Note', plural: 'notes' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

const note = {
  ...{ apiVersion: 'flux.wherry.dev/v1', kind: 'Note', metadata: { name: 'first' } },
  spec: { text: 'of a kind that comes with it' },
};

export const resources = [
  'namespace.json',
  'definition.json',
  'note.json',
  'deployment.json',
  'service.json',
];

/** How the files are put together: names with hashes, a namespace, labels. */
export const kustomization = (greeting: string, files: string[] = resources) => ({
  ...{ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', namespace: 'shop' },
  resources: files,
  configMapGenerator: [{ name: 'content', literals: [`index.html=${greeting}`] }],
});

export const repository = {
  'app/kustomization.yaml': kustomization('hello'),
  'app/namespace.json': { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  'app/definition.json': definition,
  'app/note.json': note,
  'app/deployment.json': deployment(),
  'app/service.json': service,
};

const inNamespace = (name: string) => ({ name, namespace: 'flux-system' });
const sourceRef = { kind: 'GitRepository', name: 'fleet' };

/** Looked at once an hour, unless somebody asks. */
const interval = '1h';

export const source = (url: string) => ({
  ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', metadata: inNamespace('fleet') },
  spec: { url, interval, ref: { branch: 'main' } },
});

export const application = {
  ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: inNamespace('app') },
  spec: { ...{ interval, sourceRef, path: './app', prune: true, wait: true }, timeout: '40s' },
};

/** A chart of the same repository. */
export const release = {
  ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: inNamespace('web') },
  spec: {
    ...{ interval, targetNamespace: 'charts', timeout: '60s' },
    install: { createNamespace: true },
    upgrade: { remediation: { retries: 1, remediateLastFailure: true } },
    test: { enable: true },
    driftDetection: { mode: 'enabled' },
    chart: { spec: { chart: './web', sourceRef, interval, reconcileStrategy: 'Revision' } },
    values: { image: testImage, replicas: 1, autoscaling: { enabled: false } },
  },
};

/** Which Go packages the schema is read from, and how to get at their files. Facts only: no prose is kept. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One Go package of API types. */
export interface SourcePackage {
  /** The short key used in the schema: `core/v1`. */
  id: string;
  /** API group as clients write it; empty for the core group. */
  group: string;
  version: string;
  /** Prefix of its definitions in OpenAPI documents. */
  openApiPrefix: string;
  module: string;
  folder: string;
}

const apiGroups: [folder: string, group: string][] = [
  ['core', ''],
  ['apps', 'apps'],
  ['batch', 'batch'],
  ['rbac', 'rbac.authorization.k8s.io'],
  ['coordination', 'coordination.k8s.io'],
  ['authentication', 'authentication.k8s.io'],
  ['authorization', 'authorization.k8s.io'],
  ['policy', 'policy'],
  ['storage', 'storage.k8s.io'],
  ['node', 'node.k8s.io'],
  ['scheduling', 'scheduling.k8s.io'],
  ['networking', 'networking.k8s.io'],
  ['certificates', 'certificates.k8s.io'],
  ['discovery', 'discovery.k8s.io'],
  ['events', 'events.k8s.io'],
  ['admissionregistration', 'admissionregistration.k8s.io'],
  ['admission', 'admission.k8s.io'],
  ['flowcontrol', 'flowcontrol.apiserver.k8s.io'],
  ['resource', 'resource.k8s.io'],
  ['autoscaling', 'autoscaling'],
];

const fromApi = (folder: string, group: string, version: string): SourcePackage => ({
  id: `${folder}/${version}`,
  group,
  version,
  openApiPrefix: `io.k8s.api.${folder}.${version}.`,
  module: 'k8s.io/api',
  folder: `${folder}/${version}`,
});

/** In the order in which a name that several packages use is given away: the first keeps it bare. */
export const packages: SourcePackage[] = [
  {
    id: 'meta/v1',
    group: 'meta.k8s.io',
    version: 'v1',
    openApiPrefix: 'io.k8s.apimachinery.pkg.apis.meta.v1.',
    module: 'k8s.io/apimachinery',
    folder: 'pkg/apis/meta/v1',
  },
  ...apiGroups.map(([folder, group]) => fromApi(folder, group, folder === 'autoscaling' ? 'v2' : 'v1')),
  fromApi('autoscaling', 'autoscaling', 'v1'),
  {
    id: 'apiregistration/v1',
    group: 'apiregistration.k8s.io',
    version: 'v1',
    openApiPrefix: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.',
    module: 'k8s.io/kube-aggregator',
    folder: 'pkg/apis/apiregistration/v1',
  },
  {
    id: 'apiextensions/v1',
    group: 'apiextensions.k8s.io',
    version: 'v1',
    openApiPrefix: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.',
    module: 'k8s.io/apiextensions-apiserver',
    folder: 'pkg/apis/apiextensions/v1',
  },
  {
    id: 'metrics/v1beta1',
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    openApiPrefix: 'io.k8s.metrics.pkg.apis.metrics.v1beta1.',
    module: 'k8s.io/metrics',
    folder: 'pkg/apis/metrics/v1beta1',
  },
];

/** Downloads a module through the Go proxy (into Go's own cache) and returns its folder. Needs Go. */
export function downloadModule(name: string, version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubeapi-schema-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module schema\n');
    const answer = execFileSync('go', ['mod', 'download', '-json', `${name}@${version}`], { cwd: folder });
    const module: { Dir: string } = JSON.parse(answer.toString());
    return module.Dir;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of the package's hand-written Go files. */
export function readGoFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.go') && !/_test\.go$|^zz_|^generated\.|_generated\.go$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

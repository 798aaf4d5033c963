import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority, writeFiles } from '../../apiserver/test/pki.ts';
import { type Seen, TestExtension } from '../../apiserver/test/test-extension.ts';
import { eventually } from './cluster.ts';
import { WorkloadCluster } from './workload-cluster.ts';

/** A value of a metric: of which object it is, and how much. */
export type Value = [name: string, value: string];

/** Every group version that such a server may have. */
const groupVersions = [
  ['custom.metrics.k8s.io', 'v1beta2'],
  ['custom.metrics.k8s.io', 'v1beta1'],
  ['external.metrics.k8s.io', 'v1beta1'],
] as const;

/** A workload cluster beside a real extension server of metrics, which its API server asks as a front proxy. */
export class MetricsExtension {
  readonly there: WorkloadCluster;
  readonly #extension: TestExtension;
  readonly #folder: string;
  /** What each metric is now, by name; one that is not there is answered with 404. */
  readonly metrics = new Map<string, readonly Value[]>();

  private constructor(there: WorkloadCluster, extension: TestExtension, folder: string) {
    this.there = there;
    this.#extension = extension;
    this.#folder = folder;
    extension.answer = (seen, response) => this.#answer(seen, response);
  }

  static async start(): Promise<MetricsExtension> {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-metrics-'));
    const authority = await TestAuthority.create('front-proxy-ca');
    const { cert, key } = await authority.issue({ name: 'front-proxy-client' });
    const files = writeFiles(folder, { 'proxy.crt': cert, 'proxy.key': key, 'proxy-ca.crt': authority.cert });
    const there = await WorkloadCluster.start({
      proxyClientCertFile: files['proxy.crt'],
      proxyClientKeyFile: files['proxy.key'],
      requestheaderClientCaFile: files['proxy-ca.crt'],
      requestheaderAllowedNames: ['front-proxy-client'],
    });
    const { server } = there.cluster;
    const serving = await server.authority.issue({ name: 'metrics', hosts: ['metrics.default.svc'] });
    const extension = await TestExtension.start(serving, authority.cert);
    const made = new MetricsExtension(there, extension, folder);
    const ports = [{ name: 'https', port: 443 }];
    await made.#post('/api/v1/namespaces/default/services', 'metrics', { spec: { ports } });
    const labels = { 'kubernetes.io/service-name': 'metrics' };
    await made.#post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', 'metrics-1', {
      ...{ metadata: { name: 'metrics-1', labels }, addressType: 'IPv4' },
      endpoints: [{ addresses: [extension.address] }],
      ports: [{ name: 'https', port: extension.port }],
    });
    return made;
  }

  async close(): Promise<void> {
    this.#extension.close();
    await this.there.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Puts an APIService before the extension server, and waits until the API server leads there. */
  async register(group: string, version: string): Promise<void> {
    const { server } = this.there.cluster;
    const services = '/apis/apiregistration.k8s.io/v1/apiservices';
    const name = `${version}.${group}`;
    await this.#post(services, name, {
      spec: {
        ...{ group, version, groupPriorityMinimum: 100 },
        versionPriority: version === 'v1beta2' ? 200 : 100,
        service: { namespace: 'default', name: 'metrics' },
        caBundle: Buffer.from(server.authority.cert).toString('base64'),
      },
    });
    await eventually(`${name} is available`, async () => {
      const { body } = await server.request('GET', `${services}/${name}`);
      return JSON.stringify(body.status ?? {}).includes('"Passed"');
    });
  }

  /** Where metrics of that name were asked for, with what query. */
  askedFor(metric: string): string[] {
    const asked = this.#extension.seen.filter(({ url }) =>
      new URL(url, 'http://a').pathname.endsWith(`/${metric}`),
    );
    return [...new Set(asked.map(({ url }) => url))];
  }

  /** The users for whom something was asked. */
  get users(): string[] {
    return [...new Set(this.#extension.seen.map(({ headers }) => String(headers['x-remote-user'])))];
  }

  async #post(path: string, name: string, body: object): Promise<void> {
    const { server } = this.there.cluster;
    const answer = await server.request('POST', path, { body: { metadata: { name }, ...body } });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  }

  #answer({ url }: Seen, response: ServerResponse): void {
    const [, , group = '', version = '', ...rest] = new URL(url, 'http://a').pathname.split('/');
    const answer = this.#answerTo(group, version, rest);
    response.writeHead(answer.code ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  #answerTo(group: string, version: string, rest: string[]): { code?: number; [field: string]: unknown } {
    const notFound = (message: string) => ({ kind: 'Status', code: 404, reason: 'NotFound', message });
    const isKnown = groupVersions.some((known) => known[0] === group && known[1] === version);
    if (!isKnown) return notFound('no such path');
    const groupVersion = `${group}/${version}`;
    if (rest.length === 0) {
      const kind = 'MetricValueList';
      const resource = { name: 'pods/hits', singularName: '', namespaced: true, kind, verbs: ['get'] };
      return { kind: 'APIResourceList', groupVersion, resources: [resource] };
    }
    const metric = rest.at(-1) ?? '';
    const values = this.metrics.get(metric);
    if (!values) return notFound(`nobody measures ${metric}`);
    const isExternal = group.startsWith('external');
    const timestamp = new Date().toISOString();
    const items = values.map(([name, value]) =>
      isExternal
        ? { metricName: metric, metricLabels: {}, timestamp, value }
        : { describedObject: { kind: 'Pod', name }, metric: { name: metric }, timestamp, value },
    );
    const kind = isExternal ? 'ExternalMetricValueList' : 'MetricValueList';
    return { kind, apiVersion: groupVersion, metadata: {}, items };
  }
}

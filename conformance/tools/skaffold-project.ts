/** A project that skaffold develops: one image that is in a registry already, a Service, and a page that is synchronised. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardedRegistry } from '../../e2e/guarded-registry.ts';

/** Who may pull. */
export const login = { username: 'judge', password: 'a-secret' };

/** What serves the page, and says a word each second. */
const serve = (word: string) =>
  `mkdir -p /www; while :; do echo ${word}; sleep 1; done & exec httpd -f -p 8080 -h /www`;

/** A skaffold project in a folder of its own. */
export class SkaffoldProject {
  readonly #folder: string;
  readonly #image: string;
  readonly #registry: string;

  /** Writes the project, and a login of Docker's for its registry, into `folder`. */
  constructor(folder: string, { address }: GuardedRegistry, port: number) {
    this.#folder = folder;
    this.#registry = address;
    this.#image = `${address}/team/app`;
    for (const path of ['page', '.docker']) mkdirSync(join(folder, path));
    this.#write('.docker/config.json', { auths: { [address]: this.#auth } });
    const sync = { manual: [{ src: 'page/*', dest: '/www', strip: 'page/' }] };
    // The image is there: what would build and push it has nothing to do.
    const custom = { buildCommand: 'true', dependencies: { paths: ['page/**'] } };
    this.#write('skaffold.yaml', {
      ...{ apiVersion: 'skaffold/v4beta13', kind: 'Config', metadata: { name: 'shop' } },
      build: {
        ...{ tagPolicy: { envTemplate: { template: 'v1' } }, local: { push: true } },
        artifacts: [{ image: this.#image, custom, sync }],
      },
      ...{ manifests: { rawYaml: ['objects.yaml'] }, deploy: { kubectl: {} } },
      portForward: [
        { resourceType: 'service', resourceName: 'web', namespace: 'default', port: 80, localPort: port },
      ],
    });
    this.page('first');
    this.says('one');
  }

  /** Changes the page. */
  page(text: string): void {
    writeFileSync(join(this.#folder, 'page/index.html'), text);
  }

  /** Changes what the pod says. */
  says(word: string): void {
    const labels = { app: 'web' };
    const container = { name: 'main', image: this.#image, command: ['sh', '-c', serve(word)] };
    const settings = { terminationGracePeriodSeconds: 0, imagePullSecrets: [{ name: 'pull' }] };
    const document = JSON.stringify({ auths: { [this.#registry]: this.#auth } });
    const items = [
      {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull' } },
        ...{ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': document } },
      },
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
        spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
      },
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { ...settings, containers: [container] } },
        },
      },
    ];
    this.#write('objects.yaml', { apiVersion: 'v1', kind: 'List', items });
  }

  get #auth() {
    return { ...login, auth: Buffer.from(`${login.username}:${login.password}`).toString('base64') };
  }

  #write(path: string, value: object): void {
    writeFileSync(join(this.#folder, path), JSON.stringify(value));
  }
}

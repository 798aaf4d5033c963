/** Traefik in a pod of a node of `wherry up` acts on ingresses. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { json, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../e2e/node.ts';
import { TestAuthority, writeFiles } from '../../packages/apiserver/test/pki.ts';
import { TraefikNode, traefikImage } from './traefik-node.ts';

const echoImage = 'docker.io/library/echo:1';
let node: TraefikNode;

/** What the echo server says of a request that reached it. */
interface Echo {
  pod: string;
  path: string;
  host: string;
  headers: Record<string, string[]>;
}

interface Asked {
  host: string;
  path?: string;
  /** By TLS, whose server has to show a certificate of this authority. */
  authority?: string;
}

/** What Traefik answers to who asks from another machine by a connection of its own. */
async function ask({ host, path = '/', authority }: Asked): Promise<{ status: number; echo?: Echo }> {
  const options = { host: node.address, path, headers: { host }, agent: false as const, timeout: 10_000 };
  return new Promise((resolve, reject) => {
    const asking = authority
      ? getSecurely({ ...options, port: 443, servername: host, ca: authority })
      : get({ ...options, port: 80 });
    asking.once('error', reject);
    asking.once('timeout', () => asking.destroy(new Error('no answer within 10 s')));
    asking.once('response', async (response) => {
      const status = response.statusCode ?? 0;
      try {
        if (status === 200) resolve({ status, echo: (await json(response)) as Echo });
        else resolve({ status, ...((await text(response)) && {}) });
      } catch (error) {
        reject(error);
      }
    });
  });
}

const podOf = ({ echo }: { echo?: Echo }) => echo?.pod.replace(/-.*/, '');

/** A deployment of the echo server that answers for a while after it was told to go, and its service. */
function echoServer(name: string, replicas: number): object[] {
  const labels = { app: name };
  const field = (path: string) => ({ valueFrom: { fieldRef: { fieldPath: path } } });
  const container = {
    ...{ name: 'echo', image: echoImage, imagePullPolicy: 'Never' },
    env: [
      { name: 'POD_NAME', ...field('metadata.name') },
      { name: 'NAMESPACE', ...field('metadata.namespace') },
    ],
    ports: [{ name: 'http', containerPort: 3000 }],
    readinessProbe: { httpGet: { path: '/health', port: 'http' }, periodSeconds: 1 },
    lifecycle: { preStop: { sleep: { seconds: 3 } } },
  };
  return [
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
      spec: {
        ...{ replicas, selector: { matchLabels: labels } },
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ];
}

const metadata = { name: 'traefik' };
const groups = { core: '', slices: 'discovery.k8s.io', networking: 'networking.k8s.io' };

/** Traefik behind a service of type LoadBalancer, with an account that may see what it has to. */
function traefik(): object[] {
  const watch = ['get', 'list', 'watch'];
  const rule = (apiGroup: string, resources: string[], verbs = watch) => ({
    ...{ apiGroups: [apiGroup], resources, verbs },
  });
  const labels = { app: 'traefik' };
  const ports = { web: 80, websecure: 443 };
  const container = {
    ...{ name: 'traefik', image: traefikImage, imagePullPolicy: 'Never' },
    args: [
      ...['--ping', '--entrypoints.web.address=:80', '--entrypoints.websecure.address=:443'],
      '--entrypoints.websecure.http.tls=true',
      '--entrypoints.web.transport.lifecycle.requestacceptgracetimeout=5',
      ...['--providers.kubernetesingress', '--providers.kubernetesingress.ingressclass=traefik'],
      '--providers.kubernetesingress.ingressendpoint.publishedservice=default/traefik',
    ],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    readinessProbe: { httpGet: { path: '/ping', port: 8080 }, periodSeconds: 1 },
    lifecycle: { preStop: { sleep: { seconds: 3 } } },
  };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata },
      rules: [
        rule(groups.core, ['services', 'secrets', 'nodes', 'configmaps']),
        rule(groups.slices, ['endpointslices']),
        rule(groups.networking, ['ingresses', 'ingressclasses']),
        rule(groups.networking, ['ingresses/status'], ['update']),
      ],
    },
    {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'traefik' },
      subjects: [{ kind: 'ServiceAccount', name: 'traefik', namespace: 'default' }],
    },
    {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' },
      metadata: { ...metadata, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'traefik.io/ingress-controller' },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
      spec: {
        selector: { matchLabels: labels },
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        template: {
          metadata: { labels },
          spec: { serviceAccountName: 'traefik', containers: [container] },
        },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata },
      spec: {
        ...{ type: 'LoadBalancer', selector: labels },
        ports: Object.entries(ports).map(([name, port]) => ({ name, port, targetPort: name })),
      },
    },
  ];
}

/** Asks again and again, four at a time, while something is done; answers what was not answered well. */
async function askWhile(work: () => Promise<unknown>, asked: Asked) {
  const failures: string[] = [];
  const pods = new Set<string>();
  let count = 0;
  let isOver = false;
  const ask1 = async () => {
    while (!isOver) {
      count++;
      const { status, echo } = await ask(asked).catch((error: Error) => ({
        status: String(error),
        echo: undefined,
      }));
      if (status !== 200) failures.push(`${count}: ${status}`);
      if (echo) pods.add(echo.pod);
      await delay(5);
    }
  };
  const asking = Promise.all([1, 2, 3, 4].map(ask1));
  await work().finally(() => {
    isOver = true;
  });
  await asking;
  return { failures, pods, count };
}

before(async () => {
  node = await TraefikNode.start([echoImage]);
  await node.apply(...traefik(), ...echoServer('web', 2), ...echoServer('api', 1));
  for (const name of ['traefik', 'web', 'api'])
    await node.kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=60s'], { timeoutMs: 70_000 });
});
after(() => node?.remove());

test('its service has the address of the machine', async () => {
  const template = 'jsonpath={.status.loadBalancer.ingress[0].ip}';
  const address = () => node.kubectl(['get', 'service', 'traefik', '-o', template]);
  await eventually('the address', async () => (await address()) === node.address);
});

test('kubectl create ingress gives rules by host and path, which lead requests to pods', async () => {
  const rules = ['shop.local/api*=api:80', 'shop.local/*=web:80', 'exact.local/only=api:80'];
  const words = ['create', 'ingress', 'shop', '--class=traefik', ...rules.map((rule) => `--rule=${rule}`)];
  await node.kubectl(words);
  await eventually('the rules', async () => (await ask({ host: 'shop.local' })).status === 200);
  assert.equal(podOf(await ask({ host: 'shop.local', path: '/any' })), 'web');
  assert.equal(podOf(await ask({ host: 'shop.local', path: '/api/orders?x=1' })), 'api');
  assert.equal(podOf(await ask({ host: 'exact.local', path: '/only' })), 'api');
  assert.equal((await ask({ host: 'exact.local', path: '/only/that' })).status, 404);
  assert.equal((await ask({ host: 'other.local' })).status, 404);
});

test('pods are told who asks, through service and ingress', async () => {
  const { echo } = await ask({ host: 'shop.local' });
  assert.deepEqual(echo?.headers['X-Forwarded-For'], [node.clientAddress]);
});

test("the ingress' status gets the address, and kubectl shows it", async () => {
  const shown = () => node.kubectl(['get', 'ingress', 'shop', '--no-headers']);
  await eventually('the address', async () => (await shown()).includes(node.address));
  assert.match(
    await shown(),
    new RegExp(`^shop +traefik +shop\\.local,exact\\.local +${node.address} +80 +\\S+\n$`),
  );
  assert.match(
    await node.kubectl(['describe', 'ingress', 'shop']),
    /shop\.local *\n +\/api +api:80 \([\d.]+:3000\)\n +\/ +web:80 \([\d.]+:3000,[\d.]+:3000\)/,
  );
});

test('one without a class gets the default one, and TLS by a secret', async () => {
  const authority = await TestAuthority.create('shops');
  const { cert, key } = await authority.issue({ name: 'secure.local', hosts: ['secure.local'] });
  const files = writeFiles(node.machine.folder, { 'tls.crt': cert, 'tls.key': key });
  const secret = [
    'create',
    'secret',
    'tls',
    'secure',
    `--cert=${files['tls.crt']}`,
    `--key=${files['tls.key']}`,
  ];
  await node.kubectl(secret);
  await node.kubectl(['create', 'ingress', 'secure', '--rule=secure.local/*=web:http,tls=secure']);
  const template = 'jsonpath={.spec.ingressClassName}';
  assert.equal(await node.kubectl(['get', 'ingress', 'secure', '-o', template]), 'traefik');
  const asked = { host: 'secure.local', authority: authority.cert };
  const answer = () => ask(asked).catch(() => ({ status: 0 }));
  await eventually('the certificate', async () => (await answer()).status === 200);
  assert.deepEqual((await ask(asked)).echo?.headers['X-Forwarded-Proto'], ['https']);
});

test('programs of the machine itself and pods reach it by the same address', async () => {
  const words = ['-s', '-H', 'Host: shop.local', `http://${node.address}/api`];
  assert.match(await node.machine.runOk(['curl', ...words]), /"pod": "api-/);
  const script = `wget -q -O - --header 'Host: shop.local' http://${node.address}/api`;
  const run = [
    'run',
    'asks',
    '--rm',
    '-i',
    '--image=wherry-test',
    '--image-pull-policy=Never',
    '--restart=Never',
  ];
  const said = await node.kubectl([...run, '--quiet', '--', 'sh', '-c', script]);
  assert.match(said, /"pod": "api-/);
});

test('a rolling update of what stands behind it loses no request', { timeout: 120_000 }, async () => {
  const { failures, pods, count } = await askWhile(
    async () => {
      for (let turn = 0; turn < 2; turn++) {
        await node.kubectl(['rollout', 'restart', 'deployment/web']);
        const words = ['rollout', 'status', 'deployment/web', '--timeout=50s'];
        await node.kubectl(words, { timeoutMs: 60_000 });
      }
      await delay(4_000);
    },
    { host: 'shop.local' },
  );
  assert.deepEqual(failures, []);
  assert.ok(pods.size >= 4, `${[...pods]}`);
  assert.ok(count > 100, `${count} requests`);
});

test('neither does one that goes by the address of the service, nor a rolling update of Traefik', {
  timeout: 120_000,
}, async () => {
  await node.kubectl(['annotate', 'service', 'web', 'traefik.ingress.kubernetes.io/service.nativelb=true']);
  await delay(2_000);
  const { failures, pods, count } = await askWhile(
    async () => {
      for (const name of ['web', 'traefik']) {
        await node.kubectl(['rollout', 'restart', `deployment/${name}`]);
        const words = ['rollout', 'status', `deployment/${name}`, '--timeout=50s'];
        await node.kubectl(words, { timeoutMs: 60_000 });
      }
      await delay(10_000);
    },
    { host: 'shop.local' },
  );
  assert.deepEqual(failures, []);
  assert.ok(pods.size >= 3, `${[...pods]}`);
  assert.ok(count > 100, `${count} requests`);
});

test('nothing is led to any more when pods or the ingress are gone', async () => {
  await node.kubectl(['scale', 'deployment/api', '--replicas=0']);
  await eventually('no server', async () => (await ask({ host: 'shop.local', path: '/api' })).status === 503);
  await node.kubectl(['delete', 'ingress', 'shop']);
  await eventually('no rule', async () => (await ask({ host: 'shop.local' })).status === 404);
});

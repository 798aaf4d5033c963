/** A node whose API server reaches it through Konnectivity alone, as kubectl sees it: every way of speaking to its server. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../e2e/free-port.ts';
import { eventually, podOf, scriptPod, TestNode, transports } from '../e2e/node.ts';
import { TestAuthority } from '../packages/apiserver/test/pki.ts';
import { TestExtension } from '../packages/apiserver/test/test-extension.ts';
import { TestWebhook } from '../packages/apiserver/test/test-webhook.ts';
import { Konnectivity, type KonnectivityMode } from './konnectivity/konnectivity.ts';

const modes: readonly KonnectivityMode[] = [
  'GRPC over a unix socket',
  'HTTPConnect over a unix socket',
  'HTTPConnect over TLS',
];
const copiedBytes = 8 << 20;
const folder = mkdtempSync(join(tmpdir(), 'wherry-konnectivity-'));
const egressFile = join(folder, 'egress.json');
const nodeFile = join(folder, 'node.json');
let node: TestNode;
let proxy: Konnectivity;
let webhook: TestWebhook;
let extension: TestExtension;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const raw = (path: string) => node.kubectl(['get', '--raw', path]);

before(async () => {
  proxy = await Konnectivity.prepare(join(folder, modes[0]!), modes[0]!);
  proxy.writeConfiguration(egressFile, ['cluster', 'controlplane']);
  const apiserverFlags = { 'egress-selector-config-file': egressFile };
  writeFileSync(nodeFile, JSON.stringify({ apiVersion: 'wherry/v1alpha1', kind: 'Node', apiserverFlags }));
  await proxy.start();
  node = await TestNode.start('konnectivity', ['--config', nodeFile]);
  const page = 'mkdir /www; echo page > /www/index.html; httpd -p 8080 -h /www';
  await node.apply(
    podOf('shell', { stdin: true, tty: true, command: ['sh'] }),
    scriptPod('ticker', `${page}; i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.2; done`),
  );
  await serveServices();
});
after(async () => {
  webhook?.close();
  extension?.close();
  await node?.remove();
  await proxy?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of a pod, an admission webhook and an extension server, each behind a service. */
async function serveServices(): Promise<void> {
  const authority = await TestAuthority.create('services');
  const serving = await authority.issue({ name: 'extension', hosts: ['extension.default.svc'] });
  extension = await TestExtension.start(
    serving,
    readFileSync(join(node.dataDir, 'pki', 'front-proxy-ca.crt'), 'utf8'),
  );
  webhook = await TestWebhook.start(authority, { hosts: ['hook.default.svc'], address: extension.address });
  const caBundle = Buffer.from(authority.cert).toString('base64');
  const behind = (name: string, port: number) => [
    { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 443 }] } },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      endpoints: [{ addresses: [extension.address] }],
      ports: [{ name: '', port, protocol: 'TCP' }],
    },
  ];
  await node.create(
    ...behind('hook', webhook.port),
    ...behind('extension', extension.port),
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'page' } },
      spec: { selector: { app: 'ticker' }, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      metadata: { name: 'hook' },
      webhooks: [
        {
          ...{ name: 'hook.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
          clientConfig: { service: { namespace: 'default', name: 'hook' }, caBundle },
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
        },
      ],
    },
    {
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
      metadata: { name: 'v1.ext.example.com' },
      spec: {
        ...{ group: 'ext.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 },
        ...{ service: { namespace: 'default', name: 'extension' }, caBundle },
      },
    },
  );
}

/** The API server begins anew, with another way to another proxy. */
async function speak(mode: KonnectivityMode): Promise<void> {
  if (proxy.mode === mode) return;
  await proxy.end();
  proxy = await Konnectivity.prepare(join(folder, mode), mode);
  proxy.writeConfiguration(egressFile, ['cluster', 'controlplane']);
  await proxy.start();
  process.kill(await node.pidOf('apiserver'));
  await eventually('the API server ends', async () => {
    const { processes } = await node.status();
    return processes.some(({ role, state }) => role === 'apiserver' && state === 'dead');
  });
  await node.up();
}

/** How many dials the API server has begun. */
async function dials(): Promise<number> {
  const page = (await raw('/metrics')).stdout;
  return Number(/^apiserver_egress_dialer_dial_start_total\{.*\} (\d+)$/m.exec(page)?.[1] ?? 0);
}

for (const mode of modes)
  describe(`a node behind Konnectivity, by ${mode}`, () => {
    before(() => speak(mode));

    for (const { name, env, skip } of transports) {
      it(`runs commands over ${name}, with their input, their terminals and their exit codes`, {
        skip,
      }, async () => {
        const begun = await dials();
        const failed = await node.kubectl(['exec', 'ticker', '--', 'sh', '-c', 'echo out; exit 7'], { env });
        assert.deepEqual([failed.code, failed.stdout], [7, 'out\n']);
        const typed = await node.inTerminal("kubectl exec -it shell -- sh -c 'stty size; exit 3'", { env });
        assert.equal(typed.code, 3);
        assert.match(typed.stdout, /24 80/);
        assert.ok((await dials()) > begun, 'through the proxy');
      });

      it(`attaches over ${name}`, { skip }, async () => {
        const attached = node.startInTerminal('kubectl attach -it shell', env);
        let screen = '';
        attached.stdout.on('data', (chunk: Buffer) => {
          screen += chunk;
        });
        try {
          await eventually('the invitation to type', () => /press(ing)? enter/.test(screen));
          attached.stdin.write('echo typed | tr a-z A-Z\n');
          await eventually('the answer', () => screen.includes('TYPED'));
        } finally {
          attached.kill();
        }
      });

      it(`copies ${copiedBytes >> 20} MiB both ways over ${name}`, { skip }, async () => {
        const bytes = randomBytes(copiedBytes);
        const [there, back] = [join(folder, 'there'), join(folder, 'back')];
        writeFileSync(there, bytes);
        await node.kubectlOk(['cp', there, 'ticker:/copied'], { env });
        await node.kubectlOk(['cp', 'ticker:/copied', back], { env });
        assert.equal(sha256(readFileSync(back)), sha256(bytes));
      });

      it(`forwards ports over ${name}`, { skip }, async () => {
        const port = await freePort();
        const forwarding = node.startKubectl(['port-forward', 'pod/ticker', `${port}:8080`], env);
        try {
          const page = await eventually('the page', () =>
            fetch(`http://127.0.0.1:${port}/`).then(
              (answer) => answer.text(),
              () => undefined,
            ),
          );
          assert.equal(page, 'page\n');
        } finally {
          forwarding.kill();
        }
      });
    }

    it('follows logs', async () => {
      const following = node.startKubectl(['logs', '-f', 'ticker']);
      let heard = '';
      following.stdout.on('data', (chunk: Buffer) => {
        heard += chunk;
      });
      const begun = await eventually('the first line', () => heard.length > 0 && heard.split('\n').length);
      await eventually('more lines', () => heard.split('\n').length > begun + 5);
      following.kill('SIGINT');
      const numbers = [...heard.matchAll(/tick (\d+)\n/g)].map((match) => Number(match[1]));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
    });

    it('answers through the proxies of services, pods and nodes', async () => {
      const inDefault = '/api/v1/namespaces/default';
      assert.equal((await raw(`${inDefault}/services/page/proxy/index.html`)).stdout, 'page\n');
      assert.equal((await raw(`${inDefault}/pods/ticker:8080/proxy/index.html`)).stdout, 'page\n');
      assert.equal((await raw(`/api/v1/nodes/${node.name}/proxy/healthz`)).stdout, 'ok');
    });

    it('has webhooks and extension servers behind services asked', async () => {
      const asked = webhook.asked.length;
      const config = `of-${modes.indexOf(mode)}`;
      await node.kubectlOk(['create', 'configmap', config]);
      assert.equal(webhook.asked.length, asked + 1);
      await eventually('the extension is available', async () => {
        return (await raw('/apis/ext.example.com/v1/things')).code === 0;
      });
    });

    it('says that its agent has gone, and goes on once there is another', async () => {
      const running = node.startKubectl(['exec', 'ticker', '--', 'sleep', '1000']);
      let said = '';
      running.stderr.on('data', (chunk: Buffer) => {
        said += chunk;
      });
      const ended = once(running, 'close');
      await eventually('the command runs', async () => {
        return (await node.kubectlOk(['exec', 'ticker', '--', 'ps'])).includes('sleep 1000');
      });
      await proxy.endAgent();
      const [code] = await ended;
      assert.notEqual(code, 0, said);
      const refused = await node.kubectl(['exec', 'ticker', '--', 'true']);
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /[Nn]o agent available|no backend|code 503|dialing backend/);
      await proxy.startAgent();
      await eventually('the node is reached again', async () => {
        return (await node.kubectl(['exec', 'ticker', '--', 'true'])).code === 0;
      });
    });

    it('says that the server has gone, and goes on once it is back', async () => {
      const running = node.startKubectl(['exec', 'ticker', '--', 'sleep', '2000']);
      const ended = once(running, 'close');
      await eventually('the command runs', async () => {
        return (await node.kubectlOk(['exec', 'ticker', '--', 'ps'])).includes('sleep 2000');
      });
      await proxy.end();
      const [code] = await ended;
      assert.notEqual(code, 0);
      const refused = await node.kubectl(['exec', 'ticker', '--', 'true']);
      assert.match(
        refused.stderr,
        /dial (unix|tcp) .*connect: (connection refused|no such file or directory)/,
      );
      await proxy.start();
      await eventually('the node is reached again', async () => {
        return (await node.kubectl(['exec', 'ticker', '--', 'true'])).code === 0;
      });
    });
  });

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';
import { PluginConfigurations } from '../plugin-configurations.ts';
import { readPodSecurity } from './configuration.ts';

const core = '/api/v1';
const merge = 'application/merge-patch+json';
const container = (securityContext: object = {}, more: object = {}) => ({
  ...{ name: 'main', image: 'busybox', securityContext },
  ...more,
});
const harmless = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const folder = mkdtempSync(join(tmpdir(), 'wherry-pod-security-'));
const configuration = join(folder, 'admission.yaml');
writeFileSync(
  configuration,
  `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    configuration:
      apiVersion: pod-security.admission.config.k8s.io/v1
      kind: PodSecurityConfiguration
      defaults: { enforce: baseline, enforce-version: latest }
      exemptions: { usernames: [trusted], namespaces: [free], runtimeClasses: [sandboxed] }
`,
);
after(() => rmSync(folder, { recursive: true }));

describe('pod security', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  let count = 0;
  async function namespaceWith(labels: Record<string, string>): Promise<string> {
    count += 1;
    const name = `ns-${count}`;
    const full = Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
    );
    const made = await server.request('POST', `${core}/namespaces`, {
      body: { metadata: { name, labels: full } },
    });
    assert.equal(made.status, 201, made.text);
    const path = `${core}/namespaces/${name}`;
    await server.request('POST', `${path}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
    return path;
  }
  const post = (namespace: string, name: string, spec: object) =>
    server.request('POST', `${namespace}/pods`, { body: { metadata: { name }, spec } });
  const warningsOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['warning'] ?? '');

  it('refuses a privileged pod where a namespace enforces more, and says every reason', async () => {
    const restricted = await namespaceWith({ enforce: 'restricted' });
    const spec = { hostNetwork: true, containers: [container({ privileged: true })] };
    const { status, body } = await post(restricted, 'bad', spec);
    assert.equal(status, 403);
    const name = restricted.split('/').at(-1);
    assert.equal(
      body.message,
      `pods "bad" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true), privileged (container "main" must not set securityContext.privileged=true), allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`,
      name,
    );
    assert.equal((await post(restricted, 'good', { containers: [container(harmless)] })).status, 201);
    const free = await namespaceWith({});
    assert.equal((await post(free, 'any', spec)).status, 201);
  });

  it('looks at init and ephemeral containers as at the others, and at what will be stored', async () => {
    const restricted = await namespaceWith({ enforce: 'restricted' });
    const init = { containers: [container(harmless)], initContainers: [container({}, { name: 'first' })] };
    assert.equal((await post(restricted, 'init', init)).status, 403);
    await post(restricted, 'target', { containers: [container(harmless)] });
    const debug = (securityContext: object, spec: object = {}) =>
      server.request('PATCH', `${restricted}/pods/target/ephemeralcontainers`, {
        type: merge,
        body: {
          spec: { ...spec, ephemeralContainers: [{ name: 'debug', image: 'busybox', securityContext }] },
        },
      });
    assert.equal((await debug({ privileged: true })).status, 403);
    const { runAsNonRoot: _, ...silent } = harmless;
    const pretended = await debug(silent, { securityContext: { runAsNonRoot: true } });
    assert.equal(pretended.status, 403, 'what the sub-resource does not change does not count');
    assert.match(pretended.body.message, /runAsNonRoot != true/);
    assert.equal((await debug(harmless)).status, 200);
  });

  it('warns, without refusing, where a namespace says so, and of what it enforces itself', async () => {
    const warned = await namespaceWith({ warn: 'baseline', 'warn-version': 'v1.24' });
    const answer = await post(warned, 'bad', { containers: [container({ privileged: true })] });
    assert.equal(answer.status, 201);
    assert.match(
      warningsOf(answer),
      /would violate PodSecurity \\"baseline:v1\.24\\": privileged \(container/,
    );
    const fine = await post(warned, 'good', { containers: [container()] });
    assert.equal(warningsOf(fine), '');
  });

  it('judges by the version that the label names', async () => {
    const spec = {
      containers: [container({}, { livenessProbe: { tcpSocket: { host: '10.0.0.1', port: 80 } } })],
    };
    assert.equal((await post(await namespaceWith({ enforce: 'baseline' }), 'p', spec)).status, 403);
    const older = await namespaceWith({ enforce: 'baseline', 'enforce-version': 'v1.33' });
    assert.equal((await post(older, 'p', spec)).status, 201);
  });

  it('refuses labels that can’t be read, and warns of pods that a new level would not let in', async () => {
    const labels = {
      'pod-security.kubernetes.io/enforce': 'strict',
      'pod-security.kubernetes.io/warn-version': '1.2',
    };
    const bad = await server.request('POST', `${core}/namespaces`, {
      body: { metadata: { name: 'bad', labels } },
    });
    assert.equal(bad.status, 422);
    assert.match(
      bad.body.message,
      /metadata\.labels\[pod-security\.kubernetes\.io\/enforce\]: Invalid value: "strict": must be one of privileged, baseline, restricted/,
    );
    assert.match(bad.body.message, /must be "latest" or "v1\.x"/);
    const namespace = await namespaceWith({});
    for (const name of ['b', 'a'])
      await post(namespace, name, { containers: [container({ privileged: true })] });
    await post(namespace, 'c', {
      containers: [container({}, { ports: [{ containerPort: 1, hostPort: 1 }] })],
    });
    const enforced = await server.request('PATCH', namespace, {
      type: merge,
      body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
    });
    assert.equal(enforced.status, 200);
    const text = warningsOf(enforced);
    assert.match(
      text,
      /existing pods in namespace \\"ns-\d+\\" violate the new PodSecurity enforce level \\"baseline:latest\\"/,
    );
    assert.match(text, /a \(and 1 other pod\): privileged/);
    assert.match(text, /c: hostPort/);
  });

  it('leaves a pod alone whose update changes nothing that matters', async () => {
    const namespace = await namespaceWith({});
    await post(namespace, 'old', { containers: [container({ privileged: true })] });
    const enforce = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } };
    await server.request('PATCH', namespace, { type: merge, body: enforce });
    const change = (body: object) =>
      server.request('PATCH', `${namespace}/pods/old`, {
        type: 'application/strategic-merge-patch+json',
        body,
      });
    assert.equal((await change({ metadata: { labels: { a: 'b' } } })).status, 200);
    assert.equal((await change({ spec: { containers: [{ name: 'main', image: 'other' }] } })).status, 403);
  });
});

describe('pod security by the administrator’s file', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ admissionControlConfigFile: configuration });
    for (const namespace of ['default', 'free']) {
      await server.request('POST', `${core}/namespaces`, { body: { metadata: { name: namespace } } });
      await server.request('POST', `${core}/namespaces/${namespace}/serviceaccounts`, {
        body: { metadata: { name: 'default' } },
      });
    }
  });
  after(() => server.close());

  it('has defaults, and lets users, namespaces and runtime classes through', async () => {
    const spec = { containers: [container({ privileged: true })] };
    const post = (
      namespace: string,
      name: string,
      more: object = {},
      as?: Awaited<ReturnType<typeof trusted>>,
    ) =>
      server.request('POST', `${core}/namespaces/${namespace}/pods`, {
        body: { metadata: { name }, spec: { ...spec, ...more } },
        ...(as ? { as } : {}),
      });
    const trusted = () => server.authority.issue({ name: 'trusted', groups: ['system:masters'] });
    const refused = await post('default', 'a');
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /violates PodSecurity "baseline:latest"/);
    assert.equal((await post('free', 'a')).status, 201);
    assert.equal((await post('default', 'b', {}, await trusted())).status, 201);
    await server.request('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
      body: { metadata: { name: 'sandboxed' }, handler: 'sandbox' },
    });
    assert.equal((await post('default', 'c', { runtimeClassName: 'sandboxed' })).status, 201);
    const labelled = await server.request('POST', `${core}/namespaces`, {
      body: { metadata: { name: 'other', labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
    });
    assert.equal(labelled.status, 201);
  });

  it('that says what is not known starts no server', () => {
    const path = join(folder, 'bad.yaml');
    const read = () => readPodSecurity(new PluginConfigurations(path).of('PodSecurity')!);
    const bad = (text: string) => {
      writeFileSync(path, text);
      assert.throws(read, /"[^"]*bad\.yaml"/, text);
    };
    const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n';
    const plugin = (rest: string) =>
      `${head}- name: PodSecurity\n  configuration: {kind: PodSecurityConfiguration, apiVersion: pod-security.admission.config.k8s.io/v1, ${rest}}\n`;
    bad('kind: Other\n');
    bad(plugin('defaults: {enforce: strict}'));
    bad(plugin('defaults: {enforces: baseline}'));
    bad(plugin('exemptions: {users: [a]}'));
    bad(plugin('more: 1'));
    writeFileSync(path, plugin('defaults: {audit: restricted, audit-version: v1.30}'));
    const { defaults } = read();
    assert.deepEqual(defaults.audit, { level: 'restricted', minor: 30 });
    assert.equal(defaults.warn.level, 'privileged');
  });
});

/** Holes that API servers had, tried on a running node. docs/SECURITY.md says what each of them was. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, podOf, TestNode } from '../node.ts';
import { stretched } from '../slowness.ts';
import { type AskOptions, ask, certificateOf, type Identity } from './ask.ts';

const rbac = 'rbac.authorization.k8s.io';
const inDefault = '/api/v1/namespaces/default';

describe('an API server of wherry up', { timeout: stretched(300_000) }, () => {
  let node: TestNode;
  let api: string;
  let admin: Identity;
  before(async () => {
    node = await TestNode.start('api-holes');
    api = (await node.status()).endpoints.api;
    admin = certificateOf(node, 'admin');
  });
  after(() => node?.remove());

  const asAdmin = (path: string, options: AskOptions = {}) => ask(api, path, { ...options, as: admin });
  const post = (path: string, body: object) => asAdmin(path, { method: 'POST', body: JSON.stringify(body) });

  /** A service account of the namespace `default`, with these rights in it. */
  async function accountWith(name: string, rules: object[]): Promise<Identity> {
    const roleRef = { apiGroup: rbac, kind: 'Role', name };
    const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
    await node.apply(
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
      { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name }, rules },
      { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name }, roleRef, subjects },
    );
    return { token: await node.createToken(name) };
  }

  it('CVE-2019-11247: shows no object of the cluster under the path of a namespace', async () => {
    const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const tenant = await accountWith('tenant', all);
    assert.equal((await ask(api, `${inDefault}/configmaps`, { as: tenant })).statusCode, 200);
    for (const path of [
      `${inDefault}/nodes`,
      `${inDefault}/nodes/${node.name}/proxy/pods`,
      `${inDefault}/namespaces/kube-system`,
      `/apis/${rbac}/v1/namespaces/default/clusterroles`,
      `/apis/${rbac}/v1/namespaces/default/clusterrolebindings/cluster-admin`,
      '/apis/apiextensions.k8s.io/v1/namespaces/default/customresourcedefinitions',
    ]) {
      for (const as of [tenant, admin]) assert.equal((await ask(api, path, { as })).statusCode, 404, path);
    }
  });

  it('CVE-2019-11253: refuses a document whose aliases explode, and serves others meanwhile', async () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let depth = 1; depth < 10; depth++) {
      const [before, now] = [depth - 1, depth].map((index) => String.fromCharCode(97 + index));
      lines.push(`${now}: &${now} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\n';
    const body = `${head}data:\n${lines.map((line) => `  ${line}\n`).join('')}`;
    const bombs = Array.from({ length: 8 }, () =>
      asAdmin(`${inDefault}/configmaps`, { method: 'POST', contentType: 'application/yaml', body }),
    );
    assert.equal((await asAdmin(`${inDefault}/configmaps`)).statusCode, 200);
    for (const { statusCode, text } of await Promise.all(bombs)) assert.equal(statusCode, 400, text);
  });

  it('CVE-2019-11254: refuses YAML that costs more to read than it may, without reading it', async () => {
    const documents: [statusCode: number, body: string][] = [
      [413, '\n'.repeat(2 ** 20 + 1)],
      [413, `a: [${'b,'.repeat(60_000)}]`],
      [400, `a: ${'['.repeat(10_000)}`],
    ];
    for (const [statusCode, body] of documents) {
      const options = { method: 'POST', contentType: 'application/yaml', body };
      const reply = await asAdmin(`${inDefault}/configmaps`, options);
      assert.equal(reply.statusCode, statusCode, reply.text);
    }
  });

  it('CVE-2020-8554: sends no traffic elsewhere on the word of a service', async () => {
    const serve = {
      command: ['sh', '-c', 'mkdir /w; echo honest > /w/index.html; exec httpd -f -p 80 -h /w'],
    };
    await node.apply(podOf('honest', serve), podOf('visitor'), podOf('interceptor'));
    const address = await node.kubectlOk(['get', 'pod', 'honest', '-o', 'jsonpath={.status.podIP}']);
    const spec = { selector: { app: 'interceptor' }, ports: [{ port: 80 }], externalIPs: [address] };
    await node.apply({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'greedy' }, spec });
    const status = { loadBalancer: { ingress: [{ ip: address }] } };
    await asAdmin(`${inDefault}/services/greedy/status`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ status }),
    });
    const words = ['exec', 'visitor', '--', 'wget', '-qO-', `http://${address}/`];
    const answer = await eventually('the honest pod answers', async () => {
      const { code, stdout } = await node.kubectl(words);
      return code === 0 && stdout;
    });
    assert.equal(answer, 'honest\n');
  });

  it('CVE-2023-2727: has no image policy, and says so', async () => {
    const { statusCode } = await post('/apis/imagepolicy.k8s.io/v1alpha1/imagereviews', {});
    assert.equal(statusCode, 404);
    const { text } = await asAdmin('/apis');
    assert.doesNotMatch(text, /imagepolicy/);
  });

  it('CVE-2021-25737: takes no endpoint that is the machine itself or on its link', async () => {
    for (const [addressType, address] of [
      ['IPv4', '127.0.0.1'],
      ['IPv4', '169.254.169.254'],
      ['IPv6', '::1'],
      ['IPv6', '::ffff:127.0.0.1'],
      ['IPv6', 'fe80::1'],
    ]) {
      const slice = { metadata: { name: 'inward' }, addressType, endpoints: [{ addresses: [address] }] };
      const made = await post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice);
      assert.equal(made.statusCode, 422, `${address}: ${made.text}`);
      const isMapped = address?.startsWith('::ffff:');
      const refusal = isMapped
        ? /must not be an IPv4-mapped/
        : /may not be in the (loopback|link-local) range/;
      assert.match(made.text, refusal);
      const subsets = [{ addresses: [{ ip: address }], ports: [{ port: 80 }] }];
      const endpoints = await post(`${inDefault}/endpoints`, { metadata: { name: 'inward' }, subsets });
      assert.equal(endpoints.statusCode, 422, `${address}: ${endpoints.text}`);
    }
  });

  it('CVE-2021-25740: lets neither editors nor admins of a namespace write endpoints', async () => {
    for (const role of ['edit', 'admin']) {
      const words = ['create', 'rolebinding', `is-${role}`, `--clusterrole=${role}`, `--user=${role}or`];
      await node.kubectlOk(words);
      const may = async (verb: string, resource: string) =>
        (await node.kubectl(['auth', 'can-i', verb, resource, `--as=${role}or`])).stdout.trim();
      assert.equal(await may('create', 'services'), 'yes');
      for (const resource of ['endpoints', 'endpointslices.discovery.k8s.io']) {
        for (const verb of ['create', 'update', 'patch']) assert.equal(await may(verb, resource), 'no');
        assert.equal(await may('get', resource), 'yes');
      }
    }
  });

  it('CVE-2022-3162: reads under no name, selector or token what lies under another key', async () => {
    const reader = await accountWith('reader', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    ]);
    await node.kubectlOk(['create', 'namespace', 'default-too']);
    const literal = '--from-literal=key=must-not-be-seen';
    await node.kubectlOk(['create', 'secret', 'generic', 'hidden', literal]);
    await node.kubectlOk(['create', 'configmap', 'hidden', literal, '-n', 'default-too']);
    const path = `${inDefault}/configmaps`;
    const selected = (name: string) => `${path}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
    const token = (start: string) =>
      Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })).toString('base64url');
    const paths = [path, selected('hidden'), `${path}?watch=true&timeoutSeconds=1`];
    for (const [up, root] of [
      ['..', '../secrets/default/hidden'],
      ['../..', '../default-too/hidden'],
      ['..', '-too/hidden'],
    ] as const) {
      paths.push(`${path}/${up}/${root}`, `${path}/${encodeURIComponent(root)}`, selected(root));
      paths.push(
        `${path}?limit=10&continue=${token(root)}`,
        `${path}?limit=10&continue=${token(`${up}/${root}`)}`,
      );
    }
    for (const tried of paths) {
      const { statusCode, text } = await ask(api, tried, { as: reader });
      if (tried === path) assert.equal(statusCode, 200, text);
      assert.doesNotMatch(text, /must-not-be-seen|bXVzdC1ub3Q/, tried);
    }
    assert.equal((await ask(api, `${inDefault}/secrets/hidden`, { as: reader })).statusCode, 403);
  });

  it('CVE-2023-2728 CVE-2024-3177: keeps an account to its secrets in ephemeral containers and envFrom too', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    const metadata = { name: 'careful', annotations };
    await node.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata, secrets: [{ name: 'listed' }] });
    await node.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'listed' } });
    const envFrom = [{ secretRef: { name: 'other' } }];
    const spec = { serviceAccountName: 'careful' };
    const refused = await post(`${inDefault}/pods`, podOf('greedy', { envFrom }, spec));
    assert.equal(refused.statusCode, 403, refused.text);
    assert.match(refused.text, /other/);
    const fine = podOf('modest', { envFrom: [{ secretRef: { name: 'listed' } }] }, spec);
    assert.equal((await post(`${inDefault}/pods`, fine)).statusCode, 201);
    const debug = { name: 'debug', image: 'x', envFrom };
    const patched = await asAdmin(`${inDefault}/pods/modest/ephemeralcontainers`, {
      method: 'PATCH',
      contentType: 'application/strategic-merge-patch+json',
      body: JSON.stringify({ spec: { ephemeralContainers: [debug] } }),
    });
    assert.equal(patched.statusCode, 403, patched.text);
    assert.match(patched.text, /other/);
  });
});

/** Who may use which image: pull secrets, what a plug-in says to a registry, and what is remembered of both; on one node. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { replaceKubelet } from './changed-kubelet.ts';
import { type GuardedRegistry, guardedRegistry } from './guarded-registry.ts';
import { eventually, podOf, TestNode } from './node.ts';

let node: TestNode;
let kubelet: ChildProcess;
let plugged: GuardedRegistry;
let programs: string;

/** A plug-in that notes what it was asked, and knows one login. */
function writePlugIn(registry: string): void {
  const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
  const auth = { [registry]: { username: 'plugged', password: 'in' } };
  const answer = { apiVersion, kind: 'CredentialProviderResponse', cacheKeyType: 'Registry', auth };
  const script = `#!/bin/sh\ncat > ${join(programs, 'asked')}\necho '${JSON.stringify(answer)}'\n`;
  writeFileSync(join(programs, 'login'), script, { mode: 0o755 });
  const provider = {
    ...{ name: 'login', matchImages: [registry], defaultCacheDuration: '0s', apiVersion },
    tokenAttributes: {
      ...{
        serviceAccountTokenAudience: 'registry',
        cacheType: 'ServiceAccount',
        requireServiceAccount: true,
      },
      requiredServiceAccountAnnotationKeys: ['example.org/role'],
    },
  };
  const document = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
  writeFileSync(join(programs, 'config.json'), JSON.stringify({ ...document, providers: [provider] }));
}

async function restartKubelet(): Promise<void> {
  const ended = once(kubelet, 'exit');
  kubelet.kill('SIGKILL');
  await ended;
  kubelet = spawn(kubelet.spawnfile, kubelet.spawnargs.slice(1), { stdio: 'ignore' });
}

before(async () => {
  node = await TestNode.start('credentials');
  plugged = await guardedRegistry('plugged', 'in');
  programs = join(node.dataDir, 'programs');
  mkdirSync(programs);
  writePlugIn(plugged.address);
  const flags = {
    'image-credential-provider-config': join(programs, 'config.json'),
    'image-credential-provider-bin-dir': programs,
  };
  kubelet = await replaceKubelet(node, {}, flags);
});
after(async () => {
  kubelet?.kill('SIGKILL');
  await plugged?.[Symbol.asyncDispose]();
  await node?.remove();
});

const podJson = async (name: string) => JSON.parse(await node.kubectlOk(['get', 'pod', name, '-o', 'json']));

describe('an image that only some may pull', () => {
  const secretOf = (name: string, registry: string, user: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/dockerconfigjson',
    metadata: { name },
    stringData: {
      '.dockerconfigjson': JSON.stringify({
        auths: { [registry]: { auth: Buffer.from(`${user}:pass:word`).toString('base64') } },
      }),
    },
  });
  const pulling = (name: string, image: string, spec: object) =>
    podOf(name, { image, imagePullPolicy: 'Always' }, spec);
  const asked = (user: string) => `Basic ${Buffer.from(`${user}:pass:word`).toString('base64')}`;

  test("is pulled with the pod's secrets, one after the other, and with those of its account", async () => {
    await using registry = await guardedRegistry('right', 'pass:word');
    const image = `${registry.address}/team/app:1`;
    await node.apply(
      secretOf('wrong', registry.address, 'wrong'),
      secretOf('right', `http://${registry.address}/v1/`, 'right'),
      secretOf('wild', `127.*.0.1:${registry.address.split(':')[1]}/team`, 'right'),
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'puller' },
        imagePullSecrets: [{ name: 'right' }],
      },
    );
    await node.apply(pulling('both', image, { imagePullSecrets: [{ name: 'wrong' }, { name: 'right' }] }));
    const users = registry.seen.filter((header) => header !== '');
    assert.equal(users[0], asked('wrong'));
    assert.equal(users.at(-1), asked('right'));
    await node.apply(
      pulling('account', image, { serviceAccountName: 'puller' }),
      pulling('wildcard', image, { imagePullSecrets: [{ name: 'wild' }] }),
    );
  });

  test('is not pulled without, and the pod says why', async () => {
    await using registry = await guardedRegistry('right', 'pass:word');
    const image = `${registry.address}/team/app:1`;
    await node.apply(secretOf('stranger', registry.address, 'stranger'));
    const pods = [
      pulling('nobody', image, {}),
      pulling('stranger', image, { imagePullSecrets: [{ name: 'stranger' }] }),
    ];
    await node.kubectlOk(['apply', '-f', '-'], { stdin: pods.map((pod) => JSON.stringify(pod)).join('\n') });
    for (const { metadata } of pods) {
      const waiting = await eventually('the refusal', async () => {
        const { status } = await podJson(metadata.name);
        const state = status.containerStatuses?.[0]?.state?.waiting;
        return ['ErrImagePull', 'ImagePullBackOff'].includes(state?.reason) && state;
      });
      assert.match(waiting.message, /401|[Uu]nauthorized|authorization/);
    }
  });

  test('is there for pods that may pull it and for no others, also after a restart of the kubelet', async () => {
    await using registry = await guardedRegistry('right', 'pass:word');
    const image = `${registry.address}/team/app:1`;
    const imagePullSecrets = [{ name: 'own' }];
    await node.apply(secretOf('own', registry.address, 'right'));
    const later = (name: string, imagePullPolicy: string, spec: object) =>
      podOf(name, { image, imagePullPolicy }, spec);
    await node.apply(later('first', 'IfNotPresent', { imagePullSecrets }));
    await restartKubelet();
    const pods = [later('pulls', 'IfNotPresent', {}), later('takes', 'Never', {})];
    await node.kubectlOk(['apply', '-f', '-'], { stdin: pods.map((pod) => JSON.stringify(pod)).join('\n') });
    for (const [name, reasons] of [
      ['pulls', ['ErrImagePull', 'ImagePullBackOff']],
      ['takes', ['ErrImageNeverPull']],
    ] as const) {
      await eventually(`the refusal of ${name}`, async () => {
        const { status } = await podJson(name);
        const reason = status.containerStatuses?.[0]?.state?.waiting?.reason;
        return (reasons as readonly string[]).includes(reason);
      });
    }
    const before = registry.seen.filter((header) => header === asked('right')).length;
    await node.apply(later('second', 'Never', { imagePullSecrets }));
    assert.equal(registry.seen.filter((header) => header === asked('right')).length, before);
    const events = await node.kubectlOk(['describe', 'pod', 'second']);
    assert.match(events, /already present on machine and can be accessed by the pod/);
  });

  test('is pulled with what a plug-in makes of the token of its account, by pods of that account alone', async () => {
    const image = `${plugged.address}/team/app:1`;
    const audience = 'registry';
    const verb = 'request-serviceaccounts-token-audience';
    const rbac = 'rbac.authorization.k8s.io';
    const account = (name: string, annotations: object) => ({
      ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, annotations } },
    });
    await node.apply(
      {
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'registry-tokens' } },
        rules: [{ apiGroups: [''], resources: [audience], verbs: [verb] }],
      },
      {
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'registry-tokens' } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'registry-tokens' },
        subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:nodes' }],
      },
      account('plugged', { 'example.org/role': 'puller' }),
      account('unplugged', {}),
    );
    const as = (name: string, serviceAccountName: string) =>
      podOf(name, { image, imagePullPolicy: 'IfNotPresent' }, { serviceAccountName });
    await node.apply(as('with-plug-in', 'plugged'));
    const request = JSON.parse(readFileSync(join(programs, 'asked'), 'utf8'));
    assert.equal(request.image, `${plugged.address}/team/app`);
    assert.deepEqual(request.serviceAccountAnnotations, { 'example.org/role': 'puller' });
    const claims = JSON.parse(Buffer.from(request.serviceAccountToken.split('.')[1], 'base64url').toString());
    assert.deepEqual(claims.aud, [audience]);
    assert.equal(claims.sub, 'system:serviceaccount:default:plugged');
    assert.equal(claims['kubernetes.io'].pod.name, 'with-plug-in');
    const requests = plugged.seen.length;
    await node.apply(as('of-the-same', 'plugged'));
    assert.equal(plugged.seen.length, requests, 'it is there for all pods of the account');
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(as('of-another', 'unplugged')) });
    await eventually('the refusal', async () => {
      const { status } = await podJson('of-another');
      return /ErrImagePull|ImagePullBackOff/.test(status.containerStatuses?.[0]?.state?.waiting?.reason);
    });
  });
});

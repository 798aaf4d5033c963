/** Which connections of a server go through which proxy, and who resolves the names of what is dialled there. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { IdentityProvider } from '../../test/identity-provider.ts';
import { TestReviewWebhook } from '../../test/test-review-webhook.ts';
import { TestServer } from '../../test/test-server.ts';
import { TestWebhook } from '../../test/test-webhook.ts';

/** A proxy that takes CONNECT, and leads all that is asked of it to that port of loopback. */
class LoopbackProxy {
  readonly path: string;
  /** What it was asked for. */
  readonly asked: string[] = [];
  readonly #server: Server = createServer();
  readonly #sockets = trackSockets(this.#server);

  constructor(path: string) {
    this.path = path;
    this.#server.on('connect', ({ url = '' }, duplex) => {
      const socket = duplex as Socket;
      this.asked.push(url);
      const target = connect(Number(/:(\d+)$/.exec(url)?.[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      for (const each of [socket, target]) each.on('error', () => {});
      socket.once('close', () => target.destroy());
    });
  }

  listen(): Promise<void> {
    return listen(this.#server, { path: this.path });
  }

  close(): Promise<void> {
    return closeServer(this.#server, this.#sockets);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'wherry-led-'));
const [cluster, controlPlane] = ['cluster', 'control'].map(
  (name) => new LoopbackProxy(join(folder, `${name}.sock`)),
) as [LoopbackProxy, LoopbackProxy];
const egressFile = join(folder, 'egress.yaml');
const usersFile = join(folder, 'users.yaml');
let server: TestServer;
let webhook: TestWebhook;
let provider: IdentityProvider;

const selection = (name: string, udsName: string) => ({
  name,
  connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } },
});
const writeEgress = (...egressSelections: object[]) =>
  writeFileSync(
    egressFile,
    JSON.stringify({
      ...{ apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' },
      egressSelections,
    }),
  );
const writeUsers = (egressSelectorType: string) =>
  writeFileSync(
    usersFile,
    JSON.stringify({
      ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' },
      jwt: [
        {
          issuer: {
            ...{ url: provider.url, certificateAuthority: server.authority.cert },
            ...{ audiences: ['wherry'], egressSelectorType },
          },
          claimMappings: { username: { claim: 'sub', prefix: '' } },
        },
      ],
    }),
  );

before(async () => {
  await Promise.all([cluster.listen(), controlPlane.listen()]);
  server = await TestServer.start();
  provider = await IdentityProvider.start(server.authority);
  webhook = await TestWebhook.start(server.authority, { hosts: ['hook.example', 'hook.default.svc'] });
  writeEgress(selection('cluster', cluster.path), selection('controlplane', controlPlane.path));
  writeUsers('cluster');
  Object.assign(server.options, { egressSelectorConfigFile: egressFile, authenticationConfig: usersFile });
  await server.restart();
});
after(async () => {
  await server.close();
  webhook.close();
  await provider.close();
  await Promise.all([cluster.close(), controlPlane.close()]);
  rmSync(folder, { recursive: true });
});

const made = async (path: string, body: object) => {
  const { status, text } = await server.request('POST', path, { body });
  assert.equal(status, 201, text);
};

/** Has configuration maps looked at by the webhook as `clientConfig` reaches it, and makes one. */
async function askWebhook(name: string, clientConfig: object): Promise<void> {
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const caBundle = Buffer.from(server.authority.cert).toString('base64');
  await made(configurations, {
    metadata: { name },
    webhooks: [
      {
        ...{ name: `${name}.example.com`, clientConfig: { ...clientConfig, caBundle } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
      },
    ],
  });
  const asked = webhook.asked.length;
  await made('/api/v1/namespaces/default/configmaps', { metadata: { name } });
  assert.equal(webhook.asked.length, asked + 1);
  assert.equal((await server.request('DELETE', `${configurations}/${name}`)).status, 200);
}

describe('a server whose connections are led through proxies', () => {
  it('asks webhooks at URLs by that of the control plane, which resolves their names', async () => {
    await askWebhook('by-url', { url: `https://hook.example:${webhook.port}/` });
    assert.deepEqual(controlPlane.asked, [`hook.example:${webhook.port}`]);
  });

  it('asks webhooks behind services by that of the cluster', async () => {
    const before = cluster.asked.length;
    const address = '10.11.12.13';
    await made('/api/v1/namespaces/default/services', {
      ...{ metadata: { name: 'hook' }, spec: { ports: [{ port: 443 }] } },
    });
    await made('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'hook', labels: { 'kubernetes.io/service-name': 'hook' } },
      ...{ addressType: 'IPv4', endpoints: [{ addresses: [address] }] },
      ports: [{ name: '', port: webhook.port }],
    });
    await askWebhook('by-service', { service: { namespace: 'default', name: 'hook' } });
    assert.deepEqual(cluster.asked.slice(before), [`${address}:${webhook.port}`]);
  });

  it('reaches kubelets by the names that their nodes say, which are not resolved here', async () => {
    await made('/api/v1/nodes', { metadata: { name: 'far' } });
    const status = {
      addresses: [{ type: 'Hostname', address: 'Far.Example' }],
      daemonEndpoints: { kubeletEndpoint: { Port: webhook.port } },
    };
    const { status: code } = await server.request('PATCH', '/api/v1/nodes/far/status', {
      ...{ body: { status }, type: 'application/merge-patch+json' },
    });
    assert.equal(code, 200);
    await server.request('GET', '/api/v1/nodes/far/proxy/healthz');
    assert.equal(cluster.asked.at(-1), `far.example:${webhook.port}`);
  });

  it('leads nobody to the proxy itself by the name that all machines have', async () => {
    const status = { addresses: [{ type: 'Hostname', address: 'localhost' }] };
    await server.request('PATCH', '/api/v1/nodes/far/status', {
      ...{ body: { status }, type: 'application/merge-patch+json' },
    });
    const before = cluster.asked.length;
    const { status: code, body } = await server.request('GET', '/api/v1/nodes/far/proxy/healthz');
    assert.deepEqual([code, body.message], [400, 'address not allowed']);
    assert.equal(cluster.asked.length, before);
  });

  it('asks identity providers by the proxy of the type that their file says', async () => {
    const token = await provider.token({});
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    for (let look = 0; look < 100; look += 1) {
      const { status, body } = await server.request('POST', path, { body: {}, token });
      if (status === 201) {
        assert.equal(body.status.userInfo.username, 'ada');
        break;
      }
      await delay(50);
    }
    assert.ok(cluster.asked.includes(new URL(provider.url).host));
  });

  it('asks webhooks that kubeconfigs name by that of the control plane', async () => {
    const reviews = await TestReviewWebhook.start(server.authority);
    const configFile = reviews.kubeconfig(join(folder, 'reviews.kubeconfig'));
    reviews.answer = ({ review: { kind } }) => ({
      status: kind === 'TokenReview' ? { authenticated: true, user: { username: 'bob' } } : { allowed: true },
    });
    const version = 'v1' as const;
    Object.assign(server.options, {
      authenticationTokenWebhook: { configFile, version },
      authorizationMode: ['RBAC', 'Webhook'],
      authorizationWebhook: { configFile, version },
    });
    await server.restart();
    const before = controlPlane.asked.length;
    const { status } = await server.request('GET', '/api/v1/nodes', { token: 'of-bob' });
    assert.equal(status, 200);
    const kinds = reviews.asked.map(({ review: { kind } }) => kind);
    assert.deepEqual(kinds, ['TokenReview', 'SubjectAccessReview']);
    const { host } = new URL(JSON.parse(readFileSync(configFile, 'utf8')).clusters[0].cluster.server);
    const asked = controlPlane.asked.slice(before);
    assert.ok(asked.length > 0 && asked.every((each) => each === host), asked.join(' '));
    await reviews.close();
  });

  it('does not start where a provider is to be led in a way that no file says', async () => {
    writeEgress(selection('controlplane', controlPlane.path));
    const told = { name: 'SettingsError', message: /oidc: egress lookup for "cluster" is not configured/ };
    await assert.rejects(server.restart(), told);
    const { egressSelectorConfigFile: _, ...rest } = server.options;
    Object.assign(server.options, { egressSelectorConfigFile: undefined });
    await assert.rejects(server.restart(), {
      message: /oidc: egress lookup required with egress selector type "cluster"/,
    });
    writeUsers('');
    Object.assign(server.options, rest);
    await server.restart();
  });
});

/** The pages that tell of controllers and scheduler: who may ask for them, as the API server says, and what they say. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { Agent, get, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { type Credentials, TestAuthority } from '../../../../apiserver/test/pki.ts';
import { TestServer } from '../../../../apiserver/test/test-server.ts';
import { ComponentPages } from './component-pages.ts';
import type { ComponentServer } from './component-server.ts';
import { servingCertificate } from './serving-certificate.ts';

interface Ask {
  token?: string;
  headers?: Record<string, string>;
  as?: Credentials;
}

describe('the pages that tell of a manager', { timeout: 60_000 }, () => {
  let server: TestServer;
  let pages: ComponentPages;
  let served: ComponentServer;
  let files: Record<
    'tlsCertFile' | 'tlsPrivateKeyFile' | 'clientCaFile' | 'requestheaderClientCaFile',
    string
  >;
  let proxies: TestAuthority;

  before(async () => {
    server = await TestServer.start();
    const at = (name: string) => join(server.folder, name);
    const { cert, key } = await server.authority.issue({ name: 'controllers', hosts: ['127.0.0.1'] });
    files = {
      ...{ tlsCertFile: at('serving.crt'), tlsPrivateKeyFile: at('serving.key') },
      ...{ clientCaFile: at('clients.crt'), requestheaderClientCaFile: at('proxies.crt') },
    };
    writeFileSync(files.tlsCertFile, cert);
    writeFileSync(files.tlsPrivateKeyFile, key);
    writeFileSync(files.clientCaFile, server.authority.cert);
    proxies = await TestAuthority.create('proxies');
    writeFileSync(files.requestheaderClientCaFile, proxies.cert);
    pages = new ComponentPages(['kube-controller-manager']);
    const { kubeconfig } = server;
    const flags = { ...files, bindAddress: '127.0.0.1', flags: { v: '2' } };
    const configuration = { componentconfig: { kind: 'KubeSchedulerConfiguration' } };
    served = await pages.serve(0, flags, { kubeconfig, configuration, logger: silentLogger });
  });
  after(async () => {
    await served?.close();
    await server?.close();
  });

  const ask = (path: string, { token, as, headers: more }: Ask = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...more };
      const url = `https://127.0.0.1:${served.port}${path}`;
      const outgoing = httpsRequest(
        url,
        { ca: server.authority.cert, headers, agent: false, ...as },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString();
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      outgoing.on('error', reject).end();
    });
  const tokenOf = async (account: string) => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: account } } });
    const { body } = await server.request('POST', `${accounts}/${account}/token`, { body: {} });
    return body.status.token as string;
  };

  it('tell anybody of health, check by check where asked', async () => {
    assert.deepEqual(await ask('/healthz'), { status: 200, text: 'ok' });
    assert.equal(
      (await ask('/livez?verbose')).text,
      '[+]ping ok\n[+]leaderElection ok\nlivez check passed\n',
    );
    // A check alone is not what is open to all.
    assert.equal((await ask('/readyz/ping')).status, 403);
  });

  it('say that a leader is unwell who should have stopped', async () => {
    pages.figures.election.tell('kube-controller-manager', true);
    pages.figures.election.renewed('kube-controller-manager', Number.NEGATIVE_INFINITY);
    const { status, text } = await ask('/healthz');
    pages.figures.election.tell('kube-controller-manager', false);
    assert.equal(status, 500);
    assert.match(text, /^\[-\]leaderElection failed: reason withheld$/m);
    assert.equal((await ask('/healthz')).status, 200);
  });

  it('tell nobody of metrics who shows nothing, or nothing good', async () => {
    const nobody = await ask('/metrics');
    assert.equal(nobody.status, 403);
    assert.equal(
      JSON.parse(nobody.text).message,
      'forbidden: User "system:anonymous" cannot get path "/metrics"',
    );
    assert.equal((await ask('/metrics', { token: 'of-nobody' })).status, 401);
    const stranger = await server.authority.issue({ name: 'stranger' });
    assert.equal((await ask('/metrics', { as: stranger })).status, 403);
  });

  it('believe a proxy that shows its certificate who asks, and nobody who only says so', async () => {
    const headers = { 'x-remote-user': 'someone', 'x-remote-group': 'system:masters' };
    const proxy = await proxies.issue({ name: 'front-proxy-client' });
    assert.equal((await ask('/metrics', { as: proxy, headers })).status, 200);
    // It is no client itself, and headers alone are nobody's word.
    assert.equal((await ask('/metrics', { as: proxy })).status, 403);
    assert.equal((await ask('/metrics', { headers })).status, 403);
    const stranger = await server.authority.issue({ name: 'stranger' });
    assert.equal((await ask('/metrics', { as: stranger, headers })).status, 403);
  });

  it('tell who may ask, by the API server’s word', async () => {
    const token = await tokenOf('scraper');
    assert.equal((await ask('/metrics', { token })).status, 403);
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ nonResourceURLs: ['/metrics', '/metrics/slis'], verbs: ['get'] }];
    await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'scrapers' }, rules } });
    const subjects = [{ kind: 'ServiceAccount', name: 'scraper2', namespace: 'default' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scrapers' };
    await server.request('POST', `${rbac}/clusterrolebindings`, {
      body: { metadata: { name: 'scrapers' }, roleRef, subjects },
    });
    const other = await tokenOf('scraper2');
    const { status, text } = await ask('/metrics', { token: other });
    assert.equal(status, 200);
    assert.match(text, /^process_resident_memory_bytes \d+$/m);
    assert.match(text, /^leader_election_master_status\{name="kube-controller-manager"\} 0$/m);
    assert.match(
      (await ask('/metrics/slis', { token: other })).text,
      /^kubernetes_healthcheck\{name="ping"/m,
    );
    assert.equal((await ask('/other', { token: other })).status, 403);
  });

  it('tell administrators by their certificate, and of a path that is none that there is nothing', async () => {
    assert.equal((await ask('/metrics', { as: server.admin })).status, 200);
    assert.deepEqual(await ask('/other', { as: server.admin }), {
      ...{ status: 404, text: '404 page not found\n' },
    });
  });

  it('tell administrators how the process was started, and since when it runs', async () => {
    const asked = async (path: string) => (await ask(path, { as: server.admin })).text;
    assert.match(await asked('/flagz'), /^\nkube-controller-manager flagz\n.*\nv=2\n$/s);
    assert.match(await asked('/statusz'), /\nPaths: \/configz \/flagz \/healthz .*\/statusz\n$/);
    assert.deepEqual(JSON.parse(await asked('/configz')), {
      componentconfig: { kind: 'KubeSchedulerConfiguration' },
    });
    assert.equal((await ask('/flagz')).status, 403);
  });

  it('are served with a certificate that is made where none is given, and kept in its folder', async () => {
    const certDir = join(server.folder, 'made');
    const first = await servingCertificate({ certDir }, 'kube-scheduler', Date.now());
    assert.match(
      new X509Certificate(first.cert).subjectAltName ?? '',
      /DNS:localhost, IP Address:127\.0\.0\.1/,
    );
    assert.deepEqual(await servingCertificate({ certDir }, 'kube-scheduler', Date.now()), first);
    const other = await servingCertificate({}, 'kube-scheduler', Date.now());
    assert.notDeepEqual(other.cert, first.cert);
    assert.equal(statSync(join(certDir, 'kube-scheduler.key')).mode & 0o777, 0o600);
  });

  it('are shown with a certificate that is renewed, to those whom the authorities of now have signed', async (test) => {
    const clock = new FakeClock({ nowMs: Date.now() });
    const at = (name: string) => join(server.folder, `renewed-${name}`);
    const own = {
      tlsCertFile: at('serving.crt'),
      tlsPrivateKeyFile: at('serving.key'),
      clientCaFile: at('ca'),
    };
    const first = await server.authority.issue({ name: 'first', hosts: ['127.0.0.1'] });
    writeFileSync(own.tlsCertFile, first.cert);
    writeFileSync(own.tlsPrivateKeyFile, first.key);
    writeFileSync(own.clientCaFile, server.authority.cert);
    const { kubeconfig } = server;
    const renewed = await new ComponentPages(['kube-scheduler'], clock).serve(
      0,
      { ...own, bindAddress: '127.0.0.1' },
      { kubeconfig, logger: silentLogger },
    );
    const agent = new Agent({ keepAlive: true });
    test.after(async () => {
      agent.destroy();
      await renewed.close();
    });
    /** Whose certificate is shown, and what is answered to the administrator. */
    const shown = () =>
      new Promise<string>((resolve) => {
        const place = { port: renewed.port, host: '127.0.0.1', path: '/metrics', ca: server.authority.cert };
        get({ ...place, ...server.admin, agent }, (answer) => {
          const { subject } = (answer.socket as TLSSocket).getPeerCertificate();
          answer.resume().on('end', () => resolve(`${subject.CN} ${answer.statusCode}`));
        }).on('error', ({ message }) => resolve(message));
      });
    const shownAtLast = async (expected: string) => {
      for (let turn = 0; turn < 100 && (await shown()) !== expected; turn++) await clock.advance(5_000);
      assert.equal(await shown(), expected);
    };
    await shownAtLast('first 200');
    const other = await TestAuthority.create('other');
    const second = await server.authority.issue({ name: 'second', hosts: ['127.0.0.1'] });
    writeFileSync(own.tlsCertFile, second.cert);
    await clock.advance(5_000);
    assert.equal(await shown(), 'first 200');
    writeFileSync(own.tlsPrivateKeyFile, second.key);
    writeFileSync(own.clientCaFile, other.cert);
    await shownAtLast('second 403');
    writeFileSync(own.clientCaFile, `${other.cert}\n${server.authority.cert}`);
    await shownAtLast('second 200');
  });

  it('are served with both halves of a certificate, or not at all', async () => {
    const parts = { kubeconfig: server.kubeconfig, logger: silentLogger };
    const { tlsCertFile } = files;
    await assert.rejects(
      pages.serve(1, { tlsCertFile }, parts),
      /both --tls-cert-file and --tls-private-key-file/,
    );
  });
});

/** Who may ask the console what, on a real API server. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { createKubeClient } from '@wherry/client';
import { startConsole } from '@wherry/console';
import { startApiServer } from '@wherry/testing';
import { ask, type Opened, openConsole } from './opened.ts';

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': 'v5.channel.k8s.io',
};
const execPath = '/api/v1/namespaces/default/pods/web/exec?command=sh&stdin=true&stdout=true&tty=true';

describe('the console', { timeout: 120_000 }, () => {
  let server: Awaited<ReturnType<typeof startApiServer>>;
  let opened: Opened;
  before(async () => {
    server = await startApiServer();
    opened = await openConsole(server.kubeconfig.path);
  });
  after(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.close();
  });
  const api = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(opened.console.port, opened.cluster + path, {
      method,
      headers: { cookie: opened.cookie, ...headers },
    });

  it('answers who has logged in, and nobody else', async () => {
    const list = await api('/api/v1/namespaces');
    assert.equal(list.status, 200);
    assert.match(list.body, /"kube-system"/);
    for (const cookie of ['', 'wherry-console=', 'wherry-console=guess', `other=${opened.cookie}`]) {
      const { status, body } = await api('/api/v1/namespaces', { cookie });
      assert.equal(status, 401, cookie);
      assert.match(JSON.parse(body).message, /open the link/);
    }
    assert.equal((await ask(opened.console.port, '/')).status, 401);
    assert.equal((await api(execPath, { ...upgrade, origin: opened.origin, cookie: '' })).status, 401);
  });

  it('tells of streaming servers those for whom the node’s kubelet shows its own sessions', async () => {
    const path = `${opened.cluster.replace(/cluster$/, '')}streaming-servers.json`;
    assert.equal((await ask(opened.console.port, path)).status, 401);
    const without = await ask(opened.console.port, path, { headers: { cookie: opened.cookie } });
    const { lists, elsewhere } = JSON.parse(without.body);
    assert.deepEqual([lists, /this console was given none/.test(elsewhere)], [[], true]);
    let asked = 0;
    const streamingServers = {
      ...{ nodes: ['away'], reason: 'elsewhere' },
      async list() {
        asked += 1;
        return { kind: 'SessionList' as const, hop: 'streaming-server' as const, time: '', items: [] };
      },
    };
    await using other = await openConsole(server.kubeconfig.path, { streamingServers });
    const home = other.cluster.replace(/cluster$/, '');
    const headers = { cookie: other.cookie };
    const { body } = await ask(other.console.port, `${home}streaming-servers.json`, { headers });
    const told = JSON.parse(body);
    assert.deepEqual([told.lists, told.elsewhere, asked], [[], 'elsewhere', 0]);
    assert.match(told.unseen[0].reason, /nodes "away" not found/);
  });

  it('lets one browser in by a link, and gives the next another', async () => {
    const { console } = opened;
    const link = console.loginUrl;
    const path = link.pathname + link.search;
    const { status, headers } = await ask(console.port, path);
    assert.equal(status, 200);
    const cookie = String(headers['set-cookie']);
    assert.match(cookie, /; Path=\/[-\w]{22}\/; HttpOnly; SameSite=Strict$/);
    assert.equal((await ask(console.port, path)).status, 401, 'the link works once');
    assert.notEqual(console.loginUrl.href, link.href);
    assert.equal((await ask(console.port, '/login?token=')).status, 401);
  });

  it('answers to its own name alone, so that no DNS leads a page of others to it', async () => {
    for (const host of ['example.com', `example.com:${opened.console.port}`, '127.0.0.1', '[::1]:1'])
      assert.equal((await api('/api/v1/pods', { host })).status, 403, host);
    assert.equal((await api('/api/v1/pods', { host: `localhost:${opened.console.port}` })).status, 200);
  });

  it('refuses pages of other origins, of other ports of this machine too', async () => {
    for (const origin of [
      'http://example.com',
      'null',
      'http://127.0.0.1:1',
      opened.origin.replace('http', 'https'),
    ])
      assert.equal((await api('/api/v1/pods', { origin })).status, 403, origin);
    for (const site of ['cross-site', 'same-site'])
      assert.equal((await api('/api/v1/pods', { 'sec-fetch-site': site })).status, 403, site);
    assert.equal(
      (await api('/api/v1/pods', { origin: opened.origin, 'sec-fetch-site': 'same-origin' })).status,
      200,
    );
  });

  it('opens no WebSocket that another page, or nobody, asks for', async () => {
    assert.equal((await api(execPath, upgrade)).status, 403);
    assert.equal((await api(execPath, { ...upgrade, origin: 'http://127.0.0.1:1' })).status, 403);
    assert.equal((await api(execPath, { ...upgrade, origin: opened.origin })).status, 101);
  });

  it('passes no method on but GET, and says which', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const { status, body } = await api('/api/v1/namespaces/default/pods', {}, method);
      assert.equal(status, 405, method);
      if (method !== 'HEAD') assert.match(JSON.parse(body).message, new RegExp(`method "${method}"`));
    }
  });

  it('passes no path on that the page does not need, and says which', async () => {
    const refused = [
      ...[
        '/api/v1/secrets',
        '/api/v1/namespaces/default/secrets',
        '/api/v1/namespaces/default/secrets/mine',
        '/api/v1/watch/secrets',
        '/api/v1/watch/namespaces/default/secrets',
        '/api/v1/namespaces/default/pods/web/attach',
      ],
      ...['/api/v1/namespaces/default/pods/web/portforward', '/api/v1/namespaces/default/pods/web/proxy'],
      ...['/api/v1/nodes/one/proxy/exec/default/web/main', '/api/v1/nodes/one/proxy/debug/pprof'],
      ...['/metrics', '/api/v1/pods/', '/apis/apps/v1/daemonsets/one/status', '/openapi/v3', ''],
      ...['/api/v1/namespaces/default/services/web/proxy', '/api/v1/proxy/nodes/one', '/apis/apps'],
    ];
    for (const path of refused) {
      const { status, body } = await api(path);
      assert.ok(status === 403 || status === 404, `${path}: ${status}`);
      assert.ok(body.includes('console: '), `${path}: ${body}`);
    }
    const { status, body } = await api('/api/v1/pods?pretty=true');
    assert.equal(status, 400);
    assert.match(JSON.parse(body).message, /parameter "pretty"/);
    assert.equal((await api('/api/v1/pods?limit=1&limit=2')).status, 400);
  });

  it('passes on what there is, and lists and objects of every kind, in the form that the page wants', async () => {
    for (const path of ['/api', '/apis', '/apis/apps/v1', '/apis/apps/v1/namespaces/default/daemonsets'])
      assert.equal((await api(path)).status, 200, path);
    const role = await api('/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode');
    assert.equal(JSON.parse(role.body).metadata?.name, 'system:node');
    const table = await api('/api/v1/configmaps?limit=1', {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    });
    assert.equal(JSON.parse(table.body).kind, 'Table');
    const yaml = await api('/api/v1/namespaces/kube-system', { accept: 'application/yaml' });
    assert.match(yaml.body, /^apiVersion: v1\nkind: Namespace\n/);
    assert.match(String(yaml.headers['content-type']), /^text\/plain/);
  });

  it('is led out of its paths by no way of writing them', async () => {
    const tricks = [
      ...['/api/v1/namespaces/default/pods/../secrets', '/api/v1/namespaces/default/pods/%2e%2e/secrets'],
      ...['/api/v1/namespaces/default%2fsecrets/pods/x', '/api/v1/namespaces/default/pods/web%2fproxy'],
      ...[
        '//api/v1/secrets',
        '/./api/v1/pods',
        '/api/v1/namespaces/..%2f..%2fsecrets/pods',
        '/api\\v1\\pods',
      ],
      ...['/api/v1/namespaces/default/pods/web;x/log', '/api/v1/namespaces/a@b/pods', '/api/v1/pods%3Fwatch'],
    ];
    for (const path of tricks) {
      const { status } = await api(path);
      assert.ok([400, 403].includes(status), `${path}: ${status}`);
    }
    const whole = await ask(
      opened.console.port,
      `http://127.0.0.1:${opened.console.port}${opened.cluster}/api/v1/pods`,
      {
        headers: { cookie: opened.cookie },
      },
    );
    assert.equal(whole.status, 400);
  });

  it('hands on what the API server refuses, in its words', async () => {
    const { status, body } = await api('/api/v1/namespaces/default/pods/none');
    assert.equal(status, 404);
    assert.match(JSON.parse(body).message, /pods "none" not found/);
  });

  it('lets nothing be kept, embedded or run that is not of the page', async () => {
    const home = opened.cluster.replace(/cluster$/, '');
    const page = await ask(opened.console.port, home, { headers: { cookie: opened.cookie } });
    assert.equal(page.status, 200);
    assert.match(page.body, /<script type="module" src="page\.js">/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(page.body, /<script>|https?:/);
    for (const answer of [page, await api('/api/v1/pods')]) {
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
      assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/);
    }
  });

  it('lets go of its signal when it ends before', async () => {
    const { signal } = new AbortController();
    const client = createKubeClient({ kubeconfig: server.kubeconfig.path });
    const console = await startConsole({ client, signal });
    await console.close();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    client.close();
  });

  it('ends with its signal', async () => {
    const abort = new AbortController();
    const client = createKubeClient({ kubeconfig: server.kubeconfig.path });
    const console = await startConsole({ client, signal: abort.signal });
    const { port } = console;
    abort.abort();
    await console.close();
    await assert.rejects(ask(port, '/'), /ECONNREFUSED/);
    client.close();
  });
});

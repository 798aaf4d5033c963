import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import type { Credentials } from '../../test/pki.ts';
import { TestKubelet } from '../../test/test-kubelet.ts';
import { TestServer } from '../../test/test-server.ts';
import { backendUrl, parsePort } from '../dialing/backend-url.ts';
import { DialGuard } from '../dialing/dial-guard.ts';

const notAllowed = { message: 'address not allowed', code: 400 };

describe('the guard of what is dialed', () => {
  const guard = (lookup?: (name: string) => Promise<string[]>) =>
    new DialGuard({ ownPort: () => 6443, ownAddresses: ['203.0.113.9'], lookup });

  it('refuses loopback, link-local, unspecified, multicast and metadata addresses in every spelling', async () => {
    const refused = [
      ...['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1'],
      ...['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::1%eth0', '0.0.0.0', '::'],
      ...['224.0.0.1', 'ff02::1', '255.255.255.255', 'fd00:ec2::254', '100.100.100.200', '::ffff:6464:64c8'],
    ];
    for (const host of refused) {
      await assert.rejects(guard().resolve({ host, port: 10250 }), notAllowed, host);
    }
    assert.equal(await guard().resolve({ host: '10.1.2.3', port: 10250 }), '10.1.2.3');
    assert.equal(await guard().resolve({ host: '2001:db8::1', port: 80 }), '2001:db8::1');
  });

  it('lets the local node be at loopback, and nobody at the server’s own port', async () => {
    const isLocal = true;
    assert.equal(await guard().resolve({ host: '127.0.0.1', port: 10250, isLocal }), '127.0.0.1');
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '203.0.113.9', '::ffff:203.0.113.9']) {
      await assert.rejects(guard().resolve({ host, port: 6443, isLocal }), notAllowed, host);
    }
    await assert.rejects(guard().resolve({ host: '169.254.169.254', port: 80, isLocal }), notAllowed);
  });

  it('asks a name server once, and dials what it has checked', async () => {
    const answers = [['10.1.2.3'], ['127.0.0.1']];
    let asked = 0;
    const rebinding = guard(async () => answers[asked++] ?? []);
    assert.equal(await rebinding.resolve({ host: 'node.test', port: 10250 }), '10.1.2.3');
    assert.equal(asked, 1);
    await assert.rejects(rebinding.resolve({ host: 'node.test', port: 10250 }), notAllowed);
    const mixed = guard(async () => ['10.1.2.3', '::1']);
    await assert.rejects(mixed.resolve({ host: 'node.test', port: 10250 }), notAllowed);
    const silent = guard(async () => []);
    await assert.rejects(
      silent.resolve({ host: 'node.test', port: 1 }),
      /no addresses for hostname "node\.test"/,
    );
  });
});

describe('URLs of backends', () => {
  it('have ports that are numbers', () => {
    for (const text of ['', '0', '65536', '80@127.0.0.1', '0x50', '+80', '80 ', '８０', '1e3', '-1']) {
      assert.equal(parsePort(text), undefined, text);
    }
    assert.equal(parsePort('8080'), 8080);
  });

  it('keep every part in its place', () => {
    const backend = { scheme: 'https', address: '10.1.2.3', port: 10250 } as const;
    const urls: [path: string, search: string, expected: string][] = [
      ['/x?y#z', 'a=b', 'https://10.1.2.3:10250/x%3Fy%23z?a=b'],
      ['//evil.test/x', '', 'https://10.1.2.3:10250//evil.test/x'],
      ['@evil.test/', '', 'https://10.1.2.3:10250/@evil.test/'],
      ['/a%2fb', '', 'https://10.1.2.3:10250/a%252fb'],
      ['/../../x', '', 'https://10.1.2.3:10250/x'],
      ['/\\evil', 'x=#y', 'https://10.1.2.3:10250/%5Cevil?x=%23y'],
    ];
    for (const [path, search, expected] of urls) {
      assert.equal(backendUrl(backend, path, search).href, expected);
    }
    const six = backendUrl({ scheme: 'http', address: '2001:db8::1', port: 80 }, '/');
    assert.equal(six.href, 'http://[2001:db8::1]/');
    for (const address of ['evil.test', '10.1.2.3:80', 'fe80::1%eth0', '']) {
      assert.throws(() => backendUrl({ ...backend, address }, '/'), TypeError, address);
    }
    const remote = { ...backend, isRemote: true };
    assert.equal(backendUrl({ ...remote, address: 'far.test' }, '/').href, 'https://far.test:10250/');
    for (const address of ['0x7f.1', '127.1', 'Far.test', 'far.test:80', 'u@far.test', ''])
      assert.throws(() => backendUrl({ ...remote, address }, '/'), TypeError, address);
    assert.throws(() => backendUrl({ ...backend, port: Number.NaN }, '/'), TypeError);
  });
});

describe('connections on the word of an object', () => {
  let server: TestServer;
  let kubelet: TestKubelet;
  const lookups = new Map<string, string[]>();
  const core = '/api/v1';
  const pods = `${core}/namespaces/default/pods`;
  before(async () => {
    server = await TestServer.start({ lookup: async (name) => lookups.get(name) ?? [] });
    kubelet = await TestKubelet.start(server);
    await kubelet.register(server);
    const accounts = `${core}/namespaces/default/serviceaccounts`;
    await server.request('POST', accounts, { body: { metadata: { name: 'default' } } });
    await server.request('POST', `${core}/namespaces/default/secrets`, {
      body: { metadata: { name: 'gold' } },
    });
  });
  after(async () => {
    await kubelet.close();
    await server.close();
  });

  /** A node that says it is there, with a pod on it. */
  async function claim(name: string, address: string, port: number): Promise<void> {
    const type = /^[\d.:a-f]+$/.test(address) ? 'InternalIP' : 'InternalDNS';
    const status = { addresses: [{ type, address }], daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    await server.request('DELETE', `${core}/nodes/${name}`);
    await server.request('POST', `${core}/nodes`, { body: { metadata: { name }, status } });
    const spec = { nodeName: name, containers: [{ name: 'main', image: 'busybox' }] };
    await server.request('POST', pods, { body: { metadata: { name }, spec } });
  }

  async function exec(pod: string): Promise<string> {
    const { port } = server.apiserver;
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: server.authority.cert, ...server.admin });
    const head = `POST ${pods}/${pod}/exec?command=x&stdout=true HTTP/1.1\r\nHost: x\r\n`;
    socket.write(
      `${head}Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n`,
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    await once(socket, 'end');
    socket.destroy();
    return text;
  }

  it('end where a false node says to be this machine: logs, exec and proxy alike', async () => {
    lookups.set('rebound.test', ['127.0.0.1']);
    lookups.set('mixed.test', ['10.9.9.9', '169.254.169.254']);
    const addresses = [
      ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0'],
      ...['rebound.test', 'mixed.test'],
    ];
    for (const [index, address] of addresses.entries()) {
      const name = `false-${index}`;
      await claim(name, address, kubelet.port);
      for (const path of [`${core}/nodes/${name}/proxy/pods`, `${pods}/${name}/log`]) {
        const { status, body, text } = await server.request('GET', path);
        assert.deepEqual([status, body?.message], [400, 'address not allowed'], `${address} ${path} ${text}`);
      }
      assert.match(await exec(name), /^HTTP\/1\.1 400 [\s\S]*address not allowed/, address);
    }
    assert.deepEqual(kubelet.seen, [], 'the kubelet at loopback has seen nobody');
  });

  it('never lead back to this server, not even through the local node', async () => {
    const mallory = await server.authority.issue({ name: 'mallory' });
    await allow(mallory, 'mallory', ['nodes', 'nodes/proxy', 'nodes/status']);
    const secrets = '/api/v1/namespaces/default/secrets';
    assert.equal((await server.request('GET', secrets, { as: mallory })).status, 403);
    const { port } = server.apiserver;
    for (const [name, address] of [
      ['evil', '127.0.0.1'],
      ['evil-six', '::ffff:127.0.0.1'],
      ['worker', '127.0.0.1'],
    ] as const) {
      await claim(name, address, port);
      const path = `${core}/nodes/${name}/proxy${secrets}`;
      const { status, text } = await server.request('GET', path, { as: mallory });
      assert.equal(status, 400, `${name}: ${text}`);
      assert.ok(!text.includes('gold'));
    }
    await kubelet.register(server);
    const other = await server.request('GET', `${core}/nodes/https:worker:${port}/proxy${secrets}`);
    assert.equal(other.status, 400);
  });

  async function allow(_who: Credentials, name: string, resources: string[]): Promise<void> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const apiGroup = 'rbac.authorization.k8s.io';
    const rules = [{ apiGroups: [''], resources, verbs: ['*'] }];
    await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name }, rules } });
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    const body = { metadata: { name }, roleRef, subjects: [{ apiGroup, kind: 'User', name }] };
    await server.request('POST', `${rbac}/clusterrolebindings`, { body });
  }

  it('have no port that is more than a port', async () => {
    await claim('lone', '10.9.9.9', 10250);
    const podIP = '10.9.9.9';
    const status = { podIP, podIPs: [{ ip: podIP }] };
    const type = 'application/merge-patch+json';
    await server.request('PATCH', `${pods}/lone/status`, { type, body: { status } });
    for (const port of ['x@127.0.0.1', '80@127.0.0.1', 'nosuchname', '0', '99999', '80%2F..']) {
      const { status: code, body } = await server.request('GET', `${pods}/lone:${port}/proxy/`);
      assert.equal(code, 400, port);
      assert.match(body.message, /^invalid pod request "lone:/);
    }
    const node = await server.request('GET', `${core}/nodes/worker:x@127.0.0.1/proxy/`);
    assert.equal(node.status, 400);
  });

  it('through a service reach addresses of its namespace’s pods alone', async () => {
    const ports = [{ port: 80 }];
    const metadata = { name: 'claimed' };
    await server.request('POST', `${core}/namespaces/default/services`, {
      body: { metadata, spec: { ports } },
    });
    const endpoints = `${core}/namespaces/default/endpoints`;
    for (const targetRef of [undefined, { kind: 'Pod', name: 'lone' }]) {
      const addresses = [{ ip: '10.77.0.1', ...(targetRef ? { targetRef } : {}) }];
      const body = { metadata, subsets: [{ addresses, ports: [{ port: 80 }] }] };
      await server.request('DELETE', `${endpoints}/claimed`);
      assert.equal((await server.request('POST', endpoints, { body })).status, 201);
      const { status, body: answer } = await server.request(
        'GET',
        `${core}/namespaces/default/services/claimed/proxy/`,
      );
      assert.equal(status, 503);
      assert.match(answer.message, /no endpoints available for service "claimed"/);
    }
  });

  it('know no object by a name that is part of another’s key', async () => {
    for (const path of [`${core}/namespaces/default%2Flone/pods/x`, `${pods}/..%2Flone`, `${pods}/a%25b`]) {
      const { status, body } = await server.request('GET', path);
      assert.equal(status, 400, path);
      assert.match(body.message, /^Name(space)? parameter invalid: /);
    }
  });

  it('bring what a small server answers, and tell of one that wants to speak something else', async () => {
    await kubelet.register(server);
    const path = `${core}/nodes/worker/proxy/small`;
    const answerOf = async (bytes: string) => {
      kubelet.answer = (_request, response) => response.socket?.end(bytes);
      const { status, text, headers } = await server.request('GET', path);
      return [status, text, headers['content-length']];
    };
    assert.deepEqual(await answerOf('HTTP/1.1 200 OK\nX-One: 1\n\nhi'), [200, 'hi', undefined]);
    const chunks = 'Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nhi\r\n0\r\n\r\n';
    assert.deepEqual(await answerOf(`HTTP/1.1 200 OK\r\n${chunks}`), [200, 'hi', undefined]);
    const other = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n';
    const [status, text] = await answerOf(other);
    assert.equal(status, 503);
    assert.match(String(text), /backend tried to switch protocol .*x.* when .* was requested/);
    const [refused] = await answerOf('HTTP/1.1 200 OK\r\nX-One: a\x01b\r\n\r\nhi');
    assert.ok(Number(refused) >= 500, 'a header that nobody may send');
    kubelet.answer = undefined;
  });

  it('carry a path on as a path, and tell the kubelet nothing of who the client is', async () => {
    await kubelet.register(server);
    kubelet.seen.length = 0;
    const headers = { 'impersonate-uid': '', 'x-remote-uid': '0', 'x-remote-extra-scopes': 'all' };
    const path = `${core}/nodes/worker/proxy/stats/a%3Fb%23c%20d?only=cpu`;
    const { status } = await server.request('GET', path, { headers });
    assert.equal(status, 200);
    assert.equal(kubelet.seen[0]?.url, '/stats/a%3Fb%23c%20d?only=cpu');
    const names = Object.keys(kubelet.seen[0]?.headers ?? {});
    assert.deepEqual(
      names.filter((name) => /^(impersonate|x-remote|authorization)/.test(name)),
      [],
    );
    kubelet.answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    const moved = await server.request('GET', `${core}/nodes/worker/proxy/a%20b/c`);
    assert.equal(moved.headers['location'], `${core}/nodes/worker/proxy/elsewhere`);
    const first = await server.request('GET', `${core}/nodes/worker/proxy?only=cpu`);
    assert.deepEqual(
      [first.status, first.headers['location']],
      [301, `${core}/nodes/worker/proxy/?only=cpu`],
    );
    kubelet.answer = (_request, response) => {
      const html = Buffer.from('<p>café <a href="/up">up</a></p>');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
      response.end(html);
    };
    const page = await server.request('GET', `${core}/nodes/worker/proxy/`);
    assert.equal(page.text, `<p>café <a href="${core}/nodes/worker/proxy/up">up</a></p>`);
    kubelet.answer = undefined;
  });
});

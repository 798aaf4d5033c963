import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { WebSocket } from 'ws';
import { unlessKubectlHas } from '../../../../e2e/kubectl-version.ts';
import type { Credentials } from '../../test/pki.ts';
import { startEcho, TestKubelet } from '../../test/test-kubelet.ts';
import { TestServer } from '../../test/test-server.ts';

const pods = '/api/v1/namespaces/default/pods';
const mergePatch = 'application/merge-patch+json';
const stream = 'stdin=true&stdout=true';
const webSocketLines = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
];
const v5 = [...webSocketLines, 'Sec-WebSocket-Protocol: v5.channel.k8s.io'];
const spdy = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4.channel.k8s.io'];

/** A request written by hand, and everything that comes back until the other side ends or `until` matches. */
async function raw(
  server: TestServer,
  head: string,
  lines: readonly string[],
  options: { as?: Credentials; until?: RegExp; afterwards?: string } = {},
): Promise<string> {
  const { as = server.admin, until = /\r\n\r\n/ } = options;
  const port = server.apiserver.port;
  const socket: TLSSocket = tlsConnect({ port, host: '127.0.0.1', ca: server.authority.cert, ...as });
  let text = '';
  socket.setEncoding('latin1');
  socket.write(
    `${head} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('\r\n')}\r\n\r\n${options.afterwards ?? ''}`,
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.startsWith('HTTP/1.1 101') && until.test(text)) resolve();
    });
    socket.on('end', resolve);
    socket.on('error', reject);
  });
  socket.destroy();
  return text;
}

const statusOf = (answer: string) => Number(answer.split(' ', 2)[1]);
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('streams to the kubelet', () => {
  let server: TestServer;
  let kubelet: TestKubelet;
  before(async () => {
    server = await TestServer.start();
    kubelet = await TestKubelet.start(server);
    await kubelet.register(server);
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: 'default' } } });
    const container = (name: string) => ({ name, image: 'busybox' });
    const make = (name: string, spec: object) =>
      server.request('POST', pods, { body: { metadata: { name }, spec: { nodeName: 'worker', ...spec } } });
    await make('one', { containers: [container('main')] });
    await make('two', { containers: [container('a'), container('b')], initContainers: [container('first')] });
    const running = { status: { phase: 'Running' } };
    await server.request('PATCH', `${pods}/one/status`, { type: mergePatch, body: running });
    await make('unscheduled', { containers: [container('main')], nodeName: '' });
  });
  beforeEach(() => {
    kubelet.answer = undefined;
    kubelet.upgrade = undefined;
    kubelet.seen.length = 0;
  });
  after(async () => {
    await kubelet.close();
    await server.close();
  });

  const rightsOf = async (name: string, verbs: string[]) => {
    const credentials = await server.authority.issue({ name });
    const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }];
    await server.request('POST', `${rbac}/roles`, { body: { metadata: { name }, rules } });
    await server.request('POST', `${rbac}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
    return credentials;
  };

  it('need `create` whatever the method: GET with get alone 403, with both 101, POST with create alone 101', async () => {
    const path = `${pods}/one/exec?command=0&${stream}`;
    const getter = await rightsOf('getter', ['get']);
    const both = await rightsOf('both', ['get', 'create']);
    const creator = await rightsOf('creator', ['create']);
    const refused = await raw(server, `GET ${path}`, v5, { as: getter });
    assert.equal(statusOf(refused), 403);
    assert.equal(bodyOf(refused).details.name, 'one');
    assert.match(bodyOf(refused).message, /User "getter" cannot create resource "pods\/exec"/);
    assert.equal(statusOf(await raw(server, `GET ${path}`, v5, { as: both })), 101);
    assert.equal(statusOf(await raw(server, `GET ${path}`, v5, { as: creator })), 403);
    assert.equal(statusOf(await raw(server, `POST ${path}`, spdy, { as: creator })), 101);
    assert.equal(statusOf(await raw(server, `POST ${path}`, spdy, { as: getter })), 403);
  });

  const locations: [name: string, path: string, status: number, message: string][] = [
    [
      'several containers and none named',
      `${pods}/two/exec?command=x`,
      400,
      'a container name must be specified for pod two, choose one of: [first a b]',
    ],
    [
      'an unknown container',
      `${pods}/one/exec?command=x&container=zz`,
      400,
      'container zz is not valid for pod one',
    ],
    [
      'a pod without a node',
      `${pods}/unscheduled/exec?command=x`,
      400,
      'pod unscheduled does not have a host assigned',
    ],
    [
      'a pod without a node, attach',
      `${pods}/unscheduled/attach?stdout=1`,
      400,
      'pod unscheduled does not have a host assigned',
    ],
    [
      'a pod without a node, port-forward',
      `${pods}/unscheduled/portforward`,
      400,
      'pod unscheduled does not have a host assigned',
    ],
    ['no pod', `${pods}/absent/exec?command=x`, 404, 'pods "absent" not found'],
  ];
  for (const [name, path, status, message] of locations) {
    it(`are refused for ${name}, upgraded or not`, async () => {
      const plain = await server.request('POST', path);
      assert.deepEqual([plain.status, plain.body.message], [status, message]);
      const upgrade = await raw(server, `POST ${path}`, spdy);
      assert.deepEqual([statusOf(upgrade), bodyOf(upgrade).message], [status, message]);
    });
  }

  it('carry commands of many kilobytes', async () => {
    const script = 'x'.repeat(100_000);
    kubelet.upgrade = (_request, socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    await raw(server, `POST ${pods}/one/exec?command=sh&command=-c&command=${script}&stdout=true`, spdy);
    assert.ok(kubelet.seen[0]?.url.includes(script));
  });

  it('are refused when the request is no upgrade', async () => {
    const { status, body } = await server.request('POST', `${pods}/one/exec?command=x&stdout=true`);
    assert.deepEqual([status, body.message], [400, 'Upgrade request required']);
  });

  it('go to the kubelet with its spelling of the options, over mutual TLS, without the client’s credentials', async () => {
    const path = `${pods}/one/exec?command=sh&command=-c&command=7&stdin=true&stdout=true&stderr=true&tty=false&container=main`;
    await raw(server, `POST ${path}`, [
      ...spdy,
      'Impersonate-User: admin',
      'Impersonate-Group: system:masters',
    ]);
    const [seen] = kubelet.seen;
    assert.equal(
      seen?.url,
      '/exec/default/one/main?input=1&output=1&error=1&command=sh&command=-c&command=7',
    );
    assert.equal(seen?.user, 'apiserver-kubelet-client');
    assert.equal(seen?.headers['impersonate-user'], undefined);
    assert.equal(seen?.headers.authorization, undefined);
  });

  it('of legacy port-forward carry their ports', async () => {
    kubelet.upgrade = (_request, socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    await raw(server, `GET ${pods}/one/portforward?ports=80&ports=81`, webSocketLines);
    assert.equal(kubelet.seen[0]?.url, '/portForward/default/one?port=80%2C81');
  });

  const counts = async (metric: string) => {
    const { text } = await server.request('GET', '/metrics');
    return text
      .split('\n')
      .filter((line) => line.startsWith(metric))
      .join('\n');
  };

  it('are translated for a kubelet that does not speak WebSocket, and passed through to one that does', async () => {
    const path = `${pods}/one/exec?command=0&stdin=true&stdout=true`;
    await raw(server, `GET ${path}`, v5, { until: /\r\n\r\n/ });
    assert.equal(kubelet.seen[0]?.method ?? 'POST', 'POST', 'the translator speaks SPDY');
    await kubelet.register(server, ['ExtendWebSocketsToKubelet']);
    kubelet.seen.length = 0;
    await raw(server, `GET ${path}`, v5);
    assert.equal(kubelet.seen[0]?.method, 'GET');
    assert.equal(kubelet.seen[0]?.headers.upgrade, 'websocket');
    await kubelet.register(server);
    const metric = await counts('apiserver_websocket_streaming_requests_total');
    assert.match(metric, /subresource="exec",proxy_type="translated_at_apiserver"/);
    assert.match(metric, /subresource="exec",proxy_type="proxied_to_kubelet"/);
  });

  it('never follow or relay a redirect', async () => {
    kubelet.upgrade = (_request, socket) =>
      socket.end('HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n');
    const answer = await raw(server, `POST ${pods}/one/exec?command=x&stdout=true`, spdy);
    assert.equal(statusOf(answer), 500);
    assert.equal(
      bodyOf(answer).message,
      'Internal error occurred: invalid upgrade response: status code 302',
    );
    assert.doesNotMatch(answer, /Location/i);
  });

  it('send no byte of the client to a kubelet that refused, and relay what it said', async () => {
    let received = '';
    kubelet.upgrade = (_request, socket) => {
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
      });
      const text = 'container not found ("main")';
      socket.write(
        `HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
    };
    const answer = await raw(server, `POST ${pods}/one/exec?command=x&stdout=true`, spdy, {
      afterwards: 'GET /secret HTTP/1.1\r\n\r\n',
    });
    assert.equal(statusOf(answer), 404);
    assert.match(answer, /container not found \("main"\)$/);
    assert.equal(received, '');
  });

  for (const [code, reason, headers] of [
    [401, 'Unauthorized', ''],
    [403, 'Forbidden (user=x, verb=create, resource=nodes, subresource=proxy)', ''],
    [405, 'Debug endpoints are disabled.', ''],
    [429, 'too many requests', 'Retry-After: 7\r\n'],
    [500, 'unable to upgrade connection: container is gone', ''],
  ] as const) {
    it(`relay the kubelet's ${code} with its headers and text`, async () => {
      kubelet.upgrade = (_request, socket) =>
        socket.end(`HTTP/1.1 ${code} X\r\n${headers}Content-Length: ${reason.length}\r\n\r\n${reason}`);
      const answer = await raw(server, `POST ${pods}/one/exec?command=x&stdout=true`, spdy);
      assert.equal(statusOf(answer), code);
      assert.ok(answer.includes(headers) && answer.endsWith(reason), answer);
    });
  }

  it('tell a kubelet that can not be reached as an internal error', async () => {
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
    };
    await server.request('DELETE', '/api/v1/nodes/worker');
    await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'worker' }, status } });
    const answer = await raw(server, `POST ${pods}/one/exec?command=x&stdout=true`, spdy);
    await kubelet.register(server);
    assert.equal(statusOf(answer), 500);
    assert.match(bodyOf(answer).message, /error dialing backend: /);
  });

  const noWebSockets = unlessKubectlHas('WebSockets');
  for (const webSockets of ['true', 'false']) {
    const skip = webSockets === 'true' && noWebSockets;
    it(`carry kubectl exec both ways, with exit codes, WebSockets ${webSockets}`, { skip }, async () => {
      const environment = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: webSockets };
      const input = 'hello\n'.repeat(10_000);
      const echoed = await server.kubectl(['exec', '-i', 'one', '--', '0'], { input, environment });
      assert.deepEqual([echoed.code, echoed.stdout === input], [0, true], echoed.stderr);
      const failed = await server.kubectl(['exec', 'one', '--', '42'], { environment });
      assert.equal(failed.code, 42, failed.stderr);
    });

    it(`carry kubectl port-forward, WebSockets ${webSockets}`, { skip }, async () => {
      const echo = await startEcho('through the tunnel');
      const environment = { KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets };
      const child = server.spawnKubectl(['port-forward', 'pod/one', `:${echo.port}`], environment);
      try {
        let stderr = '';
        child.stderr?.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
        });
        const port = await new Promise<string>((resolve, reject) => {
          child.stdout?.on('data', (chunk: Buffer) => {
            const [, local] = /127\.0\.0\.1:(\d+)/.exec(chunk.toString()) ?? [];
            if (local) resolve(local);
          });
          child.once('exit', () => reject(new Error(stderr)));
        });
        const answers = await Promise.all([1, 2, 3].map(() => fetch(`http://127.0.0.1:${port}/`)));
        for (const answer of answers) assert.equal(await answer.text(), 'through the tunnel');
      } finally {
        child.kill();
        echo.close();
      }
    });
  }

  it('of port-forward through WebSockets are counted as tunnels', { skip: noWebSockets }, async () => {
    assert.match(await counts('apiserver_stream_tunnel_requests_total'), /code="101"/);
  });

  it('of exec through WebSockets are counted as translated', { skip: noWebSockets }, async () => {
    assert.match(await counts('apiserver_stream_translator_requests_total'), /code="200"/);
  });

  it('are the only ones that an Upgrade header means anything to', async () => {
    const body = JSON.stringify({ metadata: { name: 'not-upgraded' } });
    const lines = [
      'Connection: Upgrade, close',
      'Upgrade: h2c',
      `Content-Length: ${body.length}`,
      'Content-Type: application/json',
    ];
    const path = '/api/v1/namespaces/default/configmaps';
    const answer = await raw(server, `POST ${path}`, lines, { afterwards: body });
    assert.equal(statusOf(answer), 201);
  });

  describe('logs', () => {
    const log = `${pods}/one/log`;

    it('are passed on with the kubelet’s spelling of the options', async () => {
      const query =
        'follow=true&previous=true&timestamps=true&tailLines=5&limitBytes=9&sinceTime=2026-01-02T03%3A04%3A05.678Z';
      const { status, text, headers } = await server.request('GET', `${log}?${query}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/plain');
      const url = new URL(text.trim().slice('log of '.length), 'https://kubelet');
      assert.equal(url.pathname, '/containerLogs/default/one/main');
      const expected = {
        follow: 'true',
        previous: 'true',
        timestamps: 'true',
        tailLines: '5',
        limitBytes: '9',
        sinceTime: '2026-01-02T03:04:05Z',
      };
      assert.deepEqual(Object.fromEntries(url.searchParams), expected);
    });

    it('of a pod without a node are empty: 204', async () => {
      const { status, text } = await server.request('GET', `${pods}/unscheduled/log`);
      assert.deepEqual([status, text], [204, '']);
    });

    for (const [query, message] of [
      ['tailLines=-1', /tailLines: Invalid value: -1: must be greater than or equal to 0/],
      ['limitBytes=0', /limitBytes: Invalid value: 0: must be greater than 0/],
      ['sinceSeconds=0', /sinceSeconds: Invalid value: 0: must be greater than 0/],
      [
        'sinceSeconds=1&sinceTime=2026-01-02T03:04:05Z',
        /at most one of `sinceTime` or `sinceSeconds` may be specified/,
      ],
      ['stream=Stdout', /stream: Forbidden: may not be specified/],
    ] as const) {
      it(`are refused with ${query}: 422`, async () => {
        const { status, body } = await server.request('GET', `${log}?${query}`);
        assert.equal(status, 422);
        assert.match(body.message, message);
      });
    }

    for (const [code, reason, message] of [
      [400, 'BadRequest', 'container is waiting to start'],
      [500, 'InternalError', 'Internal error occurred: disk is gone'],
      [404, 'NotFound', 'pod not found'],
    ] as const) {
      it(`carry the kubelet's ${code}`, async () => {
        kubelet.answer = (_request, response) => {
          response.statusCode = code;
          response.end(message.replace('Internal error occurred: ', ''));
        };
        const { status, body } = await server.request('GET', log);
        assert.deepEqual([status, body.reason, body.message], [code, reason, message]);
      });
    }

    for (const protocol of ['', 'binary.k8s.io', 'base64.binary.k8s.io']) {
      it(`come as WebSocket messages, protocol "${protocol}"`, async () => {
        const text = 'line of a log\n'.repeat(1000);
        kubelet.answer = (_request, response) => response.end(text);
        const url = server.apiserver.url.replace('https', 'wss') + log;
        const socket = new WebSocket(url, protocol === '' ? [] : [protocol], {
          ca: server.authority.cert,
          ...server.admin,
        });
        const messages: Buffer[] = [];
        socket.on('message', (data: Buffer) => messages.push(data));
        const [code] = await once(socket, 'close');
        assert.equal(code, 1000);
        assert.equal(messages[0]?.length, 0, 'an empty message first');
        const isBase64 = protocol.startsWith('base64');
        const decoded = messages.map((data) => (isBase64 ? Buffer.from(data.toString(), 'base64') : data));
        assert.ok(decoded.every(({ length }) => length <= 2048));
        assert.equal(Buffer.concat(decoded).toString(), text);
      });
    }

    it('that break off end in an abnormal close, or an incomplete body', async () => {
      kubelet.answer = (_request, response) => {
        response.write('half a ');
        setTimeout(() => response.destroy(), 50);
      };
      await assert.rejects(server.request('GET', log), /aborted|socket hang up/);
      const url = server.apiserver.url.replace('https', 'wss') + log;
      const socket = new WebSocket(url, [], { ca: server.authority.cert, ...server.admin });
      const [code] = await once(socket, 'close');
      assert.equal(code, 1006);
    });

    it('never follow a redirect', async () => {
      kubelet.answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end();
      const { status, body } = await server.request('GET', log);
      assert.equal(status, 500);
      assert.match(body.message, /redirects forbidden/);
      assert.equal(kubelet.seen.length, 1);
    });
  });

  describe('proxies', () => {
    it('reach the kubelet of a node', async () => {
      const { status, text } = await server.request(
        'GET',
        '/api/v1/nodes/worker/proxy/stats/summary?only=cpu',
      );
      assert.deepEqual([status, text], [200, 'log of /stats/summary?only=cpu\n']);
    });

    it('open no stream at a node for who may only get its proxy, by whatever upgrade', async () => {
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      const apiGroup = 'rbac.authorization.k8s.io';
      const made = async (name: string, verbs: string[]) => {
        const rules = [{ apiGroups: [''], resources: ['nodes/proxy'], verbs }];
        await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name }, rules } });
        const roleRef = { apiGroup, kind: 'ClusterRole', name };
        const subjects = [{ apiGroup, kind: 'User', name }];
        const body = { metadata: { name }, roleRef, subjects };
        await server.request('POST', `${rbac}/clusterrolebindings`, { body });
        return server.authority.issue({ name });
      };
      const [reader, creator] = [await made('reader', ['get']), await made('creator', ['get', 'create'])];
      const page = '/api/v1/nodes/worker/proxy/stats/summary';
      assert.equal((await server.request('GET', page, { as: reader })).status, 200);
      kubelet.seen.length = 0;
      const exec = 'GET /api/v1/nodes/worker/proxy/exec/default/one/main?command=id&output=1';
      for (const lines of [spdy, v5]) {
        const refused = await raw(server, exec, lines, { as: reader });
        assert.equal(statusOf(refused), 403, refused);
        assert.match(bodyOf(refused).message, /cannot create resource "nodes\/proxy"/);
        assert.deepEqual(kubelet.seen, []);
      }
      assert.equal(statusOf(await raw(server, exec, spdy, { as: creator })), 101);
    });

    it('reach no loopback address through a pod', async () => {
      const status = { podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
      await server.request('PATCH', `${pods}/one/status`, {
        type: 'application/merge-patch+json',
        body: { status },
      });
      const answer = await server.request('GET', `${pods}/one:8080/proxy/`);
      assert.deepEqual([answer.status, answer.body.message], [400, 'address not allowed']);
    });

    it('refuse names that are none', async () => {
      const { status, body } = await server.request('GET', `${pods}/a:b:c:d/proxy/`);
      assert.deepEqual([status, body.message], [400, 'invalid pod request "a:b:c:d"']);
    });
  });
});

/** `wherry sessions` before servers that have no sessions, or say anything but a list. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { limits } from '../src/limits.ts';
import { inProcess } from './in-process.ts';

const time = '2026-11-26T12:00:00.000Z';
const evil = 'x\u001b[2J\u202ey';
const item = {
  ...{ id: 'an-id', key: '1', kind: 'exec', state: 'open', namespace: 'default', pod: evil, user: evil },
  ...{ node: 'one', startTime: time, client: {}, streams: [], command: ['sh', '-c', evil] },
};
const list = { kind: 'SessionList', hop: 'apiserver', time, items: [item, { id: 7 }, null] };
const kubeletPath = '/api/v1/nodes/one/proxy/debug/sessions';

/** What is answered at the path of sessions, by the first part of the server's URL. */
const answers: Record<string, RequestListener> = {
  /** net/http and go-restful, as upstream's API server and kubelet have them. */
  upstream: (request, response) => {
    const text = request.url?.includes('/proxy/') ? '404: Page Not Found' : '404 page not found\n';
    response.writeHead(404, { 'content-type': 'text/plain' }).end(text);
  },
  page: (_request, response) => void response.writeHead(200).end('<html>a login page</html>'),
  other: (_request, response) => void response.writeHead(200).end('{"kind":"SessionList","items":5}'),
  endless(_request, response) {
    const chunk = Buffer.alloc(1024 * 1024, '[');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200).on('drain', more);
    more();
  },
  evil: (_request, response) => void response.writeHead(200).end(JSON.stringify(list)),
  /** A kubelet that has them below an API server that has not. */
  below(request, response) {
    if (!request.url?.endsWith(kubeletPath)) return answers['upstream']?.(request, response);
    response.writeHead(200).end(JSON.stringify({ ...list, hop: 'kubelet', node: 'one' }));
  },
};

describe('sessions', { timeout: 60_000 }, () => {
  const server = createServer((request, response) => {
    const [, first = '', ...rest] = (request.url ?? '').split('/');
    if (rest.join('/').startsWith('api/v1/nodes?')) {
      const metadata = { name: 'one' };
      const body = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', items: [{ metadata }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (Object.hasOwn(answers, first)) answers[first]?.(request, response);
    else response.writeHead(500).end();
  });
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const sessions = (kind: string, ...words: string[]) => {
    const { port } = server.address() as AddressInfo;
    return inProcess(['sessions', '--server', `http://127.0.0.1:${port}/${kind}`, ...words]);
  };

  it('of a cluster whose servers are upstream’s are none, and that is said', async () => {
    for (const words of [[], ['-w'], ['-A', '-o', 'json']]) {
      const { code, stdout, stderr } = await sessions('upstream', ...words);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.equal(
        stderr.trimEnd().split('\n').at(-1),
        "error: this cluster tells of no sessions: it has no list of sessions; /debug/sessions is wherry's own, upstream's servers have none",
      );
    }
    const shown = await inProcess([
      ...['sessions', 'show', 'x'],
      ...['--server', `http://127.0.0.1:${(server.address() as AddressInfo).port}/upstream`],
    ]);
    assert.match(shown.stderr, /upstream's servers have none/);
  });

  it('of a kubelet of ours below upstream’s API server are shown, and which hop has none', async () => {
    const { code, stdout, stderr } = await sessions('below', '-A');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /an-id +exec/);
    assert.match(stderr, /^not seen: API server: it has no list of sessions/m);
    assert.match(
      stderr,
      /^not seen: streaming server of one: its list is read by a socket on its node's machine/m,
    );
  });

  it('are not read from what is no list, nor without end', async () => {
    for (const [kind, words] of [
      ['page', /is no list of sessions/],
      ['other', /is no list of sessions/],
      ['endless', new RegExp(`longer than ${limits.sessionListBytesMax} bytes`)],
    ] as const) {
      const { code, stderr } = await sessions(kind);
      assert.equal(code, 1, kind);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /defect/);
    }
  });

  it('are printed without what a terminal obeys, and without what is no session', async () => {
    for (const format of ['wide', 'json', 'yaml', 'name', 'custom-columns=U:.user']) {
      const { code, stdout, stderr } = await sessions('evil', '-o', format);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    }
    const { stdout } = await sessions('evil', '-o', 'json');
    assert.equal(JSON.parse(stdout).length, 1);
    assert.equal(JSON.parse(stdout)[0].user, String.raw`x\x1b[2J\u202ey`);
  });
});

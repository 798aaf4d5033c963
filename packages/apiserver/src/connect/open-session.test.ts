import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import type { Session } from '@wherry/telemetry';
import { TestKubelet } from '../../test/test-kubelet.ts';
import { TestServer } from '../../test/test-server.ts';

const core = '/api/v1';

describe('the sessions of an API server', () => {
  let server: TestServer;
  let kubelet: TestKubelet;
  before(async () => {
    server = await TestServer.start();
    kubelet = await TestKubelet.start(server);
    await kubelet.register(server);
    const inside = `${core}/namespaces/default`;
    await server.request('POST', `${inside}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
    const spec = { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox' }] };
    await server.request('POST', `${inside}/pods`, { body: { metadata: { name: 'web' }, spec } });
  });
  after(async () => {
    await kubelet.close();
    await server.close();
  });

  /** Asks for an exec, with these header lines more, and leaves when it is answered. */
  async function exec(lines: string): Promise<void> {
    const { port } = server.apiserver;
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: server.authority.cert, ...server.admin });
    socket.write(
      `POST ${core}/namespaces/default/pods/web/exec?command=ls&stdout=true HTTP/1.1\r\nHost: x\r\n${lines}` +
        'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n',
    );
    await once(socket, 'data');
    socket.destroy();
  }

  const toldToKubelet = () => kubelet.seen.at(-1)?.headers['audit-id'];
  /** The session that the kubelet was told of last. */
  async function newest(): Promise<Session> {
    const { items } = (await server.request('GET', `/debug/sessions?id=${toldToKubelet()}`)).body;
    assert.equal(items.length, 1);
    return items[0];
  }

  it('have the id by which the kubelet is told of them', async () => {
    await exec('');
    const { id, auditId, pod, command, user } = await newest();
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(toldToKubelet(), id);
    assert.equal(auditId, undefined);
    assert.deepEqual([pod, command, typeof user], ['web', ['ls'], 'string']);
  });

  it('have no id that a client chose, be it another session’s', async () => {
    await exec('');
    const { id: others } = await newest();
    for (const chosen of [others, 'mine', 'x'.repeat(3_000)]) {
      await exec(`Audit-ID: ${chosen}\r\n`);
      const { id, auditId } = await newest();
      assert.notEqual(id, chosen);
      assert.equal(auditId, chosen.slice(0, 256));
    }
    const { items } = (await server.request('GET', `/debug/sessions?id=${others}`)).body;
    assert.equal(items.length, 1, 'the other session is alone under its id');
  });

  it('are shown to those who may read the path alone, and to so many at once', async () => {
    const stranger = await server.authority.issue({ name: 'mallory' });
    for (const path of ['/debug/sessions', '/debug/sessions?watch=1'])
      assert.equal((await server.request('GET', path, { as: stranger })).status, 403);
    assert.equal((await server.request('POST', '/debug/sessions')).status, 405);
    const { port } = server.apiserver;
    const options = { port, host: '127.0.0.1', ca: server.authority.cert, ...server.admin };
    const watches = [];
    for (let count = 0; count < 16; count++) {
      const watch = get({ ...options, path: '/debug/sessions?watch=1', agent: false }).on('error', () => {});
      const [answer] = await once(watch, 'response');
      assert.equal(answer.statusCode, 200);
      watches.push(watch);
    }
    assert.equal((await server.request('GET', '/debug/sessions?watch=1')).status, 429);
    for (const watch of watches) watch.destroy();
  });
});

/** One user takes all the places that he can get, and keeps them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { MetricsRegistry } from '@wherry/telemetry';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';
import { limits } from '../limits.ts';

const inFlightMax = limits.readingInFlightMax + limits.changesInFlightMax;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

describe('a flood of one user', { timeout: 120_000 }, () => {
  let server: TestServer;
  const metrics = new MetricsRegistry();
  const users = new Map<string, Credentials>();
  const flood: TLSSocket[] = [];
  let refusals = 0;
  before(async () => {
    server = await TestServer.start({ metrics });
    for (const name of ['flood', 'modest']) users.set(name, await server.authority.issue({ name }));
    const node = { name: 'system:node:worker', groups: ['system:nodes'] };
    users.set('node', await server.authority.issue(node));
    users.set('leader', await server.authority.issue({ name: 'system:kube-controller-manager' }));
    const subjects = ['flood', 'modest', 'system:kube-controller-manager'].map((name) => ({
      ...{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name },
    }));
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = { metadata: { name: 'everybody' }, roleRef, subjects };
    await server.request('POST', `${rbac}/clusterrolebindings`, { body: binding });
    await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'worker' } } });
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'kube-node-lease' } } });
    // More requests than the server serves at once, each with a body that never comes.
    while (flood.length < inFlightMax + 100) await Promise.all(Array.from({ length: 50 }, holdPlace));
    await until(() => refusals > 0);
  });
  after(async () => {
    for (const socket of flood) socket.destroy();
    await server?.close();
  });

  async function holdPlace(): Promise<void> {
    const { cert, key } = users.get('flood')!;
    const socket = connect({
      port: server.apiserver.port,
      host: '127.0.0.1',
      ca: server.authority.cert,
      cert,
      key,
    });
    flood.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (String(chunk).startsWith('HTTP/1.1 429')) refusals += 1;
    });
    await once(socket, 'secureConnect');
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
    );
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  const ask = (name: string, method: string, path: string, body?: object) =>
    server.request(method, path, { as: users.get(name)!, body });

  it('is told to come back', async () => {
    assert.ok(refusals > 0);
    const { status, headers, body } = await ask('flood', 'GET', configMaps);
    assert.equal(status, 429);
    assert.equal(headers['retry-after'], '1');
    assert.equal(body.reason, 'TooManyRequests');
    assert.equal(body.message, 'too many requests, please try again later');
  });

  it('delays no lease', async () => {
    const lease = { metadata: { name: 'worker' }, spec: { holderIdentity: 'worker' } };
    assert.equal((await ask('node', 'POST', leases, lease)).status, 201);
    for (let at = 0; at < 20; at++) {
      const { body, status } = await ask('node', 'GET', `${leases}/worker`);
      assert.equal(status, 200);
      assert.equal((await ask('node', 'PUT', `${leases}/worker`, body)).status, 200);
    }
    const election = { metadata: { name: 'kube-controller-manager' }, spec: { holderIdentity: 'one' } };
    assert.equal((await ask('leader', 'POST', leases, election)).status, 201);
    assert.equal((await ask('node', 'GET', '/api/v1/nodes/worker')).status, 200);
  });

  it('leaves a place for another user of the same level', async () => {
    for (let at = 0; at < 5; at++) assert.equal((await ask('modest', 'GET', configMaps)).status, 200);
  });

  it('leaves administrators and health checks alone', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.equal((await server.request('GET', path, { as: null })).status, 200);
    }
    assert.equal((await server.request('GET', configMaps)).status, 200);
  });

  it('is counted, by level and why', () => {
    const text = metrics.render();
    const labels = 'priority_level="global-default",flow_schema="global-default"';
    assert.match(
      text,
      new RegExp(`apiserver_flowcontrol_rejected_requests_total\\{${labels},reason="queue-full"\\} `),
    );
    const [, held = ''] =
      new RegExp(`apiserver_flowcontrol_current_executing_requests\\{${labels}\\} (\\d+)`).exec(text) ?? [];
    assert.ok(Number(held) > 0 && Number(held) < inFlightMax / 10, held);
  });
});

describe('watches of one user', { timeout: 120_000 }, () => {
  it('have a bound, and those of nodes are not in it and have one of their own', async () => {
    const metrics = new MetricsRegistry();
    const { FlowControl } = await import('./flow-control.ts');
    const { FakeClock } = await import('@wherry/clock');
    const none = { generation: 1, values: () => [] };
    const flows = new FlowControl({
      ...{ metrics, clock: new FakeClock(), inFlightMax, schemas: none, levels: none },
    });
    const { signal } = new AbortController();
    const watch = {
      isResource: true,
      verb: 'watch',
      resource: 'pods',
      subresource: '',
      namespace: '',
    } as never;
    const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
    const enter = (name: string, group: string) => {
      const who = user(name, group);
      return flows.enter(flows.placeOf(who, watch), who, { info: watch, signal });
    };
    const leaves = [];
    for (let at = 0; at < limits.longRunningPerFlowMax; at++)
      leaves.push(await enter('a', 'system:authenticated'));
    await assert.rejects(enter('a', 'system:authenticated'), /too many requests/);
    await enter('b', 'system:authenticated');
    await enter('system:node:n', 'system:nodes');
    leaves.pop()!();
    await enter('a', 'system:authenticated');
    for (let at = 1; at < limits.longRunningPerNodeMax; at++) await enter('system:node:n', 'system:nodes');
    await assert.rejects(enter('system:node:n', 'system:nodes'), /too many requests/);
    await enter('system:node:m', 'system:nodes');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { TestServer } from '../../../test/test-server.ts';

const path = '/api/v1/componentstatuses';

describe('component statuses', () => {
  let server: TestServer;
  const clock = new FakeClock({ nowMs: Date.parse('2026-01-02T03:04:05Z') });
  before(async () => {
    server = await TestServer.start({ clock });
  });
  after(() => server.close());

  const take = (name: string) =>
    server.request('POST', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', {
      body: {
        metadata: { name },
        spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:00.000000Z' },
      },
    });
  const statuses = async () => {
    const { body } = await server.request('GET', path);
    return body.items.map(
      (item: { metadata: { name: string }; conditions: { status: string; message: string }[] }) => [
        item.metadata.name,
        item.conditions[0]?.status,
        item.conditions[0]?.message,
      ],
    );
  };

  it('tell who schedules and controls by their leases, and of the store', async () => {
    await take('kube-scheduler');
    const idle = 'lease kube-system/kube-controller-manager: nobody has taken it';
    assert.deepEqual(await statuses(), [
      ['scheduler', 'True', 'ok'],
      ['controller-manager', 'False', idle],
      ['etcd-0', 'True', 'ok'],
    ]);
    await take('kube-controller-manager');
    clock.advance(11_000);
    const [[, status, message]] = await statuses();
    assert.deepEqual(
      [status, message],
      ['False', 'lease kube-system/kube-scheduler: not renewed since 2026-01-02T03:04:00.000000Z'],
    );
  });

  it('are found by name and by selectors, and are not written', async () => {
    const { body, headers } = await server.request('GET', `${path}/etcd-0`);
    assert.deepEqual([body.kind, body.metadata.name], ['ComponentStatus', 'etcd-0']);
    assert.equal(headers['warning'], '299 - "v1 ComponentStatus is deprecated in v1.19+"');
    assert.equal((await server.request('GET', `${path}/other`)).status, 404);
    const one = await server.request('GET', `${path}?fieldSelector=metadata.name%3Dscheduler`);
    assert.equal(one.body.items.length, 1);
    assert.equal((await server.request('GET', `${path}?labelSelector=a`)).body.items.length, 0);
    assert.equal((await server.request('POST', path, { body: {} })).status, 405);
  });

  it('are printed by kubectl as upstream prints them', async () => {
    const { stdout } = await server.kubectl(['get', 'cs']);
    assert.match(stdout, /^NAME +STATUS +MESSAGE +ERROR\n/);
    assert.match(stdout, /\netcd-0 +Healthy +ok +\n/);
  });
});

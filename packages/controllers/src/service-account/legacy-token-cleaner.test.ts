import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { kinds } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Secret, ServiceAccount } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { startControllers } from '../start.ts';
import { fateOf } from './legacy-token-cleaner.ts';

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const type = 'kubernetes.io/service-account-token';
const dayMs = 86_400_000;

describe('a token in a secret', () => {
  const nowMs = Date.parse('2026-06-15T12:00:00Z');
  const account: ServiceAccount = { metadata: { name: 'robot', uid: 'u' }, secrets: [{ name: 'auto' }] };
  const secretWith = (metadata: Secret['metadata'] = {}, more: Partial<Secret> = {}): Secret => ({
    type,
    metadata: {
      ...{ name: 'auto', namespace: 'n', creationTimestamp: '2024-01-01T00:00:00Z' },
      annotations: {
        'kubernetes.io/service-account.name': 'robot',
        'kubernetes.io/service-account.uid': 'u',
      },
      ...metadata,
    },
    ...more,
  });
  const fate = (secret: Secret, mounted = '', unusedMs = 365 * dayMs) =>
    fateOf(secret, {
      ...{ nowMs, unusedMs, accounts: new Map([['n/robot', account]]) },
      isMounted: (namespace, name) => mounted === `${namespace}/${name}`,
    });
  const labelled = (labels: Record<string, string>) => fate(secretWith({ labels }));

  it('is marked when nobody has used it for a year, and deleted after another', () => {
    assert.equal(fate(secretWith()), 'mark');
    assert.equal(labelled({ [lastUsed]: '2025-06-14' }), 'mark');
    assert.equal(labelled({ [invalidSince]: 'soon' }), 'mark');
    assert.equal(labelled({ [invalidSince]: '2025-06-14' }), 'delete');
    assert.equal(labelled({ [invalidSince]: '2025-06-15' }), 'keep');
  });

  it('is marked as soon as a flag says', () => {
    const used = (day: string) => secretWith({ labels: { [lastUsed]: day } });
    assert.equal(fate(used('2026-06-10'), '', 3 * dayMs), 'mark');
    assert.equal(fate(used('2026-06-12'), '', 3 * dayMs), 'keep');
  });

  it('stays when it was used or made since, or nobody knows', () => {
    assert.equal(labelled({ [lastUsed]: '2025-06-15', [invalidSince]: '2020-01-01' }), 'keep');
    assert.equal(labelled({ [lastUsed]: '2025-02-30' }), 'keep');
    assert.equal(labelled({ [lastUsed]: '' }), 'keep');
    assert.equal(fate(secretWith({ creationTimestamp: '2025-06-15T12:00:00Z' })), 'keep');
    assert.equal(fate(secretWith({ deletionTimestamp: '2026-06-15T12:00:00Z' })), 'keep');
    assert.equal(fate(secretWith({}, { type: 'Opaque' })), 'keep');
  });

  it('stays when somebody made it by hand, for another account, or a pod reads it', () => {
    assert.equal(fate(secretWith({ name: 'manual' })), 'keep');
    assert.equal(fate(secretWith({ annotations: {} })), 'keep');
    const annotations = { 'kubernetes.io/service-account.name': 'robot' };
    assert.equal(fate(secretWith({ annotations })), 'mark');
    assert.equal(
      fate(secretWith({ annotations: { ...annotations, 'kubernetes.io/service-account.uid': 'v' } })),
      'keep',
    );
    assert.equal(fate(secretWith(), 'n/auto'), 'keep');
  });
});

it('unused tokens are marked once they were tracked for a year, and go a year later; what pods read stays', async () => {
  const cluster = await TestCluster.startServer();
  const clock = new FakeClock({ nowMs: Date.now() });
  const { client } = cluster;
  const account = (await cluster.create(
    kinds.serviceAccounts,
    'robot',
    {},
    { secrets: [{ name: 'auto' }, { name: 'mounted' }] },
  )) as ServiceAccount;
  for (const name of ['auto', 'mounted', 'manual'])
    await client.resource(kinds.secrets).create({
      ...{ apiVersion: 'v1', kind: 'Secret', type },
      metadata: {
        ...{ name, namespace: 'default' },
        annotations: {
          'kubernetes.io/service-account.name': 'robot',
          'kubernetes.io/service-account.uid': account.metadata.uid ?? '',
        },
      },
    });
  await cluster.create(kinds.serviceAccounts, 'default');
  await client.resource(kinds.pods).create({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'reader', namespace: 'default' } },
    spec: {
      containers: [{ name: 'main', image: 'demo' }],
      volumes: [{ name: 'token', secret: { secretName: 'mounted' } }],
    },
  });
  const controllers = startControllers({
    client: cluster.managers['kube-controller-manager'],
    rootCaPem: cluster.server.authority.cert,
    controllers: ['legacy-serviceaccount-token-cleaner-controller'],
    clock,
  });
  const read = (name: string) => cluster.read(kinds.secrets, name) as Promise<Secret | undefined>;
  const mark = async (name: string) => (await read(name))?.metadata.labels?.[invalidSince];
  try {
    await eventually('it has looked', async () => clock.pendingTimers > 0);
    await delay(200);
    clock.advance(365 * dayMs);
    await delay(300);
    assert.equal(await mark('auto'), undefined);
    clock.advance(2 * dayMs);
    const day = await eventually('auto is marked', () => mark('auto'));
    assert.equal(day, new Date(clock.nowMs()).toISOString().slice(0, 10));
    await delay(100);
    clock.advance(366 * dayMs);
    await cluster.gone(kinds.secrets, 'auto');
    assert.deepEqual([await mark('mounted'), await mark('manual')], [undefined, undefined]);
    assert.ok((await read('mounted')) && (await read('manual')));
  } finally {
    await controllers.close();
    await cluster.close();
  }
});

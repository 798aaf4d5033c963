import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CertificateSigningRequest } from '@wherry/kubeapi';
import { isStale } from './cleaner-controller.ts';
import { lifetimeOf } from './signing-controller.ts';

const nowMs = Date.parse('2026-01-02T00:00:00Z');
const hoursAgo = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString();
const request = (ageHours: number, status?: CertificateSigningRequest['status']) =>
  ({
    metadata: { name: 'a', creationTimestamp: hoursAgo(ageHours) },
    spec: { request: '', signerName: '' },
    status,
  }) as CertificateSigningRequest;
const condition = (type: string, hours: number) => ({
  type,
  status: 'True',
  lastUpdateTime: hoursAgo(hours),
});

it('a request stays for an hour once it is answered, and for a day while it is not', () => {
  const cases: [CertificateSigningRequest, boolean][] = [
    [request(23), false],
    [request(25), true],
    [request(25, { conditions: [condition('Denied', 0.9)] }), false],
    [request(25, { conditions: [condition('Denied', 1.1)] }), true],
    [request(25, { conditions: [condition('Approved', 23)] }), false],
    [request(25, { conditions: [condition('Approved', 25)] }), true],
    [request(25, { conditions: [condition('Approved', 1.1)], certificate: 'AAAA' }), true],
    [request(25, { conditions: [condition('Approved', 2), condition('Failed', 0.5)] }), false],
    [request(25, { conditions: [condition('Approved', 2), condition('Failed', 1.1)] }), true],
  ];
  for (const [each, expected] of cases)
    assert.equal(isStale(each, nowMs), expected, JSON.stringify(each.status));
});

it('a certificate lives as long as was asked for, from ten minutes up to what the signer gives', () => {
  assert.deepEqual(
    [undefined, 60, 3_600, 100_000].map((seconds) => lifetimeOf(seconds, 10_000_000)),
    [10_000_000, 600_000, 3_600_000, 10_000_000],
  );
});

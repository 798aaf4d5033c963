import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { container, pod } from '../../../test/builders.ts';
import { claimedVolume } from './claimed-volume.ts';

const of = pod({ containers: [container('a')] });
const { signal } = new AbortController();

/** Looks for the volume of a claim, as an API server has the two of them. */
function look(claim: object, claimRef: object | undefined, isEphemeral = false) {
  const metadata = { name: 'c', namespace: 'default', uid: 'claim-1' };
  const bound = { metadata, status: { phase: 'Bound' }, spec: { volumeName: 'v' }, ...claim };
  const volume = { metadata: { name: 'v' }, spec: { claimRef } };
  const found = [bound, volume];
  const client = { resource: () => ({ get: async () => found.shift() }) } as unknown as KubeClient;
  return claimedVolume(client, of, { claimName: 'c', isEphemeral, signal });
}

test('a claim stands for the volume that names it', async () => {
  const { metadata } = await look({}, { uid: 'claim-1' });
  assert.equal(metadata.name, 'v');
});

const mine = { uid: 'claim-1' };
const refused: [what: string, looked: () => Promise<unknown>, said: string][] = [
  [
    'a volume that names no claim',
    () => look({}, undefined),
    'error processing PVC default/c: found PV object v but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim',
  ],
  [
    'a volume that names another claim',
    () => look({}, { uid: 'claim-2' }),
    'error processing PVC default/c: found PV object v but its pv.Spec.ClaimRef.UID claim-2 does not point to claim.UID claim-1',
  ],
  [
    'a claim of somebody else, for an ephemeral volume',
    () => look({}, mine, true),
    'PVC default/c was not created for pod default/p (pod is not owner)',
  ],
  [
    'one that is not bound either, for which that is told first',
    () => look({ status: {} }, mine, true),
    'error processing PVC default/c: PVC is not bound',
  ],
];
for (const [what, looked, said] of refused)
  test(`no volume is found for ${what}`, () =>
    assert.rejects(looked(), { name: 'ClaimError', message: said }));

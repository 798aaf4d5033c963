import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { notFound } from '@wherry/kubeapi';
import { AccountToken } from './account-token.ts';

/** A server that has the account from when it is made on, and gives tokens `1`, `2`, … for an hour each. */
function serverAt(clock: FakeClock) {
  const calls: string[] = [];
  let exists = false;
  let count = 0;
  const create = async (_: object, { subresource = 'account' }: { subresource?: string } = {}) => {
    calls.push(subresource);
    if (subresource === 'account') {
      exists = true;
      return {};
    }
    if (!exists) throw notFound({ group: '', resource: 'serviceaccounts' }, 'job-controller');
    count += 1;
    const expirationTimestamp = new Date(clock.nowMs() + 3_600_000).toISOString();
    return { status: { token: String(count), expirationTimestamp } };
  };
  return { calls, client: { resource: () => ({ create }) } as unknown as KubeClient };
}

test('the token of an account is asked for once, and anew when four fifths of its life are over', async () => {
  const clock = new FakeClock();
  const { calls, client } = serverAt(clock);
  const token = new AccountToken({ client, account: 'job-controller', clock });
  const both = await Promise.all([token.current(), token.current()]);
  assert.deepEqual(both, [{ token: '1' }, { token: '1' }]);
  assert.deepEqual(calls, ['token', 'account', 'token']);
  clock.advance(2_879_000);
  assert.deepEqual(await token.current(), { token: '1' });
  clock.advance(2_000);
  assert.deepEqual(await token.current(), { token: '2' });
});

test('a token that is refused is replaced, by another alone', async () => {
  const clock = new FakeClock();
  const { client } = serverAt(clock);
  const token = new AccountToken({ client, account: 'job-controller', clock });
  const first = await token.current();
  assert.equal(await token.replace(first), true);
  assert.deepEqual(await token.current(), { token: '2' });
  // Who was refused with an older one finds that there is another already.
  assert.equal(await token.replace(first), true);
  assert.deepEqual(await token.current(), { token: '2' });
});

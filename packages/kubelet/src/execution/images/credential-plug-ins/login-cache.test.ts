import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { cachedLoginsCharactersMax, cachedLoginsMax } from '../../../limits.ts';
import { LoginCache } from './login-cache.ts';

it('of logins that are too many, or too large together, the oldest go', () => {
  const cache = new LoginCache<{ password: string }>(new FakeClock());
  const small = { password: 'p' };
  for (let at = 0; at <= cachedLoginsMax; at += 1) cache.set(`${at}`, small, 1_000);
  assert.deepEqual([cache.get('0'), cache.get('1')], [undefined, small]);
  const large = { password: 'x'.repeat(cachedLoginsCharactersMax / 4) };
  for (const key of ['a', 'b', 'c', 'd', 'd']) cache.set(key, large, 1_000);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('d')], [undefined, large, large]);
  assert.equal(cache.get(`${cachedLoginsMax}`), undefined);
});

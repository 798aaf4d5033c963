import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { streamingLimits } from './limits.ts';
import { TokenCache } from './token-cache.ts';

describe('TokenCache', () => {
  it('gives tokens of 8 URL-safe characters that work once', () => {
    const cache = new TokenCache<string>({ clock: new FakeClock() });
    const token = cache.insert('a');
    assert.match(token, /^[\w-]{8}$/);
    assert.equal(cache.redeem(token), 'a');
    assert.equal(cache.redeem(token), undefined);
    assert.equal(cache.redeem('unknown1'), undefined);
  });

  it('lets a token live for a minute and not a millisecond more', () => {
    const clock = new FakeClock();
    const cache = new TokenCache<string>({ clock });
    const [early, late] = [cache.insert('a'), cache.insert('b')];
    clock.advance(streamingLimits.tokenLifetimeMs - 1);
    assert.equal(cache.redeem(early), 'a');
    clock.advance(1);
    assert.equal(cache.redeem(late), undefined);
  });

  it('refuses the 1001st pending request, and takes requests again when the old ones have expired', () => {
    const clock = new FakeClock();
    const cache = new TokenCache<number>({ clock });
    for (let index = 0; index < 1000; index++) cache.insert(index);
    const refusal = { code: 'RESOURCE_EXHAUSTED', message: 'maximum number of in-flight requests exceeded' };
    assert.throws(() => cache.insert(1000), refusal);
    clock.advance(streamingLimits.tokenLifetimeMs);
    cache.insert(1001);
    assert.equal(cache.pending, 1);
  });
});

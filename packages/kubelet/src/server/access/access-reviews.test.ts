import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { SubjectAccessReview } from '@wherry/kubeapi';
import { AccessReviews } from './access-reviews.ts';

const nonResourceAttributes = { verb: 'get', path: '/metrics' };
const ann = { name: 'ann', uid: 'u', groups: ['devs'] };

/** Reviews by a server that lets those do what they ask whose extra `scopes` are not narrowed. */
function reviewsWith(clock: FakeClock) {
  const asked: SubjectAccessReview['spec'][] = [];
  const create = async ({ spec }: SubjectAccessReview) => {
    asked.push(spec);
    return { status: { allowed: spec.extra?.['scopes'] === undefined } };
  };
  const client = { resource: () => ({ create }) } as unknown as KubeClient;
  return { asked, reviews: new AccessReviews({ client, clock, entriesMax: 10, lifeMs: () => 1_000 }) };
}

describe('who may do something', () => {
  it('is asked with all that is known of him, and no answer is another’s', async () => {
    const { asked, reviews } = reviewsWith(new FakeClock());
    const narrowed = { ...ann, extra: { scopes: ['pods'] } };
    assert.equal(await reviews.isAllowed(ann, { nonResourceAttributes }), true);
    assert.equal(await reviews.isAllowed(narrowed, { nonResourceAttributes }), false);
    assert.deepEqual(asked[1], {
      ...{ user: 'ann', uid: 'u', groups: ['devs'], extra: { scopes: ['pods'] } },
      nonResourceAttributes,
    });
  });

  it('is asked once while its answer counts', async () => {
    const clock = new FakeClock();
    const { asked, reviews } = reviewsWith(clock);
    for (const advance of [0, 999, 1]) {
      clock.advance(advance);
      await reviews.isAllowed(ann, { nonResourceAttributes });
    }
    assert.equal(asked.length, 2);
  });

  it('can’t be told without a server', async () => {
    const without = new AccessReviews({
      ...{ client: undefined, clock: new FakeClock(), entriesMax: 1, lifeMs: () => 1 },
    });
    await assert.rejects(without.isAllowed(ann, { nonResourceAttributes }), /no API server to ask/);
  });
});

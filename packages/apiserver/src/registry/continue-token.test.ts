import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const tokenOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('a continue token tells where the next page begins', () => {
  const point = { revision: 17, after: 'default/some-é' };
  assert.deepEqual(decodeContinue(encodeContinue(point)), point);
  const dotted = { revision: 1, after: 'default/a..b' };
  assert.deepEqual(decodeContinue(encodeContinue(dotted)), dotted);
  const fresh = { revision: undefined, after: 'default/a' };
  assert.deepEqual(decodeContinue(encodeContinue(fresh)), fresh);
  assert.deepEqual(decodeContinue(tokenOf({ v: 'meta.k8s.io/v1', rv: -1, start: 'default/a\0' })), fresh);
});

it('a continue token that this server did not make is refused with 400', () => {
  const good = { v: 'meta.k8s.io/v1', rv: 3, start: 'default/a\0' };
  assert.deepEqual(decodeContinue(tokenOf(good)), { revision: 3, after: 'default/a' });
  const bad = [
    'no token',
    tokenOf(null),
    tokenOf([]),
    tokenOf({ ...good, v: 'meta.k8s.io/v2' }),
    tokenOf({ ...good, rv: 0 }),
    tokenOf({ ...good, rv: -2 }),
    tokenOf({ ...good, rv: '3' }),
    tokenOf({ ...good, rv: 1e300 }),
    tokenOf({ ...good, start: 'default/a' }),
    ...['../secrets/x', './a', 'a/../..', 'a//b', 'a/.', ''].map((start) =>
      tokenOf({ ...good, start: `${start}\0` }),
    ),
    tokenOf({ ...good, start: 7 }),
  ];
  for (const token of bad) assert.throws(() => decodeContinue(token), { code: 400 }, token);
});

it('what is wrong with a continue token is told', () => {
  const refusal = (token: string) => {
    try {
      decodeContinue(token);
      return 'taken';
    } catch (error) {
      return (error as Error).message.replace('invalid continue token: continue key is not valid: ', '');
    }
  };
  const good = { v: 'meta.k8s.io/v1', rv: 3, start: 'default/a\0' };
  const unknown = 'server does not recognize this encoded version ';
  assert.equal(refusal(tokenOf({})), unknown);
  assert.equal(refusal(tokenOf({ ...good, v: 'meta.k8s.io/v9' })), `${unknown}meta.k8s.io/v9`);
  const revision = 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)';
  assert.equal(refusal(tokenOf({ ...good, rv: 0 })), revision);
  assert.equal(refusal(tokenOf({ ...good, start: '' })), 'encoded start key empty (version meta.k8s.io/v1)');
  assert.equal(refusal('eyJ9'), 'unexpected end of JSON input');
  assert.equal(refusal('rubbish'), "invalid character '®' looking for beginning of value");
});

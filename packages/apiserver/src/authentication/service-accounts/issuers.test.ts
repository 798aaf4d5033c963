import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';
import { serviceAccountIssuers, usualIssuer } from './issuers.ts';

it('of several issuers of service accounts’ tokens the first makes them, and those of the others are believed', async () => {
  const [old, next] = ['https://old.example.com', 'https://new.example.com'];
  const server = await TestServer.start({ serviceAccountIssuer: old });
  try {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: 'robot' } } });
    const tokenOf = async () => {
      const { body } = await server.request('POST', `${accounts}/robot/token`, { body: { spec: {} } });
      return body.status.token as string;
    };
    const issuerOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const isKnown = async (token: string) => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      return (await server.request('POST', path, { body, token, as: null })).status === 201;
    };
    const made = await tokenOf();
    const jwksUri = 'https://keys.example.com/jwks';
    Object.assign(server.options, { serviceAccountIssuer: [next, old], serviceAccountJwksUri: jwksUri });
    await server.restart();
    const renewed = await tokenOf();
    assert.deepEqual([issuerOf(made).iss, issuerOf(renewed).iss], [old, next]);
    assert.deepEqual([issuerOf(made).aud, issuerOf(renewed).aud], [[old], [next, old]]);
    assert.deepEqual([await isKnown(made), await isKnown(renewed)], [true, true]);
    const { body } = await server.request('GET', '/.well-known/openid-configuration');
    assert.deepEqual([body.issuer, body.jwks_uri], [next, jwksUri]);
    Object.assign(server.options, { serviceAccountIssuer: [next] });
    await server.restart();
    assert.deepEqual([await isKnown(made), await isKnown(renewed)], [false, true]);
  } finally {
    await server.close();
  }
});

it('issuers are texts that differ, and URLs where they have a colon; the keys are at an https URL', async () => {
  assert.deepEqual(serviceAccountIssuers(), { first: usualIssuer, all: [usualIssuer] });
  assert.deepEqual(serviceAccountIssuers(['a', 'b']), { first: 'a', all: ['a', 'b'] });
  assert.throws(() => serviceAccountIssuers(['a', '']), /should not be an empty string$/);
  assert.throws(() => serviceAccountIssuers(['a', 'a']), /"a" is already specified$/);
  assert.throws(() => serviceAccountIssuers(':a'), /":a" contained a ':' but was not a valid URL$/);
  for (const [uri, why] of [
    ['http://keys.example.com', 'requires https scheme'],
    ['keys', 'must be a valid URL'],
  ])
    await assert.rejects(TestServer.start({ serviceAccountJwksUri: uri }), new RegExp(`jwks-uri ${why}`));
});

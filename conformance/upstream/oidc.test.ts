/** Users of an identity provider at ours and at Kubernetes' own API server: who each takes a token for. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { JWTPayload } from 'jose';
import { eventually } from '../../e2e/node.ts';
import { IdentityProvider } from '../../packages/apiserver/test/identity-provider.ts';
import { shownFamilies } from './shown-families.ts';
import { TwoServers } from './two-servers.ts';

const soonSeconds = Math.floor(Date.now() / 1_000) + 600;

/** Claims over usual ones, by flags of the servers. */
const stories: readonly {
  flags: Readonly<Record<string, string>>;
  port: number;
  claims: readonly JWTPayload[];
}[] = [
  {
    flags: { 'groups-claim': 'groups', 'groups-prefix': 'corp:' },
    port: 26_461,
    claims: [
      {},
      { groups: ['dev', 'ops'], jti: 'one' },
      { groups: 'dev', jti: '' },
      { groups: [] },
      { groups: null },
      { groups: [1] },
      { groups: { a: 1 } },
      { sub: undefined },
      { sub: 7 as unknown as string },
      { sub: 'system:admin' },
      { aud: 'other' },
      { aud: ['other', 'wherry'] },
      { aud: [] },
      { exp: soonSeconds - 1_200 },
      { exp: undefined },
      { exp: soonSeconds + 0.5 },
      { nbf: soonSeconds },
      { nbf: soonSeconds - 570 },
      { iss: 'https://other.example' },
      { jti: 7 as unknown as string },
      { _claim_names: { groups: 'gone' } },
    ],
  },
  {
    flags: { 'username-claim': 'email', 'required-claim': 'hd=example.com', 'signing-algs': 'RS256,ES256' },
    port: 26_463,
    claims: [
      { email: 'ada@example.com', hd: 'example.com' },
      { email: 'ada@example.com', hd: 'example.com', email_verified: true },
      { email: 'ada@example.com', hd: 'example.com', email_verified: false },
      { email: 'ada@example.com', hd: 'example.com', email_verified: 'true' },
      { email: 'ada@example.com', hd: 'example.org' },
      { email: 'ada@example.com', hd: ['example.com'] },
      { email: 'ada@example.com' },
      { hd: 'example.com' },
      { email: ['ada@example.com'], hd: 'example.com' },
    ],
  },
  {
    flags: { 'username-prefix': '-', 'username-claim': 'name' },
    port: 26_465,
    claims: [{ name: 'ada' }, { name: 'Ada L' }],
  },
];

const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

for (const { flags, port, claims } of stories)
  describe(`an identity provider with ${JSON.stringify(flags)}`, () => {
    let two: TwoServers;
    let provider: IdentityProvider;
    before(async () => {
      two = await TwoServers.start({
        ...{ port, etcdPort: port + 1 },
        async prepare({ authority, folder, options }) {
          provider = await IdentityProvider.start(authority);
          const caFile = options.clientCaFile ?? join(folder, 'ca.crt');
          const { 'required-claim': required, 'signing-algs': algs, ...plain } = flags;
          const [claim = '', value = ''] = required?.split('=') ?? [];
          const oidc = {
            ...{ issuerUrl: provider.url, clientId: 'wherry', caFile },
            ...Object.fromEntries(Object.entries(plain).map(([name, text]) => [camel(name), text])),
            ...(required ? { requiredClaims: { [claim]: value } } : {}),
            ...(algs ? { signingAlgs: algs.split(',') } : {}),
          };
          const theirs = { 'issuer-url': provider.url, 'client-id': 'wherry', 'ca-file': caFile, ...flags };
          return {
            options: { oidc },
            flags: Object.entries(theirs).map(([name, text]) => `--oidc-${name}=${text}`),
          };
        },
      });
      const [first = {}] = claims;
      const token = await provider.token(first);
      for (const url of two.urls)
        await eventually(
          'the provider is found',
          async () => typeof (await two.whoIs(url, token)) === 'object',
        );
    });
    after(async () => {
      await two?.close();
      await provider?.close();
    });

    for (const each of claims)
      it(`a token that says ${JSON.stringify(each, (_, value) => (value === undefined ? 'nothing' : value))}`, async () => {
        const token = await provider.token(each);
        const [ours, theirs] = await Promise.all(two.urls.map((url) => two.whoIs(url, token)));
        assert.deepEqual(ours, theirs);
      });

    if (flags['groups-claim'])
      it('a token that leaves its groups to others to tell', async () => {
        const tells = (path: string, text: string, status = 200) => {
          provider.elsewhere.set(path, () => ({ status, text }));
          return { endpoint: `${provider.url}${path}` };
        };
        const elsewhere = (source: object, more: JWTPayload = {}): JWTPayload => ({
          ...{ _claim_names: { groups: 'src' }, _claim_sources: { src: source } },
          ...more,
        });
        const good = tells('/good', await provider.token({ groups: ['dev'] }));
        // Theirs finds who has signed it at the first of them, and refuses that one.
        await eventually('theirs asks', async () => {
          const token = await provider.token(elsewhere(good, { jti: String(Math.random()) }));
          return typeof (await two.whoIs(two.urls[1], token)) === 'object';
        });
        for (const [what, claims] of Object.entries({
          'good groups': elsewhere(good),
          'its own as well': elsewhere(good, { groups: ['own'] }),
          'a line behind it': elsewhere(tells('/line', `${await provider.token({ groups: 'ops' })}\n`)),
          'for others': elsewhere(tells('/others', await provider.token({ groups: ['x'], aud: 'other' }))),
          'past its time': elsewhere(tells('/old', await provider.token({ groups: ['x'], exp: 1 }))),
          'without it': elsewhere(tells('/none', await provider.token({}))),
          'not there': elsewhere(tells('/404', await provider.token({ groups: ['x'] }), 404)),
          'no token': elsewhere(tells('/text', 'text')),
          'no address': elsewhere({}),
          aggregated: elsewhere({ JWT: 'x' }),
          'no text as an address': elsewhere({ endpoint: 7 }),
          'no sources': { _claim_names: { groups: 'src' } },
          'another claim without sources': { _claim_names: { other: 'src' } },
          'another claim': elsewhere(good, { _claim_names: { other: 'src' } }),
          'a source that is not there': elsewhere(good, { _claim_names: { groups: 'gone' } }),
          'names of nothing': elsewhere(good, { _claim_names: null }),
          'sources of nothing': elsewhere(good, { _claim_sources: null }),
          'a source of nothing': elsewhere(good, { _claim_sources: { src: null } }),
        })) {
          const token = await provider.token(claims);
          const [ours, theirs] = await Promise.all(two.urls.map((url) => two.whoIs(url, token)));
          assert.deepEqual(ours, theirs, what);
        }
      });

    it('a token by a key that is new', async () => {
      const [first = {}] = claims;
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await provider.rotate('second', 'signing-algs' in flags ? 'ES256' : 'RS256');
      const token = await provider.token(first);
      const [ours, theirs] = await Promise.all(two.urls.map((url) => two.whoIs(url, token)));
      assert.equal(typeof theirs, 'object');
      assert.deepEqual(ours, theirs);
    });

    it('is told of by the same metrics', async () => {
      const figures = async (url: string) => {
        const { text } = await two.ask(url, { method: 'GET', path: '/metrics' });
        const all = [...shownFamilies([text])].filter(([name]) => name.includes('_jwt_authenticator_'));
        const last = /jwks_fetch_last_key_set_info\{.*?[{,](hash="[^"]*")/.exec(text)?.[1];
        const series = all.map(([name, { labels, ...family }]) => [name, { ...family, labels: labels[0] }]);
        return { series: Object.fromEntries(series), last };
      };
      const [ours, theirs] = await Promise.all(two.urls.map(figures));
      assert.deepEqual(ours, theirs);
      assert.equal(Object.keys(theirs!.series).length, 3);
    });
  });

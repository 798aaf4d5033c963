/** One AuthenticationConfiguration at ours and at Kubernetes' own API server: whom tokens stand for, and what is refused. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadPatternEngine } from '@wherry/kubeapi/access-expressions';
import type { JWTPayload } from 'jose';
import { eventually } from '../../e2e/node.ts';
import { readAuthentication } from '../../packages/apiserver/src/authentication/configuration/read-authentication.ts';
import { compileAuthentication } from '../../packages/apiserver/src/authentication/configuration/validate-authentication.ts';
import { IdentityProvider } from '../../packages/apiserver/test/identity-provider.ts';
import { complaintsIn } from './said-complaint.ts';
import { TwoServers } from './two-servers.ts';

interface Story {
  /** Over what is usual: the name is the claim `sub`. */
  jwt: object;
  claims: readonly JWTPayload[];
}

const name = (expression: string) => ({ claimMappings: { username: { expression } } });
const groups = (expression: string) => ({
  claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { expression } },
});
const rule = (expression: string) => ({ claimValidationRules: [{ expression, message: 'no' }] });
const userRule = (expression: string) => ({ userValidationRules: [{ expression }] });
const roles = { roles: ['dev', 'ops'], text: 'a,b', nested: { 'a.b': ['x'], list: [{ n: 1 }] } };

const stories: readonly Story[] = [
  { jwt: {}, claims: [{}, { sub: 'system:admin' }, { jti: 'x' }] },
  {
    jwt: { issuer: { audiences: ['wherry', 'other'], audienceMatchPolicy: 'MatchAny' } },
    claims: [
      {},
      { aud: 'other' },
      { aud: ['third', 'other'] },
      { aud: 'third' },
      { aud: ['other', 1] as never },
    ],
  },
  {
    jwt: {
      claimMappings: {
        ...{ username: { claim: 'sub', prefix: 'u:' }, groups: { claim: 'roles', prefix: 'g:' } },
        uid: { claim: 'id' },
      },
    },
    claims: [
      { id: '7', ...roles },
      { id: 7 },
      {},
      { id: null },
      { id: '7', roles: [null] },
      { id: '', roles: null },
    ],
  },
  {
    jwt: { claimValidationRules: [{ claim: 'hd', requiredValue: '' }] },
    claims: [{ hd: '' }, { hd: null }, {}],
  },
  {
    jwt: { claimMappings: { username: { claim: 'email', prefix: '' } } },
    claims: [
      { email: 'a@b', email_verified: null },
      { email: 'a@b', email_verified: true },
      { email: 'a@b' },
    ],
  },
  { jwt: name('claims.sub + "!"'), claims: [{}, { sub: 7 as never }, { sub: undefined }] },
  { jwt: name('claims.?nick.orValue(claims.sub)'), claims: [{}, { nick: 'n' }, { nick: 3 }] },
  { jwt: name('""'), claims: [{}] },
  { jwt: name('claims.nested.a__dot__b[0]'), claims: [roles, { nested: { a__dot__b: ['y'] } }] },
  { jwt: name('claims["a.b"]'), claims: [{ 'a.b': 'dotted' }, {}] },
  { jwt: name('claims.a__dot__b'), claims: [{ 'a.b': 'dotted' }, { a__dot__b: 'plain' }] },
  { jwt: name('claims["a__b"]'), claims: [{ a__b: 'plain' }] },
  { jwt: name('claims["x__no__y"]'), claims: [{ x__no__y: 'plain' }] },
  { jwt: name('claims.nested["x__no__y"]'), claims: [{ nested: { x__no__y: 'plain' } }] },
  { jwt: name('string(claims.exp)'), claims: [{ exp: 4_102_444_800 }, { exp: 4_102_444_800.5 }] },
  { jwt: name('string(claims.n + 1.0)'), claims: [{ n: 1 }, { n: 1.5 }] },
  { jwt: name('string(claims.n + 1)'), claims: [{ n: 1 }] },
  { jwt: name('string(size(claims))'), claims: [{}, { a: 1, b: 2 }] },
  { jwt: name('string(claims.nested.list[0].n == 1)'), claims: [roles] },
  { jwt: name('type(claims.n) == double ? "double" : "other"'), claims: [{ n: 1 }, { n: 'x' }] },
  {
    jwt: groups('claims.roles'),
    claims: [roles, {}, { roles: 'one' }, { roles: '' }, { roles: null }, { roles: [] }],
  },
  {
    jwt: groups('claims.roles'),
    claims: [{ roles: ['a', ''] }, { roles: ['a', 1] }, { roles: { a: 1 } }, { roles: 7 }],
  },
  { jwt: groups('claims.text.split(",").map(role, role)'), claims: [roles] },
  { jwt: groups('(claims.text.split(",") + claims.roles).map(role, "g:" + role)'), claims: [roles] },
  { jwt: groups('dyn(claims.roles).filter(role, role != "ops")'), claims: [roles, { roles: ['ops'] }] },
  { jwt: groups('["x", string(claims.sub)]'), claims: [{}] },
  { jwt: groups('claims.roles + claims.roles'), claims: [roles] },
  { jwt: groups('claims.roles.distinct()'), claims: [{ roles: ['a', 'a'] }] },
  { jwt: groups('claims.nested.list'), claims: [roles] },
  { jwt: groups('claims.?roles.orValue([])'), claims: [roles, {}] },
  { jwt: groups('claims.?roles'), claims: [roles, {}] },
  {
    jwt: rule('dyn(claims.roles).exists(role, role == "dev")'),
    claims: [roles, { roles: ['x'] }, {}, { roles: 'dev' }],
  },
  { jwt: rule('has(claims.roles)'), claims: [roles, {}, { roles: null }] },
  { jwt: rule('"sub" in claims'), claims: [{}, { sub: undefined }] },
  { jwt: rule('claims.exists(key, key == "sub")'), claims: [{}, { x: 'sub' }] },
  {
    jwt: rule('claims.exp - claims.iat <= 86400.0'),
    claims: [{ iat: 4_102_444_000, exp: 4_102_444_800 }, {}],
  },
  { jwt: rule('claims.exp - claims.iat <= 86400'), claims: [{ iat: 4_102_444_000, exp: 4_102_444_800 }] },
  {
    jwt: rule('claims.hd == "a" && claims.gone == 1 || claims.sub == "ada"'),
    claims: [{ hd: 'a' }, { hd: 'b' }],
  },
  { jwt: rule('claims.text.matches("^a")'), claims: [roles, { text: 'b' }] },
  {
    jwt: rule(
      '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f >= 0 && claims.sub != ""))))))',
    ),
    claims: [{}],
  },
  { jwt: userRule('!user.username.startsWith("system:")'), claims: [{}, { sub: 'system:admin' }] },
  { jwt: userRule('size(user.groups) == 0 && user.uid == "" && has(user.extra)'), claims: [{}] },
  { jwt: userRule('user.groups.all(group, !group.startsWith("system:"))'), claims: [{}] },
  {
    jwt: {
      claimMappings: {
        username: { claim: 'sub', prefix: '' },
        uid: { expression: 'claims.?id.orValue("")' },
        extra: [
          { key: 'example.org/one', valueExpression: 'claims.text' },
          { key: 'example.org/none', valueExpression: '""' },
          { key: 'example.org/roles', valueExpression: 'claims.roles' },
        ],
      },
      userValidationRules: [{ expression: 'user.extra.example__dot__org__slash__one.exists(x, x == "a,b")' }],
    },
    claims: [roles, { ...roles, id: 'i' }, { ...roles, id: 1 }, { ...roles, text: 'c' }, {}],
  },
  {
    jwt: { claimMappings: { username: { claim: 'sub', prefix: '' }, uid: { expression: 'claims.id' } } },
    claims: [{ id: '' }, { id: null }],
  },
  // The last: see below.
  { jwt: groups('claims.text.split(",")'), claims: [] },
];

const usual = { url: 'https://one.example', audiences: ['a'] };
const mapped = { username: { claim: 'sub', prefix: '' } };
const jwt = (more: object) => ({ jwt: [{ issuer: usual, claimMappings: mapped, ...more }] });
const mapping = (more: object) => jwt({ claimMappings: { ...mapped, ...more } });
const issuer = (more: object) => jwt({ issuer: { ...usual, ...more } });
const two = (first: object, second: object) => ({
  jwt: [first, second].map((more) => ({ issuer: { ...usual, ...more }, claimMappings: mapped })),
});

const wrong: Readonly<Record<string, object>> = {
  'no URL': issuer({ url: '' }),
  http: issuer({ url: 'http://one.example' }),
  'a URL with a user, query and fragment': issuer({ url: 'https://u:p@one.example/?a=b#c' }),
  'a scheme that is none': issuer({ url: 'one.example' }),
  'who signs for service accounts': issuer({ url: 'https://kubernetes.default.svc.cluster.local' }),
  'no audience': issuer({ audiences: [] }),
  'an audience without words': issuer({ audiences: [''] }),
  'audiences twice, and no policy': issuer({ audiences: ['a', 'a'] }),
  'another policy': issuer({ audienceMatchPolicy: 'MatchAll' }),
  'a discovery URL that is the URL': issuer({ discoveryURL: 'https://one.example/' }),
  'a discovery URL by http': issuer({ discoveryURL: 'http://two.example' }),
  'no certificate': issuer({ certificateAuthority: 'x' }),
  'an egress selector': issuer({ egressSelectorType: 'node' }),
  'one URL twice': two({}, { discoveryURL: 'https://x.example' }),
  'one discovery URL twice': two(
    { discoveryURL: 'https://x.example' },
    { url: 'https://two.example', discoveryURL: 'https://x.example' },
  ),
  'a loop over what may be anything': mapping({ groups: { expression: 'claims.roles.map(role, role)' } }),
  'a list of a claim and a text': mapping({ groups: { expression: '[claims.sub, "x"]' } }),
  'no name': jwt({ claimMappings: {} }),
  'a claim without a prefix': jwt({ claimMappings: { username: { claim: 'sub' } } }),
  'a claim and an expression': mapping({ username: { claim: 'sub', expression: 'claims.sub' } }),
  'an expression with a prefix': mapping({ username: { expression: 'claims.sub', prefix: 'a' } }),
  'groups without a prefix': mapping({ groups: { claim: 'groups' } }),
  'groups twice': mapping({ groups: { claim: 'groups', expression: 'claims.groups' } }),
  'a uid twice': mapping({ uid: { claim: 'uid', expression: 'claims.uid' } }),
  'expressions that are none': mapping({
    ...{ username: { expression: 'claims +' }, groups: { expression: 'nobody' } },
    uid: { expression: 'claims.sub +' },
  }),
  'an email that may be unverified': mapping({ username: { expression: 'claims.email' } }),
  'an email that may be unverified, deep inside': mapping({
    username: { expression: '["x"].map(x, claims.?email.orValue(x))[0]' },
  }),
  'an email by an index, which is not seen': {
    ...mapping({ username: { expression: 'claims["email"]', prefix: 'a' } }),
  },
  'extra of all kinds': mapping({
    extra: [
      { key: '', valueExpression: '"a"' },
      { key: 'plain', valueExpression: '"a"' },
      { key: 'Example.org/a', valueExpression: '"a"' },
      { key: 'example.org/A', valueExpression: '"a"' },
      { key: 'kubernetes.io/a', valueExpression: '"a"' },
      { key: 'a.k8s.io/a', valueExpression: '"a"' },
      { key: 'example.org/a' },
      { key: 'example.org/a', valueExpression: '"a"' },
      { key: 'example.org/b', valueExpression: 'claims +' },
    ],
  }),
  'rules of all kinds': jwt({
    claimValidationRules: [
      {},
      { claim: 'a', expression: 'true' },
      { claim: 'a', message: 'm' },
      { claim: 'a' },
      { expression: 'true', requiredValue: 'a' },
      { expression: 'true' },
      { expression: 'claims.a' },
      { expression: '"a"' },
      { expression: 'user.username == ""' },
    ],
    userValidationRules: [
      {},
      { expression: 'true' },
      { expression: 'true' },
      { expression: 'user.username' },
      { expression: 'user.name == ""' },
      { expression: 'claims.sub == ""' },
    ],
  }),
  'conditions of nobody': { anonymous: { enabled: false, conditions: [{ path: '/livez' }] } },
  somebody: { anonymous: { enabled: true } },
  'too many': { jwt: Array.from({ length: 65 }, () => ({ issuer: usual, claimMappings: mapped })) },
};

const document = (body: object, version = 'v1') =>
  JSON.stringify({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: 'AuthenticationConfiguration',
    ...body,
  });

describe('an AuthenticationConfiguration', () => {
  let servers: TwoServers;
  let provider: IdentityProvider;
  let file: string;
  const issuerOf = (index: number) => `https://provider-${index}.example`;

  before(async () => {
    servers = await TwoServers.start({
      ...{ port: 26_467, etcdPort: 26_468 },
      async prepare({ authority, folder }) {
        provider = await IdentityProvider.start(authority);
        const authenticators = stories.map(({ jwt }, index) => {
          provider.issuers.set(`/d/${index}`, issuerOf(index));
          const { issuer = {}, ...rest } = jwt as { issuer?: object };
          return {
            issuer: {
              ...{ url: issuerOf(index), discoveryURL: `${provider.url}/d/${index}`, audiences: ['wherry'] },
              ...{ certificateAuthority: authority.cert, ...issuer },
            },
            claimMappings: mapped,
            ...rest,
          };
        });
        file = join(folder, 'authentication.json');
        const anonymous = { enabled: true, conditions: [{ path: '/livez' }, { path: '/healthz' }] };
        writeFileSync(file, document({ jwt: authenticators, anonymous }));
        return { options: { authenticationConfig: file }, flags: [`--authentication-config=${file}`] };
      },
    });
    for (const url of servers.urls)
      await eventually('the providers are found', async () => typeof (await whoIs(url, 0, {})) === 'object');
  });
  after(async () => {
    await servers?.close();
    await provider?.close();
  });

  async function whoIs(url: string, index: number, claims: JWTPayload): Promise<object | number> {
    return servers.whoIs(url, await provider.token({ iss: issuerOf(index), ...claims }));
  }

  for (const [index, { jwt, claims }] of stories.entries())
    for (const each of claims)
      it(`with ${JSON.stringify(jwt)} takes a token that says ${JSON.stringify(each)}`, async () => {
        const [ours, theirs] = await Promise.all(servers.urls.map((url) => whoIs(url, index, each)));
        assert.deepEqual(ours, theirs);
      });

  it('differs where upstream takes nobody for a user, and no list of texts for groups that split has made', async () => {
    const last = stories.length - 1;
    const [ours, theirs] = await Promise.all(servers.urls.map((url) => whoIs(url, 0, { sub: '' })));
    assert.deepEqual([ours, theirs], [401, { groups: ['system:authenticated'] }]);
    const [split, refused] = await Promise.all(servers.urls.map((url) => whoIs(url, last, roles)));
    assert.deepEqual(split, { username: 'ada', groups: ['a', 'b', 'system:authenticated'] });
    assert.equal(refused, 401);
  });

  for (const path of ['/livez', '/healthz?verbose', '/livez/ping', '/version', '/api'])
    it(`lets nobody ask for ${path}, or does`, async () => {
      const codes = await Promise.all(
        servers.urls.map(async (url) => (await servers.ask(url, { method: 'GET', path, as: null })).code),
      );
      assert.equal(codes[0], codes[1]);
    });

  const complaintOfOurs = (body: object): string => {
    try {
      compileAuthentication(readAuthentication(Buffer.from(document(body))), {
        disallowedIssuers: ['https://kubernetes.default.svc.cluster.local'],
      });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  for (const [what, body] of Object.entries(wrong))
    it(`is refused in the same words for ${what}`, async () => {
      await loadPatternEngine();
      const anonymous = { enabled: true, conditions: [{ path: '/livez' }, { path: '/healthz' }] };
      const before = servers.saidCharacters;
      writeFileSync(file, document({ anonymous, ...body }));
      let complaint: string | undefined;
      await eventually('the other says what is wrong', () => {
        complaint = complaintsIn(servers.saidSince(before), 'failed to validate authentication config')[0];
        return complaint !== undefined;
      });
      const theirs = (complaint ?? '').replace(
        /,? ?anonymous: Forbidden: changed from initial configuration file/,
        '',
      );
      assert.equal(
        complaintOfOurs({ anonymous, ...body }).replace(/^\[|\]$/g, ''),
        theirs.replace(/^\[|\]$/g, ''),
      );
    });
});

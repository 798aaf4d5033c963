/** Requests of proxies that say who asks, and of those who would like to be taken for one, at ours and Kubernetes' own API server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Credentials, TestAuthority, writeFiles } from '../../packages/apiserver/test/pki.ts';
import { TwoServers } from './two-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-front-proxies-'));
let two: TwoServers;
const shown = new Map<string, Credentials | null>();

before(async () => {
  const proxies = await TestAuthority.create('front-proxy-ca');
  const strangers = await TestAuthority.create('front-proxy-ca');
  const authority = writeFiles(folder, { 'proxy-ca.crt': proxies.cert })['proxy-ca.crt'];
  two = await TwoServers.start({
    ...{ port: 26_481, etcdPort: 26_482 },
    async prepare() {
      return {
        options: {
          requestheaderClientCaFile: authority,
          requestheaderAllowedNames: ['proxy', 'admin'],
          requestheaderUsernameHeaders: ['X-Remote-User', 'X-Login'],
          requestheaderUidHeaders: ['X-Remote-Uid'],
          requestheaderGroupHeaders: ['X-Remote-Group', 'X-Team'],
          requestheaderExtraHeadersPrefix: ['X-Remote-Extra-', 'X-More-'],
        },
        flags: [
          ...[`--requestheader-client-ca-file=${authority}`, '--requestheader-allowed-names=proxy,admin'],
          ...['--requestheader-username-headers=X-Remote-User,X-Login'],
          ...['--requestheader-uid-headers=X-Remote-Uid'],
          ...['--requestheader-group-headers=X-Remote-Group,X-Team'],
          '--requestheader-extra-headers-prefix=X-Remote-Extra-,X-More-',
        ],
      };
    },
  });
  const masters = ['system:masters'];
  shown.set('no certificate', null);
  shown.set('an administrator', two.own.admin);
  shown.set('a client named as a proxy', await two.own.authority.issue({ name: 'proxy' }));
  shown.set('a proxy', await proxies.issue({ name: 'proxy', groups: masters }));
  shown.set('a proxy named as an administrator', await proxies.issue({ name: 'admin', groups: masters }));
  shown.set('a proxy of another name', await proxies.issue({ name: 'stranger', groups: masters }));
  shown.set('a proxy of another authority', await strangers.issue({ name: 'proxy', groups: masters }));
});
after(async () => {
  await two?.close();
  rmSync(folder, { recursive: true });
});

/** Of each request the headers. */
const asked: readonly Record<string, string | string[]>[] = [
  {},
  { 'X-Remote-User': 'ann' },
  { 'x-remote-user': 'ann', 'x-remote-group': ['devs', 'ops'], 'x-remote-uid': 'u-1' },
  { 'X-Remote-User': ['ann', 'bob'] },
  { 'X-Remote-User': '', 'X-Login': 'bob' },
  { 'X-Login': 'bob', 'X-Team': 'blue', 'X-Remote-Group': ['devs', ''] },
  { 'X-Remote-User': 'a, b', 'X-Remote-Group': 'devs, ops' },
  { 'X-Remote-Group': 'system:masters' },
  { 'X-Remote-User': 'ann', 'X-Remote-Extra-Example.com%2fScopes': ['a', 'b'], 'X-More-Scopes': 'c' },
  { 'X-Remote-User': 'ann', 'X-Remote-Extra-50%': 'odd', 'X-Remote-Extra-': 'empty', 'X-More-A': '' },
  { 'X-Remote-User': 'ann', 'X-More-Same': 'one', 'X-Remote-Extra-Same': 'two' },
  { 'X-Remote-User': 'system:anonymous' },
  { 'X-Remote-User': 'ann', 'X-Remote-Group': 'system:unauthenticated' },
  { 'X-Remote-User': 'ann', 'X-Remote-Group': 'system:authenticated' },
  { 'X-Remote-User': 'ann', authorization: 'Bearer nothing' },
  { 'X-Remote-User': 'ann', 'Impersonate-User': 'bob' },
  { 'X-Remote-User': 'ann', 'X-Remote-Group': 'system:masters', 'Impersonate-User': 'bob' },
  { 'X-Remote-User': 'system:node:here', 'X-Remote-Group': 'system:nodes' },
];

const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

for (const name of [
  ...['no certificate', 'an administrator', 'a client named as a proxy', 'a proxy'],
  ...['a proxy named as an administrator', 'a proxy of another name', 'a proxy of another authority'],
])
  test(`${name} is taken for whom upstream takes it`, async () => {
    for (const headers of asked) {
      const as = shown.get(name);
      const answers = await Promise.all(
        two.urls.map(async (url) => {
          const request = { method: 'POST', path, body, as, headers: headers as Record<string, string> };
          const { code, text } = await two.ask(url, request);
          const { status, message } = JSON.parse(text);
          return { code, who: status?.userInfo ?? message };
        }),
      );
      assert.deepEqual(answers[0], answers[1], JSON.stringify(headers));
    }
  });

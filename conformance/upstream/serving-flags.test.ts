/** How the API server serves by its flags, ours and Kubernetes' own: certificates by name, headers, documents, the mode ABAC. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { connect } from 'node:tls';
import type { Credentials } from '../../packages/apiserver/test/pki.ts';
import type { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { TwoServers } from './two-servers.ts';

let two: TwoServers;
const users = new Map<string, Credentials>();

const policy = (spec: object) =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const policies = [
  '# who may what',
  policy({ user: 'ada', namespace: 'default', resource: '*', apiGroup: '*' }),
  policy({ group: 'readers', namespace: '*', resource: 'configmaps', apiGroup: '', readonly: true }),
  policy({ user: 'bob', nonResourcePath: '/metrics*' }),
  policy({ user: '*', nonResourcePath: '/version', readonly: true }),
  policy({ group: '*', namespace: '*', resource: 'selfsubjectrulesreviews', apiGroup: '*' }),
  policy({ namespace: '*', resource: '*', apiGroup: '*' }),
  '{"user": "old", "resource": "secrets"}',
  '{"user": "older", "readonly": true}',
];

before(async () => {
  two = await TwoServers.start({
    ...{ port: 16_501, etcdPort: 23_901, authorizationMode: 'Node,ABAC' },
    async prepare({ authority, folder }) {
      const at = (name: string) => join(folder, name);
      const named = async (name: string, hosts: string[]) => {
        const { cert, key } = await authority.issue({ name, hosts });
        writeFileSync(at(`${name}.crt`), cert);
        writeFileSync(at(`${name}.key`), key);
        return { certFile: at(`${name}.crt`), keyFile: at(`${name}.key`) };
      };
      const pairs: NonNullable<TestServer['options']['tlsSniCertKeys']> = [
        { ...(await named('first', ['own.example.com', '*.both.example.com'])) },
        { ...(await named('second', ['own.example.com', 'second.example.com', 'third.example.com'])) },
        { ...(await named('explicit', ['unsaid.example.com'])), names: ['second.example.com', '*.*.org'] },
        { ...(await named('common.example.net', ['other.example.net'])) },
      ];
      for (const [name, groups] of Object.entries({ ada: [], bob: ['readers'], old: [], older: [] }))
        users.set(name, await authority.issue({ name, groups }));
      writeFileSync(at('policies'), policies.join('\n'));
      const directives = ['max-age=31536000', 'includeSubDomains'];
      return {
        options: {
          ...{ tlsSniCertKeys: pairs, strictTransportSecurityDirectives: directives },
          ...{ authorizationMode: ['Node', 'ABAC'], authorizationPolicyFile: at('policies') },
          ...{ externalHostname: 'api.example.com:443', endpointReconcilerType: 'none' },
          ...{ advertiseAddress: '192.0.2.9', permitPortSharing: true, dataDir: at('anew') },
        },
        flags: [
          ...pairs.map(
            ({ certFile, keyFile, names }) =>
              `--tls-sni-cert-key=${certFile},${keyFile}${names ? `:${names.join(',')}` : ''}`,
          ),
          `--strict-transport-security-directives=${directives.join(',')}`,
          `--authorization-policy-file=${at('policies')}`,
          ...['--external-hostname=api.example.com:443', '--endpoint-reconciler-type=none'],
          ...['--advertise-address=192.0.2.9', '--permit-port-sharing'],
        ],
      };
    },
  });
});
after(() => two?.close());

const shownTo = (url: string, servername: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const socket = connect({
      ...{ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false },
      ...(servername ? { servername } : {}),
    });
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });

it('which certificate is shown to who says which name', async () => {
  const names = [
    ...['', 'own.example.com', 'OWN.example.com', 'a.both.example.com', 'a.b.both.example.com'],
    ...[
      'both.example.com',
      'second.example.com',
      'unsaid.example.com',
      'third.example.com',
      'b.org',
      'a.b.c.org',
    ],
    ...['common.example.net', 'other.example.net', 'localhost', 'first', 'a..org'],
  ];
  const seen = new Set<string>();
  for (const name of names) {
    const [ours, theirs] = await Promise.all(two.urls.map((url) => shownTo(url, name)));
    assert.equal(ours, theirs, name);
    seen.add(theirs!);
  }
  assert.deepEqual([...seen].sort(), ['apiserver', 'common.example.net', 'explicit', 'first', 'second']);
});

it('what answers and documents say', async () => {
  for (const path of ['/api', '/.well-known/openid-configuration', '/nothing', '/livez', '/version']) {
    const asked = await Promise.all(two.urls.map((url) => two.ask(url, { method: 'GET', path })));
    const [ours, theirs] = asked.map(({ code, headers }) => ({
      ...{ code, header: headers['strict-transport-security'] },
    }));
    assert.equal(theirs?.header, 'max-age=31536000; includeSubDomains');
    assert.deepEqual(ours, theirs, path);
    if (path !== '/api' && !path.includes('openid')) continue;
    const [own, other] = asked.map(({ text }) => JSON.parse(text));
    assert.deepEqual(own.serverAddressByClientCIDRs, other.serverAddressByClientCIDRs);
    assert.equal(own.jwks_uri, other.jwks_uri);
  }
});

it('endpoints that nobody keeps are not there, the service is', async () => {
  for (const [kind, code] of Object.entries({ endpoints: 404, services: 200 })) {
    const path = `/api/v1/namespaces/default/${kind}/kubernetes`;
    for (const url of two.urls) assert.equal((await two.ask(url, { method: 'GET', path })).code, code, url);
  }
});

it('who may what by a file of policies', async () => {
  const requests = [
    ...['/version', '/metrics', '/metrics/slis', '/api', '/livez'],
    ...['/api/v1/namespaces/default/configmaps', '/api/v1/configmaps', '/api/v1/secrets'],
    ...[
      '/api/v1/namespaces/default/secrets',
      '/apis/apps/v1/namespaces/default/deployments',
      '/api/v1/nodes',
    ],
    '/api/v1/namespaces/default/pods/none/log',
  ];
  let [allowed, refused] = [0, 0];
  for (const [name, as] of [...users, ['nobody', null] as const])
    for (const path of requests)
      for (const method of ['GET', 'DELETE']) {
        const [ours, theirs] = await Promise.all(
          two.urls.map(async (url) => {
            const { code, text } = await two.ask(url, { method, path, as });
            return { isAllowed: code !== 403, message: code === 403 ? JSON.parse(text).message : '' };
          }),
        );
        assert.deepEqual(ours, theirs, `${name} ${method} ${path}`);
        if (theirs?.isAllowed) allowed += 1;
        else refused += 1;
      }
  assert.ok(allowed > 20 && refused > 20, `${allowed} ${refused}`);
});

it('what somebody is told that he may', async () => {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  for (const [name, as] of users)
    for (const namespace of ['default', 'other']) {
      const body = { spec: { namespace } };
      const [ours, theirs] = await Promise.all(
        two.urls.map(async (url) => {
          const { text } = await two.ask(url, { method: 'POST', path, body, as });
          return JSON.parse(text).status;
        }),
      );
      assert.deepEqual(ours, theirs, `${name} in ${namespace}`);
    }
});

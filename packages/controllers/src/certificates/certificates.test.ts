import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { CertificateSigningRequest } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { hasCondition } from './request-state.ts';

type Asked = Partial<CertificateSigningRequest['spec']>;

const folder = mkdtempSync(join(tmpdir(), 'wherry-certificates-'));
const at = (name: string) => join(folder, name);
const openssl = (...words: string[]) =>
  execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] });

/** A PEM request for that subject; SANs as OpenSSL writes them. */
function requestOf(subject: string, alternatives = ''): string {
  const more = alternatives ? ['-addext', `subjectAltName=${alternatives}`] : [];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
  return openssl('req', '-new', ...key, '-subj', subject, ...more).toString('base64');
}

describe('requests for certificates', { concurrency: false }, () => {
  let cluster: TestCluster;
  before(async () => {
    // An authority of another make: RSA, its name in PrintableStrings, its key named as Go does since 1.25, not by SHA-1.
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('rsa.key')];
    writeFileSync(
      at('ca.cnf'),
      '[req]\ndistinguished_name=d\nstring_mask=pkix\nx509_extensions=v\n[d]\n[v]\nbasicConstraints=critical,CA:true\nsubjectKeyIdentifier=0123456789ABCDEF0123456789ABCDEF01234567\n',
    );
    openssl(
      'req',
      '-x509',
      ...key,
      '-config',
      at('ca.cnf'),
      '-days',
      '30',
      '-subj',
      '/O=Old Firm/CN=Root',
      '-out',
      at('rsa.crt'),
    );
    cluster = await TestCluster.startServer();
    const rsa = { certFile: at('rsa.crt'), keyFile: at('rsa.key') };
    cluster.keys = {
      signing: {
        authorities: {
          'kubernetes.io/kube-apiserver-client': rsa,
          'kubernetes.io/kube-apiserver-client-kubelet': rsa,
          'kubernetes.io/kubelet-serving': rsa,
        },
      },
    };
    cluster.startControllers();
  });
  after(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const requests = () => cluster.client.resource(kinds.certificateSigningRequests);
  const ask = (name: string, spec: Asked) =>
    cluster.create(
      kinds.certificateSigningRequests,
      name,
      {},
      {
        spec: { usages: ['digital signature', 'client auth'], ...spec },
      },
    );
  const approve = async (name: string) => {
    const request = await requests().get({ name });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' }];
    await requests().update({ ...request, status: { conditions } }, { subresource: 'approval' });
  };
  const answered = (name: string) =>
    eventually(`an answer to ${name}`, async () => {
      const request = await requests().get({ name });
      return (Boolean(request.status?.certificate) || hasCondition(request, 'Failed')) && request;
    });
  const failureOf = async (name: string) => {
    const { status } = await answered(name);
    return status?.conditions?.find(({ type }) => type === 'Failed')?.message;
  };

  it('are signed once approved, with the names, usages and life that were asked for', async () => {
    const request = requestOf('/O=people/O=singers/CN=me', 'DNS:a.example,IP:192.0.2.1,email:me@a.example');
    const signerName = 'kubernetes.io/kube-apiserver-client';
    await ask('me', { request, signerName, expirationSeconds: 3_600 });
    await approve('me');
    const { status } = await answered('me');
    const pem = Buffer.from(status?.certificate ?? '', 'base64');
    writeFileSync(at('me.crt'), pem);
    assert.match(
      openssl('verify', '-purpose', 'sslclient', '-CAfile', at('rsa.crt'), at('me.crt')).toString(),
      /OK/,
    );
    const certificate = new X509Certificate(pem);
    assert.equal(certificate.subject, 'O=people\nO=singers\nCN=me');
    assert.equal(certificate.subjectAltName, 'DNS:a.example, IP Address:192.0.2.1, email:me@a.example');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.ok(!certificate.ca);
    const lifeMs = certificate.validToDate.getTime() - Date.now();
    assert.ok(Math.abs(lifeMs - 3_600_000) < 60_000, `lives for ${lifeMs} ms`);
    // Go compares the names of issuer and authority byte by byte.
    const nameOf = (file: string, which: string) =>
      openssl('x509', '-in', file, '-noout', `-${which}`, '-nameopt', 'RFC2253,show_type')
        .toString()
        .split('=')
        .slice(1)
        .join('=');
    assert.equal(nameOf(at('me.crt'), 'issuer'), nameOf(at('rsa.crt'), 'subject'));
  });

  it('fail when their signer does not sign such things, with the reason', async () => {
    const serving = 'kubernetes.io/kubelet-serving';
    const usages: Asked['usages'] = ['digital signature', 'server auth'];
    const refused: [name: string, spec: Asked, message: RegExp][] = [
      [
        'no-group',
        { request: requestOf('/CN=system:node:a', 'DNS:a'), signerName: serving, usages },
        /^subject organization is not system:nodes$/,
      ],
      [
        'no-names',
        { request: requestOf('/O=system:nodes/CN=system:node:a'), signerName: serving, usages },
        /^DNS or IP subjectAltName is required$/,
      ],
      [
        'no-node',
        { request: requestOf('/O=system:nodes/CN=a', 'DNS:a'), signerName: serving, usages },
        /does not begin with system:node:/,
      ],
      [
        'wrong-use',
        { request: requestOf('/CN=a'), signerName: 'kubernetes.io/kube-apiserver-client', usages },
        /^invalid usage for client certificate: server auth$/,
      ],
    ];
    for (const [name, spec, message] of refused) {
      await ask(name, spec);
      await approve(name);
      assert.match((await failureOf(name)) ?? '', message);
    }
  });

  it('of kubelets are approved when their user may ask for them, and stay open when not', async () => {
    const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';
    const request = requestOf('/O=system:nodes/CN=system:node:new');
    const spec = { request, signerName, usages: ['digital signature', 'client auth'] };
    const stranger = await cluster.server.authority.issue({ name: 'stranger', groups: ['joiners'] });
    const post = (name: string) =>
      cluster.server.request('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
        as: stranger,
        body: { metadata: { name }, spec },
      });
    await cluster.create(
      kinds.clusterRoleBindings,
      'joiners-ask',
      {},
      {
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'system:node-bootstrapper',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'joiners' }],
      },
    );
    await eventually('the stranger may ask', async () => (await post('first')).status === 201);
    await cluster.create(
      kinds.clusterRoleBindings,
      'joiners-get',
      {},
      {
        roleRef: {
          ...{ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
          name: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'joiners' }],
      },
    );
    const { status } = await answered('first');
    const approval = status?.conditions?.find(({ type }) => type === 'Approved');
    assert.equal(approval?.message, 'Auto approving kubelet client certificate after SubjectAccessReview.');
    const certificate = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'));
    assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:new');
    assert.ok(certificate.verify(new X509Certificate(readFileSync(at('rsa.crt'))).publicKey));
    await ask('serving', {
      request: requestOf('/O=system:nodes/CN=system:node:new', 'DNS:new'),
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    await ask('other-names', {
      request: requestOf('/O=system:nodes/CN=system:node:new', 'DNS:new'),
      signerName,
    });
    await post('second');
    await answered('second');
    for (const name of ['serving', 'other-names'])
      assert.equal((await requests().get({ name })).status?.conditions, undefined, name);
  });
});

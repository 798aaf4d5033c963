import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { findResource } from '@wherry/kubeapi';
import { TestServer } from '../../../test/test-server.ts';
import { userInfo } from '../../authentication/identity.ts';
import { noOpinion } from '../../authorization/authorizer.ts';
import type { AdmissionRequest } from '../admission.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

function requestFor(subject: string): string {
  const script = `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj '${subject}'`;
  return execFileSync('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] }).toString('base64');
}

describe('a request for a certificate', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ runtimeConfig: { 'certificates.k8s.io/v1': true } });
  });
  after(() => server.close());

  it('makes nobody a member of system:masters', async () => {
    const post = (name: string, request: string, signerName = clientSigner) =>
      server.request('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
        body: { metadata: { name }, spec: { request, signerName, usages: ['client auth'] } },
      });
    const masters = requestFor('/O=system:masters/CN=me');
    const { status, body } = await post('masters', masters);
    assert.equal(status, 403);
    assert.match(
      body.message,
      /"masters" is forbidden: use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed/,
    );
    assert.equal((await post('plain', requestFor('/O=people/CN=me'))).status, 201);
    assert.equal((await post('elsewhere', masters, 'example.com/signer')).status, 201);
  });
});

describe('the answer to a request for a certificate', () => {
  const rights = (...allowed: string[]) => ({
    authorize: ({ verb, name, resource }: { verb: string; name: string; resource: string }) =>
      resource === 'signers' && allowed.includes(`${verb} ${name}`)
        ? ({ outcome: 'allow', reason: '' } as const)
        : noOpinion,
  });
  const metadata = { name: 'a' };
  const spec = { signerName: 'example.com/one' };
  const requestOf = (subresource: string, status: object): AdmissionRequest => ({
    resource: findResource('certificates.k8s.io', 'v1', 'certificatesigningrequests')!,
    ...{
      operation: 'UPDATE',
      verb: 'update',
      subresource,
      namespace: '',
      name: 'a',
      user: userInfo('me', []),
      dryRun: false,
    },
    object: { metadata, spec, status: status as never },
    previous: { metadata, spec },
    warn: () => {},
    askAgain: () => {},
    annotate: () => {},
    waited: () => {},
    storeAlongside: () => {},
    onSettled: () => {},
  });

  it('is approved by who may approve for the signer, or for all of its domain', async () => {
    const request = requestOf('approval', { conditions: [{ type: 'Approved', status: 'True' }] });
    for (const right of ['approve example.com/one', 'approve example.com/*']) {
      await certificateApproval({ authorizer: rights(right) }).validate!(request);
    }
    await assert.rejects(
      async () => certificateApproval({ authorizer: rights('sign example.com/one') }).validate!(request),
      { code: 403, message: /user not permitted to approve requests with signerName "example\.com\/one"$/ },
    );
  });

  it('is signed by who may sign for the signer; what changes no answer needs no right', async () => {
    const request = requestOf('status', { certificate: 'AAAA' });
    await certificateSigning({ authorizer: rights('sign example.com/*') }).validate!(request);
    const nobody = certificateSigning({ authorizer: rights() });
    await assert.rejects(async () => nobody.validate!(request), {
      code: 403,
      message: /user not permitted to sign requests with signerName "example\.com\/one"$/,
    });
    await nobody.validate!(requestOf('status', {}));
  });
});

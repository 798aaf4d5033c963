import type { CertificateSigningRequest } from '@wherry/kubeapi';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionRequest, refused } from '../admission.ts';

/**
 * Throws 403 unless the user may `approve` or `sign` for the signer of the stored request, or for all signers of its
 * domain (`kubernetes.io/*`); upstream: pkg/registry/certificates/certificates/authorization.
 */
export async function requireSignerRight(
  request: AdmissionRequest,
  verb: 'approve' | 'sign',
  authorizer: Authorizer,
): Promise<void> {
  const signerName = as<CertificateSigningRequest>(request.previous!).spec?.signerName ?? '';
  for (const name of [signerName, `${signerName.split('/')[0]}/*`]) {
    const decision = await authorizer.authorize({
      ...{ user: request.user, isResource: true, path: '', verb, name, namespace: '' },
      ...{ group: 'certificates.k8s.io', resource: 'signers', subresource: '' },
    });
    if (decision.outcome === 'allow') return;
  }
  throw refused(
    request,
    `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
  );
}

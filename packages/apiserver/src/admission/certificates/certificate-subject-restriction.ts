import { type CertificateSigningRequest, requestedCertificate } from '@wherry/kubeapi';
import { groups } from '../../authentication/identity.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, refused } from '../admission.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** Nobody becomes a member of `system:masters` by a certificate that was asked for here. */
export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    handles: [{ operations: ['CREATE'], resources: ['certificates.k8s.io/certificatesigningrequests'] }],
    validate(request) {
      const { spec } = as<CertificateSigningRequest>(request.object!);
      if (spec?.signerName !== clientSigner) return;
      const subject = requestedCertificate(spec.request ?? '');
      if (!subject) throw refused(request, 'failed to parse CSR: it is no PEM of a certificate request');
      if (!subject.organizations.includes(groups.masters)) return;
      throw refused(request, `use of ${clientSigner} signer with ${groups.masters} group is not allowed`);
    },
  };
}

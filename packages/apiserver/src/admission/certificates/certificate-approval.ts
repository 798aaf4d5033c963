import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { requireSignerRight } from './signer-rights.ts';

/** Whoever approves or denies a request for a certificate must be allowed to `approve` for its signer. */
export function certificateApproval({ authorizer }: Pick<PluginParts, 'authorizer'>): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: [
      { operations: ['UPDATE'], resources: ['certificates.k8s.io/certificatesigningrequests/approval'] },
    ],
    validate: (request) => requireSignerRight(request, 'approve', authorizer),
  };
}

import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { requireSignerRight } from './signer-rights.ts';

/** Whoever writes the certificate or the conditions of a request must be allowed to `sign` for its signer. */
export function certificateSigning({ authorizer }: Pick<PluginParts, 'authorizer'>): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: [
      { operations: ['UPDATE'], resources: ['certificates.k8s.io/certificatesigningrequests/status'] },
    ],
    async validate(request) {
      if (isDeepStrictEqual(answerOf(request.object!), answerOf(request.previous!))) return;
      await requireSignerRight(request, 'sign', authorizer);
    },
  };
}

function answerOf(object: ApiObject): unknown {
  const { certificate = '', conditions = [] } = as<CertificateSigningRequest>(object).status ?? {};
  return { certificate, conditions };
}

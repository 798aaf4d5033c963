import { describeUser } from '../../authentication/identity.ts';
import type { ApiObject } from '../../registry/api-object.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type { ServedKind } from '../definition.ts';

/**
 * Requests for certificates: who asks is read off the request, never off the object, since signers decide by it; and
 * nothing but their sub-resources changes them afterwards (upstream: pkg/registry/certificates).
 */
const strategy: Strategy = {
  prepareCreate(object, user) {
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...asked } = object.spec ?? {};
    object.spec = { ...asked, ...describeUser(user) };
    object.status = {};
  },
  prepareUpdate(next, previous) {
    keepSpec(next, previous);
    if (previous.status === undefined) delete next.status;
    else next.status = previous.status;
  },
  prepareStatusUpdate: keepSpec,
};

/** Requests for certificates, which nothing here signs. */
export const certificateSigningRequest: ServedKind = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  strategy,
  unanswered: ['approval'],
};

function keepSpec(next: ApiObject, previous: ApiObject): void {
  next.spec = previous.spec!;
}

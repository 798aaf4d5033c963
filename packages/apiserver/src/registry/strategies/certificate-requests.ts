import { describeUser } from '../../authentication/identity.ts';
import type { ApiObject } from '../api-object.ts';
import type { Strategy } from '../strategy.ts';

/**
 * Requests for certificates: who asks is read off the request, never off the object, since signers decide by it; and
 * nothing but their sub-resources changes them afterwards (upstream: pkg/registry/certificates).
 */
export const certificateRequestStrategy: Strategy = {
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

function keepSpec(next: ApiObject, previous: ApiObject): void {
  next.spec = previous.spec!;
}

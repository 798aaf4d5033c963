import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  JsonValue,
} from '@wherry/kubeapi';
import { describeUser } from '../../authentication/identity.ts';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { Strategy } from '../../objects/strategy.ts';
import { wholeObject } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/**
 * Requests for certificates: who asks is read off the request, never off the object, since signers decide by it; and
 * nothing but their sub-resources changes them afterwards (upstream: pkg/registry/certificates).
 */
const strategy: Strategy = {
  unowned: new Map([
    ['', [['spec'], ['status']]],
    ['status', [['spec'], ['status', 'conditions']]],
    ['approval', [['spec'], ['status', 'certificate']]],
  ]),
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
  prepareStatusUpdate(next, previous, nowText) {
    keepSpec(next, previous);
    keepDecisions(as<CertificateSigningRequest>(next), as<CertificateSigningRequest>(previous));
    stampConditions(next, previous, nowText);
  },
  prepareSubresourceUpdate: {
    approval(next, previous, nowText) {
      keepSpec(next, previous);
      stampConditions(next, previous, nowText);
      const { conditions: _, ...others } = previous.status ?? {};
      const conditions = conditionsOf(as<CertificateSigningRequest>(next)) as unknown as JsonValue[];
      next.status = conditions.length > 0 ? { ...others, conditions } : others;
    },
  },
};

/** Requests for certificates. */
export const certificateSigningRequest: ServedKind = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  strategy,
  handlers: (_parts, own) => ({ approval: wholeObject(own) }),
};

function keepSpec(next: ApiObject, previous: ApiObject): void {
  next.spec = previous.spec!;
}

const conditionsOf = ({ status }: CertificateSigningRequest) => status?.conditions ?? [];

/** Who writes the status repeats decisions without changing them; more or fewer of them are refused afterwards. */
function keepDecisions(next: CertificateSigningRequest, previous: CertificateSigningRequest): void {
  for (const decision of ['Approved', 'Denied']) {
    const isOne = ({ type }: CertificateSigningRequestCondition) => type === decision;
    const before = conditionsOf(previous).filter(isOne);
    if (conditionsOf(next).filter(isOne).length !== before.length) continue;
    for (const [index, condition] of conditionsOf(next).entries()) {
      if (isOne(condition)) conditionsOf(next)[index] = before.shift()!;
    }
  }
}

function stampConditions(next: ApiObject, previous: ApiObject, nowText: string): void {
  for (const condition of conditionsOf(as<CertificateSigningRequest>(next))) {
    condition.lastUpdateTime ||= nowText;
    const same = conditionsOf(as<CertificateSigningRequest>(previous)).find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    condition.lastTransitionTime ||= same?.lastTransitionTime || nowText;
  }
}

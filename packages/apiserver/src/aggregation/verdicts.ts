/** What the condition Available of an APIService says, in upstream's reasons. */
import type { APIService, JsonObject } from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';
import { withCondition } from '../objects/conditions.ts';

/** What the condition says. */
export interface Verdict {
  isAvailable: boolean;
  reason: string;
  message: string;
}

/** Of what this server answers itself. */
export const localVerdict: Verdict = {
  ...{ isAvailable: true, reason: 'Local', message: 'Local APIServices are always available' },
};

/** Of what names a service and is not led there. */
export const keptVerdict: Verdict = {
  ...{ isAvailable: false, reason: 'NotAggregated', message: 'this server answers for the group itself' },
};

/** True where no service is named. */
export const isLocal = (object: ApiObject) => as<APIService>(object).spec.service === undefined;

/** The condition of what this server answers itself. */
export const localCondition = (nowText: string) => conditionOf(localVerdict, nowText);

/** True when the condition says that already. */
export function says({ status }: APIService, { isAvailable, reason, message }: Verdict): boolean {
  const known = status?.conditions?.find(({ type }) => type === 'Available');
  const text = isAvailable ? 'True' : 'False';
  return known?.status === text && known.reason === reason && known.message === message;
}

/** The object with that condition; the others stay, in their order. */
export function withVerdict(current: ApiObject, verdict: Verdict, nowText: string): ApiObject {
  const service = as<APIService>(current);
  if (says(service, verdict)) return current;
  const conditions = withCondition(service.status?.conditions, conditionOf(verdict, nowText));
  return { ...current, status: { ...service.status, conditions } as unknown as JsonObject };
}

function conditionOf({ isAvailable, reason, message }: Verdict, lastTransitionTime: string) {
  return { type: 'Available', status: isAvailable ? 'True' : 'False', lastTransitionTime, reason, message };
}

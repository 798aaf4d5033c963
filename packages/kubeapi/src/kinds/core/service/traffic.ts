/** Violations in where a service leads its traffic (upstream: validateServiceExternalTrafficPolicy and its neighbours). */

import type { Service, ServiceSpec } from '../../../generated/types.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkPort, oneOf } from '../../../validation/values.ts';

const policies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const policyField = 'spec.externalTrafficPolicy';
const healthField = 'spec.healthCheckNodePort';

/** Violations within a service. */
export function validateTraffic(spec: ServiceSpec): FieldError[] {
  const { internalTrafficPolicy, trafficDistribution } = spec;
  return [
    ...externalErrors(spec),
    ...healthErrors(spec),
    ...(internalTrafficPolicy === undefined
      ? []
      : oneOf('spec.internalTrafficPolicy', internalTrafficPolicy, policies)),
    ...(trafficDistribution === undefined || distributions.includes(trafficDistribution)
      ? []
      : [notSupported('spec.trafficDistribution', trafficDistribution, distributions)]),
  ];
}

/** Violations in a change: load balancers know the port of health checks. */
export function validateTrafficChange({ spec: next }: Service, { spec: previous }: Service): FieldError[] {
  const isAsked = isCheckedForHealth(next) && isCheckedForHealth(previous);
  if (!isAsked || (next.healthCheckNodePort ?? 0) === (previous.healthCheckNodePort ?? 0)) return [];
  return [forbiddenField(healthField, 'field is immutable')];
}

function externalErrors({
  type,
  externalIPs = [],
  externalTrafficPolicy: policy,
}: ServiceSpec): FieldError[] {
  const isReached =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0);
  if (isReached) return oneOf(policyField, policy, policies);
  if (!policy) return [];
  return [invalidValue(policyField, policy, 'may only be set for externally-accessible services')];
}

function healthErrors(spec: ServiceSpec): FieldError[] {
  const { healthCheckNodePort: port = 0 } = spec;
  if (isCheckedForHealth(spec)) return port === 0 ? [required(healthField)] : checkPort(healthField, port);
  if (port === 0) return [];
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalidValue(healthField, port, detail)];
}

function isCheckedForHealth({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

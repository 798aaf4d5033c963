import { ratesOf } from '../network/bandwidth.ts';

/** What the `bandwidth` capability takes: bits per second, and bits that may come at once. */
export interface Bandwidth {
  ingressRate?: number;
  ingressBurst?: number;
  egressRate?: number;
  egressBurst?: number;
}

/** As containerd gives it. */
const burst = 2 ** 32 - 1;

/** The limits that a pod's annotations ask for, or undefined. Throws `RuntimeError` INVALID_ARGUMENT. */
export function bandwidthOf(annotations: Readonly<Record<string, string>>): Bandwidth | undefined {
  const rates = ratesOf(annotations);
  if (!rates) return undefined;
  const { ingress, egress } = rates;
  return {
    ...(ingress !== undefined && { ingressRate: ingress, ingressBurst: burst }),
    ...(egress !== undefined && { egressRate: egress, egressBurst: burst }),
  };
}

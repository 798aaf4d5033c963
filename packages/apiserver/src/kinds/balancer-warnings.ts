import { addressWarnings } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';

/** Warnings of the addresses that a load balancer has, in the status of a service or an ingress. */
export function balancerWarnings({ status }: ApiObject): string[] {
  const { loadBalancer } = (status ?? {}) as { loadBalancer?: { ingress?: { ip?: string }[] } };
  return (loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  );
}

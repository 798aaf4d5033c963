import { type Container, ownValue, type ResourceFieldSelector } from '@wherry/kubeapi';
import { isPodLevelResource } from '@wherry/podrules';
import { amountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { findContainer } from '../../pod/containers.ts';

/** What downward references to resources read from. */
export interface ResourceSources {
  pod: AssignedPod;
  /** The container the reference stands in; volumes name theirs. */
  container?: Container | undefined;
  nodeAllocatable: Readonly<Record<string, string>>;
}

/** The amount of a container's resource in units of the divisor, rounded up. Throws on an unknown container or name. */
export function resourceValue(selector: ResourceFieldSelector, sources: ResourceSources): string {
  const { containerName, resource, divisor } = selector;
  const container = containerName ? findContainer(sources.pod, containerName)?.container : sources.container;
  if (!container) throw new Error(`container "${containerName}" of resourceFieldRef not found`);
  const [kind = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  if ((kind !== 'limits' && kind !== 'requests') || name === '') {
    throw new Error(`unsupported container resource: ${resource}`);
  }
  const own = ownValue(container.resources?.[kind], name) ?? '0';
  const isUnbounded = kind === 'limits' && amountOf(own) === 0;
  const amount = (isUnbounded ? limitOutside(name, sources) : undefined) ?? own;
  const unit = divisor === undefined || amountOf(divisor) === 0 ? 1 : amountOf(divisor);
  return String(Math.ceil(amountOf(amount) / unit - 1e-9));
}

const unboundedResources: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** What holds for a container that has no limit itself: its pod's, or what the node has. Others, huge pages among them, it has none of. */
function limitOutside(name: string, { pod, nodeAllocatable }: ResourceSources): string | undefined {
  if (!unboundedResources.includes(name)) return undefined;
  const whole = isPodLevelResource(name) ? ownValue(pod.spec.resources?.limits, name) : undefined;
  const isBounded = whole !== undefined && amountOf(whole) > 0;
  return isBounded ? whole : ownValue(nodeAllocatable, name);
}

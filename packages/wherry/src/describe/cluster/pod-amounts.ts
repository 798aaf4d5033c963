import {
  type Amounts,
  addAmounts,
  amountsOf,
  type ContainerStatus,
  isPodLevelResource,
  type Pod,
  type Quantity,
  raiseAmounts,
  sumOfContainers,
} from '@wherry/kubeapi/objects';

type Side = 'requests' | 'limits';

interface Declaring {
  name: string;
  restartPolicy?: string;
  resources?: Partial<Record<Side, Record<string, string>>>;
}

/**
 * What a pod takes while a resize is on its way: the most of what its containers declare and what they have, as kubectl counts
 * it, which takes what is declared for the pod as a whole as it stands.
 */
export function amountsTaken({ spec, status }: Pod, side: Side): Amounts {
  const regular = status?.containerStatuses ?? [];
  const init = status?.initContainerStatuses ?? [];
  const isInfeasible = status?.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  );
  const own = new Set(spec?.containers ?? []) as ReadonlySet<Declaring>;
  const taken = (container: Declaring): Map<string, Quantity> => {
    const declared = amountsOf(container.resources?.[side]);
    const isLasting = own.has(container) || container.restartPolicy === 'Always';
    const told = [...regular, ...init].find(({ name }) => name === container.name);
    if (!isLasting || !told?.resources) return declared;
    return raiseAmounts(had(told, side), isInfeasible ? new Map() : declared);
  };
  const total = sumOfContainers<Declaring>(spec ?? {}, taken);
  for (const [name, amount] of amountsOf(spec?.resources?.[side]))
    if (isPodLevelResource(name)) total.set(name, amount);
  const overhead = [...amountsOf(spec?.overhead)];
  const hasRoom = (name: string) => side === 'requests' || (total.get(name)?.sign() ?? 0) !== 0;
  return addAmounts(total, new Map(overhead.filter(([name]) => hasRoom(name))));
}

function had({ resources, allocatedResources }: ContainerStatus, side: Side): Map<string, Quantity> {
  const actual = amountsOf(resources?.[side]);
  return side === 'requests' ? raiseAmounts(amountsOf(allocatedResources), actual) : actual;
}

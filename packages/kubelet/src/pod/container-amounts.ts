import { type Container, ownValue, type ResourceRequirements } from '@wherry/kubeapi';
import { amountOf, milliAmountOf } from './amount.ts';
import type { AssignedPod } from './assigned-pod.ts';

/** Of cpu (thousandths) and memory (bytes), what a container asks for and may use; 0 where nothing is said. */
export interface ContainerAmounts {
  cpuRequest: number;
  cpuLimit: number;
  memoryRequest: number;
  memoryLimit: number;
}

/** The two resources that can change while a container runs. */
export type Resizable = 'cpu' | 'memory';

/** The limits that hold for a container: those of the whole pod where it has none itself. */
export function limitsOf(pod: AssignedPod, container: Container): Readonly<Record<string, string>> {
  const own = container.resources?.limits ?? {};
  const whole = pod.spec.resources?.limits ?? {};
  const inherited = (['cpu', 'memory'] as const).flatMap((name) => {
    const isOwn = amountOf(ownValue(own, name) ?? '0') > 0;
    const amount = isOwn ? undefined : ownValue(whole, name);
    return amount === undefined ? [] : [[name, amount] as const];
  });
  return { ...own, ...Object.fromEntries(inherited) };
}

/** The amounts of a container in its pod. */
export function containerAmounts(pod: AssignedPod, container: Container): ContainerAmounts {
  const { requests } = container.resources ?? {};
  return amountsIn({ ...(requests ? { requests } : {}), limits: { ...limitsOf(pod, container) } });
}

/** The amounts that resources say. */
export function amountsIn({ requests = {}, limits = {} }: ResourceRequirements): ContainerAmounts {
  const of = (list: Readonly<Record<string, string>>, name: Resizable) => {
    const text = Object.hasOwn(list, name) ? list[name] : undefined;
    if (text === undefined) return 0;
    return name === 'cpu' ? milliAmountOf(text) : amountOf(text);
  };
  return {
    cpuRequest: of(requests, 'cpu'),
    cpuLimit: of(limits, 'cpu'),
    memoryRequest: of(requests, 'memory'),
    memoryLimit: of(limits, 'memory'),
  };
}

/** The same amounts as resources; what is 0 is left out. */
export function resourcesOf(amounts: ContainerAmounts): ResourceRequirements {
  const list = (cpu: number, memory: number) => ({
    ...(cpu > 0 ? { cpu: `${cpu}m` } : {}),
    ...(memory > 0 ? { memory: String(memory) } : {}),
  });
  return {
    requests: list(amounts.cpuRequest, amounts.memoryRequest),
    limits: list(amounts.cpuLimit, amounts.memoryLimit),
  };
}

/** Whether two say the same of that resource, or of both. */
export function isSameAmounts(
  one: ContainerAmounts,
  other: ContainerAmounts,
  resources: readonly Resizable[] = ['cpu', 'memory'],
): boolean {
  return resources.every((name) =>
    name === 'cpu'
      ? one.cpuRequest === other.cpuRequest && one.cpuLimit === other.cpuLimit
      : one.memoryRequest === other.memoryRequest && one.memoryLimit === other.memoryLimit,
  );
}

import {
  type Container,
  type JsonObject,
  jsonEqual,
  type Node,
  type Pod,
  type ResourceRequirements,
} from '@wherry/kubeapi';
import { amountsOf } from './amounts.ts';
import { isSidecar } from './pod-state.ts';

type Spec = NonNullable<Pod['spec']>;
type Resources = Pick<ResourceRequirements, 'requests' | 'limits'>;

/** A feature that nodes declare in `status.declaredFeatures`, and which pods can't do without it. */
interface NodeFeature {
  name: string;
  /** Only where the pod may be placed on nodes that have it alone. */
  isNeededBy?(spec: Spec): boolean;
  /** Only where the change of a pod is for nodes that have it alone. */
  isNeededForChange?(next: Spec, previous: Spec): boolean;
}

/**
 * Those that pods ask for, by name (component-helpers/nodedeclaredfeatures/features of 1.36). Upstream's list has also
 * `ExtendWebSocketsToKubelet`, which no pod asks for.
 */
const features: readonly NodeFeature[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeededForChange: (next, previous) => !isSameResources(next.resources, previous.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeededForChange: (next, previous) =>
      (previous.initContainers ?? []).some(
        (container, index) =>
          !isSidecar(container) &&
          !jsonEqual(resourcesOf(container), resourcesOf(next.initContainers?.[index])),
      ),
  },
  {
    name: 'RestartAllContainersOnContainerExits',
    isNeededBy: ({ containers, initContainers = [] }) =>
      [...containers, ...initContainers].some(restartsAllContainers),
  },
  {
    name: 'UserNamespacesHostNetworkSupport',
    isNeededBy: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
  },
];

function restartsAllContainers({ restartPolicyRules = [] }: Container): boolean {
  return restartPolicyRules.some(({ action }) => action === 'RestartAllContainers');
}

const resourcesOf = (container: Container | undefined) => (container?.resources ?? {}) as JsonObject;

/** Amounts count, not how they are written. */
function isSameResources(next: Resources = {}, previous: Resources = {}): boolean {
  return (['requests', 'limits'] as const).every((side) => {
    const [after, before] = [amountsOf(next[side]), amountsOf(previous[side])];
    return (
      after.size === before.size && [...after].every(([name, amount]) => before.get(name)?.cmp(amount) === 0)
    );
  });
}

/** Names of what a node has to declare for the pod to be placed on it. */
export function featuresNeededBy({ spec }: Pick<Pod, 'spec'>): string[] {
  return features.filter(({ isNeededBy }) => spec && isNeededBy?.(spec)).map(({ name }) => name);
}

/** Names of what the node of a pod has to declare for the pod to be changed so. */
export function featuresNeededForChange(next: Pick<Pod, 'spec'>, previous: Pick<Pod, 'spec'>): string[] {
  const [after, before] = [next.spec, previous.spec];
  if (!after || !before) return [];
  return features
    .filter(({ isNeededForChange }) => isNeededForChange?.(after, before))
    .map(({ name }) => name);
}

/** Those of the names that the node does not declare. */
export function undeclaredFeatures(names: readonly string[], node: Node | undefined): string[] {
  return names.filter((name) => !node?.status?.declaredFeatures?.includes(name));
}

import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  NodeSelector,
  NodeSelectorRequirement,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import type { GivenDevice } from './allocate-devices.ts';

/** What is written into a claim's status: its devices, what drivers are told, and where they can be used. */
export function allocationResult(
  claim: ResourceV1ResourceClaim,
  given: readonly GivenDevice[],
  nodeName: string,
): AllocationResult {
  const config = configuration(claim, given);
  const nodeSelector = usableOn(given, nodeName);
  return {
    devices: { results: given.map(({ result }) => result), ...(config.length > 0 ? { config } : {}) },
    ...(nodeSelector ? { nodeSelector } : {}),
  };
}

/** The classes' words first, then the claim's own. */
function configuration(
  { spec: { devices = {} } }: ResourceV1ResourceClaim,
  given: readonly GivenDevice[],
): DeviceAllocationConfiguration[] {
  const made: DeviceAllocationConfiguration[] = [];
  const ofClass = new Map<string, DeviceAllocationConfiguration[]>();
  const chosen = new Map(given.map(({ choice }) => [choice.parent ?? choice.name, choice]));
  for (const { name } of devices.requests ?? []) {
    const choice = chosen.get(name);
    if (!choice) continue;
    const className = choice.deviceClass.metadata.name ?? '';
    const known = ofClass.get(className);
    for (const each of known ?? []) each.requests!.push(choice.fullName);
    if (known) continue;
    const own = (choice.deviceClass.spec.config ?? []).map(
      (each): DeviceAllocationConfiguration => ({
        source: 'FromClass',
        requests: [choice.fullName],
        ...each,
      }),
    );
    ofClass.set(className, own);
    made.push(...own);
  }
  for (const { requests = [], ...settings } of devices.config ?? []) {
    const own: DeviceAllocationConfiguration = {
      source: 'FromClaim',
      ...(requests.length > 0 ? { requests } : {}),
      ...settings,
    };
    const isMeant = [...chosen.values()].some(
      ({ name, parent, fullName }) => requests.includes(parent ?? name) || requests.includes(fullName),
    );
    if (requests.length === 0 || isMeant) made.push(own);
  }
  return made;
}

/** The nodes on which the devices can be used; undefined for all. */
function usableOn(given: readonly GivenDevice[], nodeName: string): NodeSelector | undefined {
  const fields: NodeSelectorRequirement[] = [];
  const expressions: NodeSelectorRequirement[] = [];
  for (const { known } of given) {
    const { spec } = known.slice;
    const selection = spec.perDeviceNodeSelection ? known.device : spec;
    if (selection.nodeName || known.device.bindsToNode) {
      const matchFields = [{ key: 'metadata.name', operator: 'In' as const, values: [nodeName] }];
      return { nodeSelectorTerms: [{ matchFields }] };
    }
    const [term] = selection.nodeSelector?.nodeSelectorTerms ?? [];
    add(fields, term?.matchFields);
    add(expressions, term?.matchExpressions);
  }
  if (fields.length + expressions.length === 0) return undefined;
  const term = {
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
    ...(fields.length > 0 ? { matchFields: fields } : {}),
  };
  return { nodeSelectorTerms: [term] };
}

function add(to: NodeSelectorRequirement[], from: readonly NodeSelectorRequirement[] = []): void {
  for (const each of from) if (!to.some((other) => isSame(each, other))) to.push(each);
}

const isSame = (a: NodeSelectorRequirement, b: NodeSelectorRequirement): boolean =>
  a.key === b.key &&
  a.operator === b.operator &&
  new Set(a.values).symmetricDifference(new Set(b.values)).size === 0;

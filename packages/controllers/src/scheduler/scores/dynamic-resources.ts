import type { AllocationResult, DeviceRequest, Node, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { alternatives } from '../devices/device-choice.ts';
import { devicesOf, type PodDevices } from '../devices/pod-devices.ts';
import { type ScorePlugin, stretched } from './score-plugin.ts';

/** Alternatives that one request may have (upstream's FirstAvailableDeviceRequestMaxSize): the first counts as many points. */
const alternativesMax = 8;

/** Nodes on which claims get the earlier of their alternatives. */
export const dynamicResources: ScorePlugin = {
  name: 'DynamicResources',
  weight: 2,
  score({ pod }, rooms, { objects, devices: ledger }) {
    const devices = devicesOf(pod, objects, ledger);
    const hasAlternatives = devices?.claims.some(({ spec }) =>
      spec.devices?.requests?.some(({ firstAvailable = [] }) => firstAvailable.length > 0),
    );
    if (!devices || !hasAlternatives) return undefined;
    return stretched(rooms.map(({ node }) => (node ? pointsOn(node, devices) : 0)));
  },
};

function pointsOn(node: Node, devices: PodDevices): number {
  const made = devices.allocations(node);
  let points = 0;
  for (const claim of devices.claims) {
    const allocation = claim.status?.allocation ?? made?.get(claim.metadata.uid ?? '');
    if (allocation) points += pointsOf(claim, allocation);
  }
  return points;
}

function pointsOf({ spec }: ResourceV1ResourceClaim, { devices }: AllocationResult): number {
  const given = new Set(devices?.results?.map(({ request }) => request));
  const pointsFor = (request: DeviceRequest): number => {
    const chosen = request.exactly
      ? -1
      : alternatives(request).findIndex(({ fullName }) => given.has(fullName));
    return chosen < 0 ? 0 : alternativesMax - chosen;
  };
  return (spec.devices?.requests ?? []).reduce((sum, request) => sum + pointsFor(request), 0);
}

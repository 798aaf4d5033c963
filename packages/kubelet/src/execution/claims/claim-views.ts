import type { Container, ContainerStatus } from '@wherry/kubeapi';
import type { Device } from '../../generated/dra-plugin.ts';
import type { DynamicResource } from '../../generated/pod-resources.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type ContainerClaim, usesOf } from './claim-uses.ts';
import type { DeviceHealths, DevicePlace } from './device-health.ts';
import type { PreparedClaim, PreparedClaims } from './prepared-claim.ts';

type ResourceStatuses = NonNullable<ContainerStatus['allocatedResourcesStatus']>;

/** What containers have of the claims that are prepared. */
export class ClaimViews {
  readonly #claims: PreparedClaims;
  readonly #healths: Pick<DeviceHealths, 'of'>;

  constructor(claims: PreparedClaims, healths: Pick<DeviceHealths, 'of'>) {
    this.#claims = claims;
    this.#healths = healths;
  }

  /** Names of the CDI devices that a container is made with. Throws where a claim of it is not prepared. */
  cdiDevicesOf(pod: AssignedPod, container: Container): string[] {
    const { namespace } = pod.metadata;
    const names = usesOf(pod, container).flatMap((use) => {
      const claim = this.#claims.get(namespace, use.claimName);
      if (!claim)
        throw new Error(
          `internal error: unable to get claim info for ResourceClaim ${use.claimName} in namespace ${namespace}`,
        );
      return devicesFor(claim, use).flatMap(({ device: { cdiDeviceIds } }) => cdiDeviceIds);
    });
    return [...new Set(names)];
  }

  /** The devices of a container and how they are, as its status says it. */
  statusesOf(pod: AssignedPod, container: Container): ResourceStatuses {
    return usesOf(pod, container).flatMap((use) => {
      const claim = this.#claims.get(pod.metadata.namespace, use.claimName);
      if (!claim || use.label === '') return [];
      const resources = new Map(devicesFor(claim, use).map((each) => [idOf(each), this.#healthOf(each)]));
      if (resources.size === 0) return [];
      return [
        {
          name: use.label,
          resources: [...resources].map(([resourceID, health]) => ({ resourceID, ...health })),
        },
      ];
    });
  }

  /** The claims of a container with all their devices, as the pod-resources API tells of them. */
  dynamicResourcesOf(pod: AssignedPod, container: Container): DynamicResource[] {
    const { namespace } = pod.metadata;
    const names = new Set(usesOf(pod, container).map(({ claimName }) => claimName));
    return [...names].flatMap((claimName) => {
      const claim = this.#claims.get(namespace, claimName);
      if (!claim) return [];
      const claimResources = devicesFor(claim, { request: '' }).map(({ driver, device }) => ({
        cdiDevices: device.cdiDeviceIds.map((name) => ({ name })),
        driverName: driver,
        poolName: device.poolName,
        deviceName: device.deviceName,
        shareId: device.shareId,
      }));
      return [{ claimName, claimNamespace: namespace, claimResources }];
    });
  }

  /** UIDs of the pods that use one of these devices. */
  usersOf(places: readonly DevicePlace[]): Set<string> {
    const isMeant = ({ driver, device }: DriverDevice) =>
      places.some(
        (each) =>
          each.driver === driver && each.pool === device.poolName && each.device === device.deviceName,
      );
    const claims = this.#claims.all.filter((claim) => devicesFor(claim, { request: '' }).some(isMeant));
    return new Set(claims.flatMap(({ pods }) => [...pods]));
  }

  #healthOf({ driver, device }: DriverDevice) {
    const place = { driver, pool: device.poolName, device: device.deviceName };
    const { health, message } = this.#healths.of(place);
    return { health, ...(message === '' ? {} : { message }) };
  }
}

interface DriverDevice {
  driver: string;
  device: Device;
}

/** Drivers name requests without the alternative that was taken; a device without a request belongs to all. */
function devicesFor(claim: PreparedClaim, { request }: Pick<ContainerClaim, 'request'>): DriverDevice[] {
  const base = request.split('/')[0] ?? '';
  return [...claim.devices].flatMap(([driver, devices]) =>
    devices
      .filter(({ requestNames: names }) => {
        const isOfAll = request === '' || names.length === 0;
        return isOfAll || names.includes(request) || names.includes(base);
      })
      .map((device) => ({ driver, device })),
  );
}

const idOf = ({ driver, device: { cdiDeviceIds, poolName, deviceName } }: DriverDevice) =>
  cdiDeviceIds[0] ?? `${driver}/${poolName}/${deviceName}`;

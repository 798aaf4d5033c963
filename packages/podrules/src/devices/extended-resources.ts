import type { DeviceClass } from '@wherry/kubeapi/objects';

/** With the name of a device class behind it, the resource that every class stands for (upstream: ResourceDeviceClassPrefix). */
export const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';

const isNative = (name: string) => !name.includes('/') || name.includes('kubernetes.io/');

/** Whether a resource is neither Kubernetes' own nor a quota's (upstream: IsExtendedResourceName). */
export const isExtendedResource = (name: string): boolean => !isNative(name) && !name.startsWith('requests.');

/** Whether a device class may stand for a resource (upstream: IsDRAExtendedResourceName). */
export const isDeviceResource = (name: string): boolean =>
  isExtendedResource(name) || name.startsWith(deviceClassPrefix);

/**
 * The device class that stands for a resource; of several that name it the youngest, and of those that are as old the
 * first by name, so that one class can take over from another (upstream: extendedresourcecache).
 */
export function deviceClassFor(resource: string, classes: Iterable<DeviceClass>): DeviceClass | undefined {
  let found: DeviceClass | undefined;
  for (const each of classes) {
    if (resource === `${deviceClassPrefix}${each.metadata.name}`) return each;
    if (each.spec.extendedResourceName !== resource) continue;
    if (!found || isPreferred(each, found)) found = each;
  }
  return found;
}

function isPreferred({ metadata: one }: DeviceClass, { metadata: other }: DeviceClass): boolean {
  const [born, otherBorn] = [one, other].map(
    ({ creationTimestamp = '' }) => Date.parse(creationTimestamp) || 0,
  );
  return born === otherBorn ? (one.name ?? '') < (other.name ?? '') : born! > otherBorn!;
}

import type { IPAddress } from '@wherry/kubeapi';
import type { ApiObject } from '../../objects/api-object.ts';
import { familyOfAddress } from './address-range.ts';

const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const managerLabel = 'ipaddress.kubernetes.io/managed-by';
const manager = 'ipallocator.k8s.io';

/** The IPAddress that says that a service, `namespace/name`, has an address. */
export function addressObject(address: string, service: string): ApiObject {
  const [namespace = '', name = ''] = service.split('/');
  const labels = { [familyLabel]: familyOfAddress(address), [managerLabel]: manager };
  const parentRef = { resource: 'services', namespace, name };
  return { metadata: { name: address, labels }, spec: { parentRef } };
}

/** True for what a server made for a service; false for what somebody has made by hand. */
export function isManagedAddress({ metadata }: Pick<IPAddress, 'metadata'>): boolean {
  return metadata?.labels?.[managerLabel] === manager;
}

/** `namespace/name` of the service that an IPAddress tells of; undefined when it tells of something else. */
export function serviceOf({ spec }: Pick<IPAddress, 'spec'>): string | undefined {
  const { group = '', resource, namespace, name } = spec?.parentRef ?? {};
  return group === '' && resource === 'services' ? `${namespace}/${name}` : undefined;
}

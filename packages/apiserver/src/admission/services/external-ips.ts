import { forbidden, type Service } from '@wherry/kubeapi';
import { as } from '../../registry/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

/**
 * `externalIPs` let whoever writes a service take traffic that is meant for others (CVE-2020-8554): new ones are warned
 * of, and refused where the plug-in DenyServiceExternalIPs is on.
 */
export class ExternalIps implements AdmissionPlugin {
  readonly name = 'DenyServiceExternalIPs';
  readonly #isDenied: boolean;

  constructor(isDenied: boolean) {
    this.#isDenied = isDenied;
  }

  validate({ resource, subresource, operation, object, previous, warn, name }: AdmissionRequest): void {
    if (resource.keyPrefix !== '/services/' || subresource !== '' || !object) return;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return;
    const { externalIPs = [], clusterIP, type } = as<Service>(object).spec ?? {};
    const before = previous ? (as<Service>(previous).spec?.externalIPs ?? []) : [];
    if (this.#isDenied && !externalIPs.every((address) => before.includes(address))) {
      const why = 'Use of external IPs is denied by admission control';
      throw forbidden({ group: '', resource: 'services' }, name || (object.metadata.name ?? ''), why);
    }
    if (externalIPs.length === 0) return;
    if (type === 'ExternalName') warn(`spec.externalIPs is ignored when spec.type is "ExternalName"`);
    else if (clusterIP === 'None') warn('spec.externalIPs is ignored for headless services');
    else warn('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
}

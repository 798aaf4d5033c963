import type { Service } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRule, refused } from '../admission.ts';

const handles: readonly AdmissionRule[] = [{ operations: ['CREATE', 'UPDATE'], resources: ['/services'] }];

/** `externalIPs` let whoever writes a service take traffic that is meant for others (CVE-2020-8554): none are added. */
export function denyServiceExternalIps(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    isOffByDefault: true,
    handles,
    validate(request) {
      const { externalIPs = [] } = as<Service>(request.object!).spec ?? {};
      const before = new Set(request.previous && as<Service>(request.previous).spec?.externalIPs);
      if (externalIPs.every((address) => before.has(address))) return;
      throw refused(request, 'Use of external IPs is denied by admission control');
    },
  };
}

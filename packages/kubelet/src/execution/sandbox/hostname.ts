import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** The names a pod goes by. */
export interface PodHostname {
  /** Short name, as in /etc/hosts. */
  hostname: string;
  /** Domain of pods with a subdomain; '' otherwise. */
  domain: string;
  /** What the sandbox's UTS namespace is set to. */
  sandbox: string;
}

const hostnameMax = 63;

/** Hostname and domain of a pod. Throws when the pod wants its full name as hostname and that is longer than 64. */
export function podHostname(pod: AssignedPod, clusterDomain: string): PodHostname {
  const { hostname: given, hostnameOverride, subdomain, setHostnameAsFQDN } = pod.spec;
  const hostname = (hostnameOverride || given || pod.metadata.name)
    .slice(0, hostnameMax)
    .replace(/[-.]+$/, '');
  if (hostnameOverride) return { hostname, domain: '', sandbox: hostname };
  const domain = subdomain ? `${subdomain}.${pod.metadata.namespace}.svc.${clusterDomain}` : '';
  const full = domain ? `${hostname}.${domain}` : hostname;
  if (!setHostnameAsFQDN) return { hostname, domain, sandbox: hostname };
  if (full.length > 64) {
    throw new Error(
      `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long (64 characters is the max, ${full.length} characters requested)`,
    );
  }
  return { hostname, domain, sandbox: full };
}

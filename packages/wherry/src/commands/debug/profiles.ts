import { ownValue, type SecurityContext } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** What a debug container may do, by KEP-1441 and kubectl's profiles.go. */
export interface Profile {
  /** The security context of a container in a pod, made of the one that it has. */
  inPod(own: SecurityContext | undefined): SecurityContext | undefined;
  /** A pod that looks into its node. */
  onNode: {
    securityContext?: SecurityContext;
    hostNamespaces: boolean;
    /** The root of the node at `/host`. */
    hostRoot: boolean;
  };
  /** A copy of a pod loses its labels and nothing else, and shares processes only where that is asked for. */
  isPlain: boolean;
}

const restricted: SecurityContext = {
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  allowPrivilegeEscalation: false,
  seccompProfile: { type: 'RuntimeDefault' },
};

const adding = (own: SecurityContext | undefined, ...capabilities: string[]): SecurityContext => ({
  ...own,
  capabilities: { ...own?.capabilities, add: [...(own?.capabilities?.add ?? []), ...capabilities] },
});
const networking = (own?: SecurityContext) => adding(own, 'NET_ADMIN', 'NET_RAW');

const profiles: Record<string, Profile> = {
  legacy: {
    inPod: (own) => own,
    onNode: { hostNamespaces: true, hostRoot: true },
    isPlain: true,
  },
  general: {
    inPod: (own) => adding(own, 'SYS_PTRACE'),
    onNode: { hostNamespaces: true, hostRoot: true },
    isPlain: false,
  },
  baseline: {
    inPod: () => undefined,
    onNode: { hostNamespaces: false, hostRoot: false },
    isPlain: false,
  },
  restricted: {
    inPod: () => restricted,
    onNode: { securityContext: restricted, hostNamespaces: false, hostRoot: false },
    isPlain: false,
  },
  netadmin: {
    inPod: networking,
    onNode: { securityContext: networking(), hostNamespaces: true, hostRoot: false },
    isPlain: false,
  },
  sysadmin: {
    inPod: (own) => ({ ...own, privileged: true }),
    onNode: { securityContext: { privileged: true }, hostNamespaces: true, hostRoot: true },
    isPlain: false,
  },
};

/** The profile of that name. Throws `CommandError` when there is none. */
export function profileNamed(name: string): Profile {
  const found = ownValue(profiles, name);
  if (found) return found;
  throw new CommandError(`unknown profile: ${name}`);
}

/** Gives a container of a pod the rights of a profile. */
export function grantRights(container: { securityContext?: SecurityContext }, { inPod }: Profile): void {
  const securityContext = inPod(container.securityContext);
  if (securityContext) container.securityContext = securityContext;
  else delete container.securityContext;
}

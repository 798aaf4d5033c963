import type {
  AppArmorProfile,
  Capabilities,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from '@wherry/kubeapi';
import {
  actedOn,
  type FieldVerdict,
  type MessageVerdicts,
  noEffect,
  type Remark,
  refusedWhen,
} from '../../pod/field-verdict.ts';

const own = 'kubelet/execution/container/security-context';
const pod = 'kubelet/execution/sandbox/sandbox-config';

const seLinuxOptions: FieldVerdict<unknown> = refusedWhen(
  'where SELinux is enforced; elsewhere labels mean nothing, as upstream',
  (_options, { isSelinuxEnforcing }) => isSelinuxEnforcing,
  'SELinux labels are not supported by this kubelet, and this node enforces SELinux; remove them',
);

const windowsOptions = noEffect("concerns Windows nodes; upstream's kubelet on Linux passes over it too");

/** Refused where the kernel can't do it, in the words of pkg/security/apparmor/validate.go. */
export const appArmorMissing: Remark<unknown> = {
  values: 'all but `Unconfined`, where the kernel has no AppArmor',
  why: 'Cannot enforce AppArmor: AppArmor is not enabled on the host',
  reason: 'AppArmor',
  matches: (type, { hasAppArmor }) => !hasAppArmor && type !== 'Unconfined' && type !== 'unconfined',
};

export const securityContext: MessageVerdicts<SecurityContext> = {
  capabilities: actedOn(own),
  privileged: actedOn(own, pod),
  seLinuxOptions,
  windowsOptions,
  runAsUser: actedOn(own),
  runAsGroup: actedOn(own),
  runAsNonRoot: actedOn(own),
  readOnlyRootFilesystem: actedOn(own),
  allowPrivilegeEscalation: actedOn(own),
  procMount: {
    ...actedOn(own),
    ...refusedWhen<string>(
      '`Unmasked` without `hostUsers: false`',
      (type, { pod }) => type !== 'Default' && pod.spec.hostUsers !== false,
      'an unmasked /proc needs a user namespace: set hostUsers to false',
    ),
  },
  seccompProfile: actedOn(own),
  appArmorProfile: actedOn(own),
};

export const podSecurityContext: MessageVerdicts<PodSecurityContext> = {
  seLinuxOptions,
  windowsOptions,
  runAsUser: actedOn(own, pod),
  runAsGroup: actedOn(own, pod),
  runAsNonRoot: actedOn(own),
  supplementalGroups: actedOn(own, pod),
  supplementalGroupsPolicy: {
    ...actedOn(own),
    ...refusedWhen<string>(
      '`Strict`, where the runtime can not keep to it',
      (policy, { hasStrictGroups }) => policy === 'Strict' && hasStrictGroups === false,
      'SupplementalGroupsPolicy=Strict is not supported in this node',
      'SupplementalGroupsPolicyNotSupported',
    ),
  },
  fsGroup: actedOn(own, 'kubelet/execution/volumes/volume-manager'),
  sysctls: actedOn(pod, 'kubelet/intake/admission/admit-sysctls'),
  fsGroupChangePolicy: actedOn('kubelet/execution/volumes/persistent/give-once'),
  seccompProfile: actedOn(own),
  appArmorProfile: actedOn(own),
  seLinuxChangePolicy: noEffect(
    'says how volumes get their SELinux label, and labels are refused; see seLinuxOptions',
  ),
};

export const capabilities: MessageVerdicts<Capabilities> = { add: actedOn(own), drop: actedOn(own) };

export const seccompProfile: MessageVerdicts<SeccompProfile> = {
  type: actedOn(own),
  localhostProfile: actedOn(own),
};

export const appArmorProfile: MessageVerdicts<AppArmorProfile> = {
  type: { ...actedOn(own), refused: [appArmorMissing] },
  localhostProfile: actedOn(own),
};

export const sysctl: MessageVerdicts<Sysctl> = { name: actedOn(pod), value: actedOn(pod) };

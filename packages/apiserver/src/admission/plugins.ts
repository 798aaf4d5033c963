import type { AdmissionPlugin } from './admission.ts';
import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { deviceAdminAccess } from './devices/admin-access.ts';
import { claimStatusAccess } from './devices/claim-status-access.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './nodes/node-declared-features.ts';
import { nodeRestriction } from './nodes/node-restriction.ts';
import { taintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import type { PluginFactory, PluginParts } from './plugin-parts.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { defaultTolerationSeconds } from './pods/default-toleration-seconds.ts';
import { podResize, podResizeClass } from './pods/pod-resize.ts';
import { podTopologyLabels } from './pods/pod-topology-labels.ts';
import { priority } from './pods/priority.ts';
import { runtimeClass } from './pods/runtime-class.ts';
import { mutatingAdmissionPolicy } from './policies/mutating-policies.ts';
import { policyParamAccess } from './policies/param-access.ts';
import { validatingAdmissionPolicy } from './policies/validating-policies.ts';
import { resourceQuota } from './resource-quota/resource-quota.ts';
import { roleEscalation } from './role-escalation.ts';
import { serviceAccount } from './service-account/service-account.ts';
import { denyServiceExternalIps } from './services/external-ips.ts';
import { serviceAddresses } from './services/service-addresses.ts';
import { claimResize } from './storage/claim-resize.ts';
import { defaultStorageClass } from './storage/default-storage-class.ts';
import { storageObjectInUseProtection } from './storage/storage-object-in-use-protection.ts';
import { mutatingAdmissionWebhook } from './webhooks/mutating-webhooks.ts';
import { validatingAdmissionWebhook } from './webhooks/validating-webhooks.ts';

/** Every plug-in, in the order in which it is asked (upstream: pkg/kubeapiserver/options/plugins.go). */
export const plugins: readonly PluginFactory[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  claimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIps,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResize,
  mutatingAdmissionPolicy,
  mutatingAdmissionWebhook,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  resourceQuota,
];

/** Asked after them, and not to be switched off: upstream does it where it stores the objects (pkg/registry). */
export const storageRules: readonly PluginFactory[] = [
  roleEscalation,
  policyParamAccess,
  serviceAddresses,
  podResizeClass,
  deviceAdminAccess,
  claimStatusAccess,
];

/** `--enable-admission-plugins` and `--disable-admission-plugins`. */
export interface PluginSwitches {
  enableAdmissionPlugins?: readonly string[] | undefined;
  disableAdmissionPlugins?: readonly string[] | undefined;
}

/** The plug-ins that are on. Throws on names that no plug-in has, and on those that are to be both on and off. */
export function enabledPlugins(parts: PluginParts, switches: PluginSwitches): AdmissionPlugin[] {
  const { enableAdmissionPlugins: on = [], disableAdmissionPlugins: off = [] } = switches;
  const all = plugins.map((make) => make(parts));
  requireKnown('enable-admission-plugins', on, all);
  requireKnown('disable-admission-plugins', off, all);
  const both = on.filter((name) => off.includes(name)).sort();
  if (both.length > 0) {
    const names = [...new Set(both)].join(' ');
    throw new Error(`[${names}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  const isOn = ({ name, isOffByDefault = false }: AdmissionPlugin) =>
    isOffByDefault ? on.includes(name) : !off.includes(name);
  return [...all.filter(isOn), ...storageRules.map((make) => make(parts))];
}

function requireKnown(flag: string, names: readonly string[], all: readonly AdmissionPlugin[]): void {
  const unknown = names.find((name) => !all.some((plugin) => plugin.name === name));
  if (unknown !== undefined) throw new Error(`${flag} plugin ${JSON.stringify(unknown)} is unknown`);
}

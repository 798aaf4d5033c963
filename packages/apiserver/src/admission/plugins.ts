import { readingSettings, SettingsError } from '../settings-error.ts';
import type { AdmissionPlugin } from './admission.ts';
import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { deviceAdminAccess } from './devices/admin-access.ts';
import { claimStatusAccess } from './devices/claim-status-access.ts';
import { eventRateLimit } from './events/event-rate-limit.ts';
import { imagePolicyWebhook } from './image-policy/image-policy-webhook.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { namespaceAutoProvision } from './namespaces/namespace-auto-provision.ts';
import { namespaceExists } from './namespaces/namespace-exists.ts';
import { namespaceLifecycle } from './namespaces/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './nodes/node-declared-features.ts';
import { nodeRestriction } from './nodes/node-restriction.ts';
import { taintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import { ownerReferencesPermissionEnforcement } from './owner-permissions.ts';
import { PluginConfigurations } from './plugin-configurations.ts';
import type { PluginFactory, PluginParts } from './plugin-parts.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { alwaysPullImages } from './pods/always-pull-images.ts';
import { defaultTolerationSeconds } from './pods/default-toleration-seconds.ts';
import { extendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './pods/hard-anti-affinity.ts';
import { podNodeSelector } from './pods/pod-node-selector.ts';
import { podResize, podResizeClass } from './pods/pod-resize.ts';
import { podTolerationRestriction } from './pods/pod-toleration-restriction.ts';
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
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  imagePolicyWebhook,
  podSecurity,
  podNodeSelector,
  priority,
  defaultTolerationSeconds,
  podTolerationRestriction,
  eventRateLimit,
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
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

/** Which plug-ins are on, and what they are told. */
export interface PluginSwitches {
  enableAdmissionPlugins?: readonly string[] | undefined;
  disableAdmissionPlugins?: readonly string[] | undefined;
  admissionControlConfigFile?: string | undefined;
}

/**
 * The plug-ins that are on. Throws on names that no plug-in has, on those that are to be both on and off, and on a file that says
 * what can't be done.
 */
export function enabledPlugins(parts: PluginParts, switches: PluginSwitches): AdmissionPlugin[] {
  const { enableAdmissionPlugins: on = [], disableAdmissionPlugins: off = [] } = switches;
  const all = plugins.map((make) => make(parts));
  requireKnown('enable-admission-plugins', on, all);
  requireKnown('disable-admission-plugins', off, all);
  const both = on.filter((name) => off.includes(name)).sort();
  if (both.length > 0) {
    const names = [...new Set(both)].join(' ');
    throw new SettingsError(
      `[${names}] in enable-admission-plugins and disable-admission-plugins overlapped`,
    );
  }
  const isOn = ({ name, isOffByDefault = false }: AdmissionPlugin) =>
    isOffByDefault ? on.includes(name) : !off.includes(name);
  const enabled = all.filter(isOn);
  configure(enabled, all, switches.admissionControlConfigFile);
  return [...enabled, ...storageRules.map((make) => make(parts))];
}

/** What is said to plug-ins that are off is not looked at, as upstream. */
function configure(
  enabled: readonly AdmissionPlugin[],
  all: readonly AdmissionPlugin[],
  file: string | undefined,
): void {
  const configurations = file === undefined ? undefined : new PluginConfigurations(file);
  const deaf = configurations?.names.find(
    (name) => !all.some((plugin) => plugin.name === name && plugin.configure),
  );
  if (deaf !== undefined) {
    const known = all.filter((plugin) => plugin.configure).map(({ name }) => name);
    const what = `nothing can be said to a plug-in ${JSON.stringify(deaf)}`;
    throw new SettingsError(`${JSON.stringify(file)}: ${what}; there are ${known.join(', ')}`);
  }
  for (const plugin of enabled)
    readingSettings(`couldn't init admission plugin ${JSON.stringify(plugin.name)}`, () =>
      plugin.configure?.(configurations?.of(plugin.name)),
    );
}

function requireKnown(flag: string, names: readonly string[], all: readonly AdmissionPlugin[]): void {
  const unknown = names.find((name) => !all.some((plugin) => plugin.name === name));
  if (unknown !== undefined) throw new SettingsError(`${flag} plugin ${JSON.stringify(unknown)} is unknown`);
}

import type { Pod, Volume } from '@wherry/kubeapi';
import {
  badContainers,
  type Check,
  containersOf,
  containersText,
  hasUserNamespace,
  isWindows,
  plural,
  quoted,
  settersText,
  sortedSet,
  type Violation,
} from './check.ts';

function allowPrivilegeEscalation(pod: Pod): Violation | undefined {
  const bad = badContainers(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  const detail = `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

const defaultCapabilities: ReadonlySet<string> = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]);

/** Containers that add others than `allowed`, as a sentence. */
function addedCapabilities(pod: Pod, allowed: ReadonlySet<string>): string | undefined {
  const extra = ({ securityContext }: ReturnType<typeof containersOf>[number]) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const bad = badContainers(pod, (container) => extra(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(sortedSet(containersOf(pod).flatMap(extra)));
  return `${containersText(bad)} must not include ${names} in securityContext.capabilities.add`;
}

function capabilitiesBaseline(pod: Pod): Violation | undefined {
  const detail = addedCapabilities(pod, defaultCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

function capabilitiesRestricted(pod: Pod): Violation | undefined {
  const keeping = badContainers(
    pod,
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  );
  const added = addedCapabilities(pod, new Set(['NET_BIND_SERVICE']));
  const details = [
    ...(keeping.length > 0
      ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(added === undefined ? [] : [added]),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

/** In upstream's order, which decides what a volume of several kinds is called. */
const restrictedKinds = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs', 'rbd'],
  ...[
    'flexVolume',
    'cinder',
    'cephfs',
    'flocker',
    'fc',
    'azureFile',
    'vsphereVolume',
    'quobyte',
    'azureDisk',
  ],
  ...['photonPersistentDisk', 'portworxVolume', 'scaleIO', 'storageos'],
] as const;
const freeKinds = [
  ...(['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image'] as const),
  ...(['persistentVolumeClaim', 'projected', 'secret'] as const),
];

function restrictedVolumes({ spec }: Pod): Violation | undefined {
  const bad = (spec?.volumes ?? []).filter((volume) => !freeKinds.some((kind) => volume[kind] !== undefined));
  if (bad.length === 0) return undefined;
  const kindOf = (volume: Volume) => restrictedKinds.find((kind) => volume[kind] !== undefined) ?? 'unknown';
  const kinds = sortedSet(bad.map(kindOf));
  const uses = bad.length === 1 ? 'uses' : 'use';
  const names = `${plural('volume', bad.length)} ${quoted(bad.map(({ name }) => name))}`;
  const detail = `${names} ${uses} ${plural('restricted volume type', kinds.length)} ${quoted(kinds)}`;
  return { reason: 'restricted volume types', detail };
}

function runAsNonRoot(pod: Pod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const own = pod.spec?.securityContext?.runAsNonRoot;
  const explicit = badContainers(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  if (own === false || explicit.length > 0) {
    const detail = `${settersText(own === false, explicit)} must not set securityContext.runAsNonRoot=false`;
    return { reason, detail };
  }
  if (own === true) return undefined;
  const silent = badContainers(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: Pod): Violation | undefined {
  const isPod = pod.spec?.securityContext?.runAsUser === 0;
  const bad = badContainers(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  if (!isPod && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${settersText(isPod, bad)} must not set runAsUser=0` };
}

const unlessWindows = (check: (pod: Pod) => Violation | undefined) => (pod: Pod) =>
  isWindows(pod) ? undefined : check(pod);
const unlessUserNamespace = (check: (pod: Pod) => Violation | undefined) => (pod: Pod) =>
  hasUserNamespace(pod.spec) ? undefined : check(pod);

/** What processes of a pod may do and become. */
export const privilegeChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      { sinceMinor: 8, check: allowPrivilegeEscalation },
      { sinceMinor: 25, check: unlessWindows(allowPrivilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_baseline',
    level: 'baseline',
    versions: [{ sinceMinor: 0, check: capabilitiesBaseline }],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [
      { sinceMinor: 22, check: capabilitiesRestricted, overrides: ['capabilities_baseline'] },
      {
        sinceMinor: 25,
        check: unlessWindows(capabilitiesRestricted),
        overrides: ['capabilities_baseline'],
      },
    ],
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [{ sinceMinor: 0, check: restrictedVolumes, overrides: ['hostPathVolumes'] }],
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      { sinceMinor: 0, check: runAsNonRoot },
      { sinceMinor: 35, check: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      { sinceMinor: 23, check: runAsUser },
      { sinceMinor: 35, check: unlessUserNamespace(runAsUser) },
    ],
  },
];

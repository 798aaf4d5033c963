import type { Pod, SELinuxOptions } from '@wherry/kubeapi';
import {
  badContainers,
  type Check,
  containersOf,
  containersText,
  isWindows,
  plural,
  quoted,
  settersText,
  sortedSet,
  type Violation,
} from './check.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

function appArmor(pod: Pod): Violation | undefined {
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const podType = pod.spec?.securityContext?.appArmorProfile?.type;
  const typeOf = (container: ReturnType<typeof containersOf>[number]) =>
    container.securityContext?.appArmorProfile?.type;
  const bad = badContainers(pod, (container) => isBad(typeOf(container)));
  const types = sortedSet([podType, ...containersOf(pod).map(typeOf)].filter(isBad) as string[]);
  const annotations = Object.entries(pod.metadata?.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAppArmorAnnotation(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const setters = [
    ...(isBad(podType) ? ['pod'] : []),
    ...(bad.length > 0 ? [containersText(bad)] : []),
    ...(annotations.length > 0 ? [plural('annotation', annotations.length)] : []),
  ];
  if (setters.length === 0) return undefined;
  const values = [...types, ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

function isAppArmorAnnotation(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

function seLinux(allowed: ReadonlySet<string>) {
  return (pod: Pod): Violation | undefined => {
    const isBad = (options: SELinuxOptions | undefined) =>
      options !== undefined && (!allowed.has(options.type ?? '') || Boolean(options.user || options.role));
    const own = pod.spec?.securityContext?.seLinuxOptions;
    const bad = badContainers(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    if (!isBad(own) && bad.length === 0) return undefined;
    const all = [own, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)];
    const types = sortedSet(all.flatMap((options) => options?.type ?? [])).filter(
      (type) => !allowed.has(type),
    );
    const data = [
      ...(types.length > 0 ? [`${plural('type', types.length)} ${quoted(types)}`] : []),
      ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
      ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
    ];
    const detail = `${settersText(isBad(own), bad)} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

function seccompAnnotations(pod: Pod): Violation | undefined {
  const annotations = new Map(Object.entries(pod.metadata?.annotations ?? {}));
  const keys = [
    seccompPodAnnotation,
    ...containersOf(pod).map(({ name }) => `${seccompContainerPrefix}${name}`),
  ];
  const bad = keys.flatMap((key) => {
    const value = annotations.get(key);
    const isGood =
      value === undefined ||
      ['runtime/default', 'docker/default'].includes(value) ||
      value.startsWith('localhost/');
    return isGood ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  const texts = sortedSet(bad);
  if (texts.length === 0) return undefined;
  const detail = `forbidden ${plural('annotation', texts.length)} ${texts.join(', ')}`;
  return { reason: 'seccompProfile', detail };
}

function isSeccomp(type: string): boolean {
  return type === 'Localhost' || type === 'RuntimeDefault';
}

/** Types that are set, and are none of the two good ones. */
function seccompProfiles(pod: Pod): Violation | undefined {
  const own = pod.spec?.securityContext?.seccompProfile?.type;
  const typeOf = (container: ReturnType<typeof containersOf>[number]) =>
    container.securityContext?.seccompProfile?.type;
  const isBad = (type: string | undefined) => type !== undefined && !isSeccomp(type);
  const bad = badContainers(pod, (container) => isBad(typeOf(container)));
  if (!isBad(own) && bad.length === 0) return undefined;
  const values = sortedSet([own, ...containersOf(pod).map(typeOf)].filter(isBad) as string[]);
  const detail = `${settersText(isBad(own), bad)} must not set securityContext.seccompProfile.type to ${quoted(values)}`;
  return { reason: 'seccompProfile', detail };
}

function seccompRequired(pod: Pod): Violation | undefined {
  const explicit = seccompProfiles(pod);
  if (explicit) return explicit;
  if (pod.spec?.securityContext?.seccompProfile) return undefined;
  const bad = badContainers(pod, ({ securityContext }) => !securityContext?.seccompProfile);
  if (bad.length === 0) return undefined;
  const wanted = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${containersText(bad)} ${wanted}` };
}

/** AppArmor, SELinux and seccomp. */
export const profileChecks: readonly Check[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [{ sinceMinor: 0, check: appArmor }] },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      { sinceMinor: 0, check: seLinux(new Set(seLinuxTypes)) },
      { sinceMinor: 31, check: seLinux(new Set([...seLinuxTypes, 'container_engine_t'])) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { sinceMinor: 0, check: seccompAnnotations },
      { sinceMinor: 19, check: seccompProfiles },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [
      { sinceMinor: 19, check: seccompRequired, overrides: ['seccompProfile_baseline'] },
      {
        sinceMinor: 25,
        check: (pod) => (isWindows(pod) ? undefined : seccompRequired(pod)),
        overrides: ['seccompProfile_baseline'],
      },
    ],
  },
];

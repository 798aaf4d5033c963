/** Profiles of AppArmor as annotations named them before there was a field. */

import type { AppArmorProfile, Container, Pod, PodSpec } from '../../../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../../../json/json-value.ts';
import { at } from '../../../status/field-error.ts';

/** What comes before the container's name. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** What who still uses the annotation is told. */
export const appArmorAdvice = 'deprecated since v1.30; use the "appArmorProfile" field instead';

const localhost = 'localhost/';
const profileCharactersMax = 4095;

/** The field that says the same; undefined where none does. */
export function appArmorProfileFrom(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/** Containers of a pod in the order in which they are looked at. */
export function allContainers({
  initContainers = [],
  containers,
  ephemeralContainers = [],
}: PodSpec): Pick<Container, 'name' | 'securityContext'>[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/**
 * Gives containers of a new pod the profile that an annotation names for them and no field does; a sentence for each that is told
 * (upstream: applyAppArmorVersionSkew).
 */
export function adoptAppArmor({ metadata, spec }: Pod): string[] {
  if (!spec || spec.os?.name === 'windows') return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  return allContainers(spec).flatMap((container) => {
    const key = `${appArmorPrefix}${container.name}`;
    const annotation = ownValue(metadata.annotations ?? {}, key);
    if (annotation === undefined || container.securityContext?.appArmorProfile) return [];
    const profile = soundProfile(annotation);
    if (profile && ofPod && isSame(profile, ofPod)) return [];
    if (profile) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    return [`${at('metadata.annotations', key)}: ${appArmorAdvice}`];
  });
}

/** Whether two profiles are one. */
export function isSame(left: AppArmorProfile, right: AppArmorProfile): boolean {
  return jsonEqual(left as unknown as JsonValue, right as unknown as JsonValue);
}

function soundProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorProfileFrom(annotation);
  const { localhostProfile: name = '' } = profile ?? {};
  return name === name.trim() && name.length <= profileCharactersMax ? profile : undefined;
}

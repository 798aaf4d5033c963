import type { ContainerConfig } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';

/** A device of the Container Device Interface: `VENDOR/CLASS=NAME`. */
export interface DeviceName {
  /** `VENDOR/CLASS`. */
  kind: string;
  name: string;
}

const part = '[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?';
const kindPattern = new RegExp(`^${part}/${part}$`);
const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*[A-Za-z0-9])?$/;
const annotationPrefix = 'cdi.k8s.io/';

export const isKind = (text: string): boolean => kindPattern.test(text);
export const isDeviceName = (text: string): boolean => namePattern.test(text);

/** Reads a qualified name, or answers undefined. */
export function parseDeviceName(text: string): DeviceName | undefined {
  const at = text.indexOf('=');
  const [kind, name] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  return isKind(kind) && isDeviceName(name) ? { kind, name } : undefined;
}

/**
 * The devices that a container asks for, each once: those of its field, then those of annotations. Throws `RuntimeError`
 * INVALID_ARGUMENT for what is no qualified name, and for any where the pod has a user namespace of its own: what files show of
 * the machine belongs to the machine's users.
 */
export function wantedDevices(
  { cdiDevices, annotations }: Pick<ContainerConfig, 'cdiDevices' | 'annotations'>,
  { hasOwnUsers }: { hasOwnUsers: boolean },
): string[] {
  const asked = [
    ...cdiDevices.map(({ name }) => ['cdiDevices', name] as const),
    ...Object.entries(annotations)
      .filter(([key]) => key.startsWith(annotationPrefix))
      .flatMap(([key, value]) => value.split(',').map((name) => [`annotations["${key}"]`, name] as const)),
  ];
  for (const [field, name] of asked) {
    const wrong = (why: string) =>
      new RuntimeError('INVALID_ARGUMENT', `config.${field}: ${JSON.stringify(name)} ${why}`);
    if (!parseDeviceName(name))
      throw wrong('is no CDI device; want VENDOR/CLASS=NAME, such as vendor.com/gpu=0');
    if (hasOwnUsers) throw wrong('cannot be had in a pod with a user namespace of its own');
  }
  return [...new Set(asked.map(([, name]) => name))];
}

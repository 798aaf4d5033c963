import { qualifiedName } from '@wherry/kubeapi';
import { devicePlugInVersion } from './device-plug-in.ts';

/** Throws, in upstream's words, unless one of the versions that a plug-in speaks is spoken here. */
export function requireVersion(versions: readonly string[]): void {
  if (versions.includes(devicePlugInVersion)) return;
  const asked = JSON.stringify(versions.join(', '));
  throw new Error(
    `requested API version ${asked} is not supported by kubelet. Supported version is ["${devicePlugInVersion}"]`,
  );
}

/** Throws unless plug-ins may bring a resource of that name: none of Kubernetes' own, and one that quotas can count. */
export function requireResource(name: string): void {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  const isCountable = !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
  if (isNative || !isCountable) throw new Error(`the ResourceName ${JSON.stringify(name)} is invalid`);
}

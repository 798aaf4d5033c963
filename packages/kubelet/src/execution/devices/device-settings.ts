import type { CDIDevice, Device, Input, Mount } from '@wherry/cri';
import type { EnvironmentEntry } from '../environment/environment.ts';
import type { GrantEntry } from './device-grants.ts';

/** What a container is made with because of its devices. */
export interface DeviceSettings {
  environment: readonly EnvironmentEntry[];
  mounts: readonly Input<Mount>[];
  devices: readonly Input<Device>[];
  annotations: Readonly<Record<string, string>>;
  cdiDevices: readonly Input<CDIDevice>[];
}

/** The answers of all plug-ins of a container together; of two that say different things of one name, the first counts. */
export function deviceSettings(grants: readonly GrantEntry[]): DeviceSettings {
  const environment = new Map<string, string>();
  const annotations = new Map<string, string>();
  const mounts = new Map<string, Input<Mount>>();
  const devices = new Map<string, Input<Device>>();
  const cdi = new Set<string>();
  for (const { response } of grants.map(({ grant }) => grant)) {
    for (const [name, value] of Object.entries(response.envs)) keepFirst(environment, name, value);
    for (const [name, value] of Object.entries(response.annotations)) keepFirst(annotations, name, value);
    for (const { containerPath, hostPath, readOnly } of response.mounts)
      keepFirst(mounts, containerPath, { containerPath, hostPath, readonly: readOnly });
    for (const { containerPath, hostPath, permissions } of response.devices)
      keepFirst(devices, containerPath, { containerPath, hostPath, permissions });
    for (const { name } of response.cdiDevices) cdi.add(name);
  }
  return {
    environment: [...environment].map(([name, value]) => ({ name, value })),
    annotations: Object.fromEntries(annotations),
    mounts: [...mounts.values()],
    devices: [...devices.values()],
    cdiDevices: [...cdi].map((name) => ({ name })),
  };
}

function keepFirst<Value>(map: Map<string, Value>, name: string, value: Value): void {
  if (!map.has(name)) map.set(name, value);
}

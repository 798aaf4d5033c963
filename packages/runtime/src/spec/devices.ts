import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Device } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import type { OciDevice, OciDeviceRule } from './oci-spec.ts';

const permissionBits = 0o7777;

/** What may be done in /dev without asking: make nodes, and use the harmless ones and terminals. */
const defaultRules: OciDeviceRule[] = [
  { allow: false, access: 'rwm' },
  ...[3, 5, 7, 8, 9].map((minor) => ({ allow: true, type: 'c' as const, major: 1, minor, access: 'rwm' })),
  ...[0, 2].map((minor) => ({ allow: true, type: 'c' as const, major: 5, minor, access: 'rwm' })),
  { allow: true, type: 'c', major: 136, access: 'rwm' },
  { allow: true, type: 'c', access: 'm' },
  { allow: true, type: 'b', access: 'm' },
];

function numbersOf(rdev: number): { major: number; minor: number } {
  const wide = BigInt(rdev);
  return {
    major: Number(((wide >> 8n) & 0xfffn) | ((wide >> 32n) & 0xfffff000n)),
    minor: Number((wide & 0xffn) | ((wide >> 12n) & 0xffffff00n)),
  };
}

/** A device node of this machine, or undefined for anything else. */
function deviceAt(hostPath: string, path: string): OciDevice | undefined {
  const status = statSync(hostPath, { throwIfNoEntry: false });
  if (!status || !(status.isCharacterDevice() || status.isBlockDevice())) return undefined;
  const type = status.isBlockDevice() ? 'b' : 'c';
  const { uid, gid } = status;
  return { path, type, ...numbersOf(status.rdev), fileMode: status.mode & permissionBits, uid, gid };
}

/** Entries of /dev that belong to the container's own mounts there. */
const ownEntries = new Set(['pts', 'shm', 'mqueue', 'fd', 'console', 'ptmx', 'stdin', 'stdout', 'stderr']);

function devicesBelow(hostFolder: string, folder: string): OciDevice[] {
  return readdirSync(hostFolder, { withFileTypes: true }).flatMap((entry) => {
    const [hostPath, path] = [join(hostFolder, entry.name), posix.join(folder, entry.name)];
    if (folder === '/dev' && ownEntries.has(entry.name)) return [];
    if (entry.isDirectory()) return devicesBelow(hostPath, path);
    const device = entry.isSymbolicLink() ? undefined : deviceAt(hostPath, path);
    return device ? [device] : [];
  });
}

function requested(device: Device): OciDevice[] {
  if (!/^[rwm]*$/.test(device.permissions)) {
    const why = `has permissions "${device.permissions}"; they are made of r, w and m`;
    throw new RuntimeError('INVALID_ARGUMENT', `device "${device.hostPath}" ${why}`);
  }
  try {
    const hostPath = realpathSync(device.hostPath);
    const path = device.containerPath || device.hostPath;
    const single = deviceAt(hostPath, path);
    if (single) return [single];
    if (statSync(hostPath).isDirectory()) return devicesBelow(hostPath, path);
  } catch (error) {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `device "${device.hostPath}" cannot be read: ${String(error)}`,
      {
        cause: error,
      },
    );
  }
  throw new RuntimeError('INVALID_ARGUMENT', `"${device.hostPath}" is no device`);
}

/** The devices of a container and what may be done with them. Throws `RuntimeError` INVALID_ARGUMENT for what is no device. */
export function containerDevices(
  wanted: readonly Device[],
  privileged: boolean,
): { devices: OciDevice[]; rules: OciDeviceRule[] } {
  if (privileged) return { devices: devicesBelow('/dev', '/dev'), rules: [{ allow: true, access: 'rwm' }] };
  const devices: OciDevice[] = [];
  const rules = [...defaultRules];
  for (const device of wanted) {
    for (const found of requested(device)) {
      devices.push(found);
      const type = found.type === 'b' ? 'b' : 'c';
      const { major, minor } = found;
      rules.push({ allow: true, type, major, minor, access: device.permissions || 'rwm' });
    }
  }
  return { devices, rules };
}

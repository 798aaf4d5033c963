import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { deviceNumbers } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { orderMounts } from '../spec/mounts.ts';
import type { OciDevice, OciHook, OciHooks, OciMount, OciSpec } from '../spec/oci-spec.ts';
import type { CdiHook, CdiMount, ContainerEdits, DeviceNode } from './device-file.ts';

/** The machine's node at a path, as far as a description leaves it open. */
function nodeAt(path: string): Pick<OciDevice, 'type' | 'major' | 'minor' | 'fileMode'> | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return undefined;
  const type = status.isBlockDevice() ? 'b' : status.isCharacterDevice() ? 'c' : 'p';
  if (type === 'p' && !status.isFIFO()) return undefined;
  return { type, ...deviceNumbers(status.rdev), fileMode: status.mode & 0o7777 };
}

function deviceOf(node: DeviceNode, owner: { uid: number; gid: number }): OciDevice {
  const { path, hostPath = path, type, major, minor } = node;
  const isWhole = type !== undefined && ((major ?? 0) > 0 || type === 'p');
  const there = nodeAt(hostPath);
  const wrong = (why: string) =>
    new RuntimeError('FAILED_PRECONDITION', `CDI device node "${path}": "${hostPath}" ${why}`);
  if (!there && !isWhole) throw wrong('is no device node of this machine');
  if (there && !isWhole && type !== undefined && type !== there.type)
    throw wrong(`is of type ${there.type}, not ${type}`);
  return {
    path,
    type: type ?? there?.type ?? 'c',
    major: isWhole ? (major ?? 0) : major || there?.major || 0,
    minor: isWhole ? (minor ?? 0) : major ? (minor ?? 0) : (there?.minor ?? 0),
    fileMode: node.fileMode ?? there?.fileMode ?? 0o666,
    uid: node.uid ?? owner.uid,
    gid: node.gid ?? owner.gid,
  };
}

const mountOf = ({ hostPath, containerPath, type, options }: CdiMount): OciMount => ({
  destination: posix.normalize(containerPath),
  source: hostPath,
  type,
  options: [...options],
});

const hookOf = ({ path, args, env, timeout }: CdiHook): OciHook => ({
  path,
  args: args.length > 0 ? [...args] : undefined,
  env: env.length > 0 ? [...env] : undefined,
  timeout,
});

const nameOf = (setting: string) => setting.slice(0, setting.indexOf('='));

function withDevices(spec: OciSpec, nodes: readonly DeviceNode[]): Partial<OciSpec['linux']> {
  const devices = [...spec.linux.devices];
  const rules = [...(spec.linux.resources.devices ?? [])];
  for (const node of nodes) {
    const device = deviceOf(node, spec.process.user);
    const same = devices.findIndex(({ path }) => path === device.path);
    if (same >= 0) devices.splice(same, 1);
    devices.push(device);
    const { type, major, minor } = device;
    const access = node.permissions === 'none' ? '' : node.permissions || 'rwm';
    if ((type === 'b' || type === 'c') && access !== '')
      rules.push({ allow: true, type, major, minor, access });
  }
  return { devices, resources: { ...spec.linux.resources, devices: rules } };
}

function withHooks(before: OciHooks | undefined, hooks: readonly CdiHook[]): OciHooks | undefined {
  if (hooks.length === 0) return before;
  const after: OciHooks = { ...before };
  for (const hook of hooks) after[hook.hookName] = [...(after[hook.hookName] ?? []), hookOf(hook)];
  return after;
}

function edited(spec: OciSpec, { env, deviceNodes, mounts, hooks, additionalGids }: ContainerEdits): OciSpec {
  const { process, linux } = spec;
  const settings = new Map([...(process.env ?? []), ...env].map((setting) => [nameOf(setting), setting]));
  const groups = [...(process.user.additionalGids ?? []), ...additionalGids.filter((gid) => gid !== 0)];
  return {
    ...spec,
    process: {
      ...process,
      env: [...settings.values()],
      user: { ...process.user, additionalGids: [...new Set(groups)] },
    },
    mounts: mounts.length === 0 ? spec.mounts : orderMounts(spec.mounts, mounts.map(mountOf)),
    linux: { ...linux, ...withDevices(spec, deviceNodes) },
    hooks: withHooks(spec.hooks, hooks),
  };
}

/** A container's configuration with what its devices bring. Throws `RuntimeError` FAILED_PRECONDITION for a node that is not there. */
export const withEdits = (spec: OciSpec, edits: readonly ContainerEdits[]): OciSpec =>
  edits.reduce(edited, spec);

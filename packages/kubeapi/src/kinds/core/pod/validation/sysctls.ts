/** Names of kernel settings (sysctls) in pods, and the namespaces of the kernel that they belong to. */

import type { PodSpec } from '../../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../../../status/field-error.ts';

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const namePattern = `^(${segment}[\\./])*${segment}$`;
const nameLengthMax = 253;

/** Sysctls of an IPC namespace, and what stands for several of them (component-helpers node/util/sysctl/namespace.go). */
const ipcSysctls: readonly string[] = [
  'kernel.sem',
  'kernel.shm',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.msg',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
];

/** `net/ipv4/conf/eth0.1/forwarding` as `net.ipv4.conf.eth0/1.forwarding`: whichever separator comes first is the path's. */
export function normalSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

/** The namespace of a sysctl or of a pattern such as `net.core.*`; undefined for those of the whole machine. */
export function sysctlNamespace(pattern: string): 'Net' | 'IPC' | undefined {
  const [name = ''] = normalSysctl(pattern).split('*', 1);
  if (name.startsWith('net.')) return 'Net';
  return ipcSysctls.includes(name) || name.startsWith('fs.mqueue.') ? 'IPC' : undefined;
}

/** Violations in a pod's sysctls: bad names, doubles, and those of a namespace that the pod shares with its node. */
export function validateSysctls({ securityContext, ...spec }: PodSpec, field: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (securityContext?.sysctls ?? []).flatMap(({ name }, index) => {
    const place = child(at(field, index), 'name');
    const errors: FieldError[] = [];
    if (!name) errors.push(required(place));
    else if (name.length > nameLengthMax || !new RegExp(namePattern).test(name)) {
      const detail = `must have at most ${nameLengthMax} characters and match regex ${namePattern}`;
      errors.push(invalidValue(place, name, detail));
    } else if (seen.has(name)) errors.push(duplicate(place, name));
    seen.add(name);
    const namespace = sysctlNamespace(name);
    if (namespace === 'Net' && spec.hostNetwork)
      errors.push(invalidValue(place, name, "may not be specified when 'hostNetwork' is true"));
    if (namespace === 'IPC' && spec.hostIPC)
      errors.push(invalidValue(place, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

import { readFile } from 'node:fs/promises';

/** Which mandatory access control the kernel of this machine keeps. Read once, as upstream does. */
export interface HostSecurity {
  isSelinuxEnforcing: boolean;
  hasAppArmor: boolean;
}

/** Asks the kernel; what can't be read is off. */
export async function readHostSecurity(): Promise<HostSecurity> {
  const [selinux, appArmor] = await Promise.all([
    read('/sys/fs/selinux/enforce'),
    read('/sys/module/apparmor/parameters/enabled'),
  ]);
  return { isSelinuxEnforcing: selinux.startsWith('1'), hasAppArmor: appArmor.startsWith('Y') };
}

const read = (path: string) => readFile(path, 'utf8').catch(() => '');

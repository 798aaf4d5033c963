import { readFile } from 'node:fs/promises';
import { isAppArmorOn } from '@wherry/linux';

/** Which mandatory access control the kernel of this machine keeps. Read once, as upstream does. */
export interface HostSecurity {
  isSelinuxEnforcing: boolean;
  hasAppArmor: boolean;
}

/** Asks the kernel; what can't be read is off. */
export async function readHostSecurity(): Promise<HostSecurity> {
  const enforcing = await readFile('/sys/fs/selinux/enforce', 'utf8').catch(() => '');
  return { isSelinuxEnforcing: enforcing.startsWith('1'), hasAppArmor: isAppArmorOn() };
}

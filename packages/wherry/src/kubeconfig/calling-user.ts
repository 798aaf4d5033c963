import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who called sudo. */
export interface CallingUser {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

const passwdFields = 7;

/** The user behind sudo, by the variables that it sets and the user's home in `passwd`; nothing without sudo, or for root. */
export function callingUser(
  environment: NodeJS.ProcessEnv = process.env,
  passwd: () => string = () => readFileSync('/etc/passwd', 'utf8'),
): CallingUser | undefined {
  const { SUDO_UID: uid = '', SUDO_GID: gid = '', SUDO_USER: name = '' } = environment;
  if (!/^[1-9]\d*$/.test(uid) || !/^\d+$/.test(gid)) return undefined;
  const fields = passwd()
    .split('\n')
    .map((line) => line.split(':'))
    .find((line) => line.length === passwdFields && line[2] === uid);
  const home = fields?.[5];
  if (home === undefined || !home.startsWith('/')) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home };
}

/** Where the user's kubectl looks first. */
export const kubeconfigOf = ({ home }: CallingUser): string => join(home, '.kube', 'config');

import {
  type LinuxContainerSecurityContext,
  type LinuxSandboxSecurityContext,
  SupplementalGroupsPolicy,
} from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readTextInRoot } from './root-files.ts';

/** Who a container's processes are. */
export interface ContainerUser {
  uid: number;
  gid: number;
  /** Every group, the primary one first. */
  groups: number[];
}

interface PasswdEntry {
  name: string;
  uid: number;
  gid: number;
}

interface GroupEntry {
  name: string;
  gid: number;
  members: string[];
}

const idMax = 2 ** 31 - 1;

const lines = (text: string) => text.split('\n').map((line) => line.split(':'));

/** Lines of passwd(5); broken ones are left out. */
function parsePasswd(text: string): PasswdEntry[] {
  return lines(text)
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && Number.isInteger(uid) && Number.isInteger(gid));
}

/** Lines of group(5). */
function parseGroups(text: string): GroupEntry[] {
  return lines(text)
    .map(([name = '', , gid = '', members = '']) => ({ name, gid: Number(gid), members: members.split(',') }))
    .filter(({ name, gid }) => name !== '' && Number.isInteger(gid));
}

function numericId(text: string): number | undefined {
  return /^\d+$/.test(text) ? checkedId(Number(text)) : undefined;
}

function checkedId(id: number): number {
  if (id < 0 || id > idMax)
    throw new RuntimeError('INVALID_ARGUMENT', `user or group id ${id} is not between 0 and ${idMax}`);
  return id;
}

/** Who is asked for: `USER` or `USER:GROUP`, each a name or a number. Empty means root. */
function requestedUser(context: LinuxContainerSecurityContext | undefined, imageUser: string): string {
  const { runAsUsername = '', runAsUser, runAsGroup } = context ?? {};
  const user = runAsUsername || (runAsUser ? String(runAsUser.value) : '');
  if (runAsGroup && user === '') {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `run_as_group ${runAsGroup.value} needs run_as_user or run_as_username`,
    );
  }
  if (user === '') return imageUser;
  return runAsGroup ? `${user}:${runAsGroup.value}` : user;
}

/** Refuses a sandbox that names a group without a user. */
export function checkSandboxUser(context: LinuxSandboxSecurityContext | undefined): void {
  if (context?.runAsGroup && !context.runAsUser) {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `run_as_group ${context.runAsGroup.value} of the sandbox needs run_as_user`,
    );
  }
}

/**
 * Resolves the user of a container in its own passwd and group files. A number without an entry is fine (group 0),
 * a name without one is `RuntimeError` INVALID_ARGUMENT.
 */
export function resolveUser(
  rootfs: string,
  context: LinuxContainerSecurityContext | undefined,
  imageUser: string,
): ContainerUser {
  const [userText = '', groupText = ''] = requestedUser(context, imageUser).split(':');
  const passwd = parsePasswd(readTextInRoot(rootfs, '/etc/passwd', limits.passwdBytesMax));
  const groups = parseGroups(readTextInRoot(rootfs, '/etc/group', limits.passwdBytesMax));
  const wanted = userText === '' ? 0 : numericId(userText);
  const entry = passwd.find(({ name, uid }) => (wanted === undefined ? name === userText : uid === wanted));
  if (wanted === undefined && !entry) {
    throw new RuntimeError('INVALID_ARGUMENT', `user "${userText}" is not in the image's /etc/passwd`);
  }
  const uid = checkedId(wanted ?? entry?.uid ?? 0);
  const gid = groupText === '' ? (entry?.gid ?? 0) : resolveGroup(groupText, groups);
  const member = entry
    ? groups.filter(({ members }) => members.includes(entry.name)).map((group) => group.gid)
    : [];
  const isStrict = context?.supplementalGroupsPolicy === SupplementalGroupsPolicy.Strict;
  const asked = (context?.supplementalGroups ?? []).map(checkedId);
  const all = new Set([gid, ...(isStrict ? [] : member), ...asked]);
  return { uid, gid, groups: [...all].sort((one, other) => one - other) };
}

function resolveGroup(text: string, groups: readonly GroupEntry[]): number {
  const id = numericId(text) ?? groups.find(({ name }) => name === text)?.gid;
  if (id === undefined)
    throw new RuntimeError('INVALID_ARGUMENT', `group "${text}" is not in the image's /etc/group`);
  return id;
}

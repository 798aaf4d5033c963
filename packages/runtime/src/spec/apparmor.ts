import { readFileSync } from 'node:fs';
import { type LinuxContainerSecurityContext, ProfileType } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';

const prefix = 'localhost/';

function isEnabled(): boolean {
  try {
    return readFileSync('/sys/module/apparmor/parameters/enabled', 'utf8').startsWith('Y');
  } catch {
    return false;
  }
}

/** The named profile that is asked for, in either way to say it; this runtime brings no default profile of its own. */
function requestedProfile(context: LinuxContainerSecurityContext): string | undefined {
  const { apparmor, apparmorProfile, privileged } = context;
  if (privileged) return undefined;
  if (apparmor) return apparmor.profileType === ProfileType.Localhost ? apparmor.localhostRef : undefined;
  return apparmorProfile.startsWith(prefix) ? apparmorProfile.slice(prefix.length) : undefined;
}

/** The AppArmor profile of a container, if any. Throws `RuntimeError` INVALID_ARGUMENT when the machine cannot apply it. */
export function apparmorOf(context: LinuxContainerSecurityContext | undefined): string | undefined {
  const profile = context && requestedProfile(context);
  if (profile === undefined) return undefined;
  if (!isEnabled()) {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `AppArmor profile "${profile}" cannot be applied: AppArmor is off on this machine`,
    );
  }
  return profile;
}

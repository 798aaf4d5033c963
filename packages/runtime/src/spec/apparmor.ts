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

const unprefixed = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);

/** The old way to name a profile, as a text. */
function fromText(text: string): { profileType: ProfileType; localhostRef: string } | undefined {
  if (text === '') return undefined;
  if (text === 'unconfined') return { profileType: ProfileType.Unconfined, localhostRef: '' };
  if (text === 'runtime/default') return { profileType: ProfileType.RuntimeDefault, localhostRef: '' };
  if (text.startsWith(prefix)) return { profileType: ProfileType.Localhost, localhostRef: text };
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `AppArmor profile "${text}" is none of unconfined, runtime/default, localhost/NAME`,
  );
}

/**
 * The AppArmor profile of a container, if any. Without one asked for there is none. Throws `RuntimeError`
 * INVALID_ARGUMENT for one that the machine cannot apply, and for a default, which this runtime does not bring.
 */
export function apparmorOf(
  context: Pick<LinuxContainerSecurityContext, 'apparmor' | 'apparmorProfile' | 'privileged'> | undefined,
): string | undefined {
  const asked = context?.apparmor ?? fromText(context?.apparmorProfile ?? '');
  if (!asked || asked.profileType === ProfileType.Unconfined) return undefined;
  const isLocal = asked.profileType === ProfileType.Localhost;
  const name = unprefixed(asked.localhostRef);
  // An empty name in an OCI specification means no profile at all.
  if (isLocal && name === '')
    throw new RuntimeError('INVALID_ARGUMENT', 'an AppArmor profile of type Localhost needs its name');
  if (!isEnabled())
    throw new RuntimeError('INVALID_ARGUMENT', 'AppArmor is not supported: it is off on this machine');
  if (isLocal) return name;
  if (context?.privileged) return undefined;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    'this runtime brings no AppArmor profile of its own (RuntimeDefault); load one and name it as Localhost',
  );
}

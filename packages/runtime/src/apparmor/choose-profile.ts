import { type LinuxContainerSecurityContext, ProfileType } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import type { ProfilesAtHand } from './apparmor-profiles.ts';
import { defaultProfileName } from './default-profile.ts';

const prefix = 'localhost/';

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
 * The AppArmor profile of a container, if any: the one that it asks for, or else the default one, where there is one and the
 * container is not privileged. Throws `RuntimeError` INVALID_ARGUMENT for one that the machine cannot apply.
 */
export function chooseProfile(
  context: Pick<LinuxContainerSecurityContext, 'apparmor' | 'apparmorProfile' | 'privileged'> | undefined,
  { loaded, defaultProblem }: ProfilesAtHand,
): string | undefined {
  const refuse = (message: string) => new RuntimeError('INVALID_ARGUMENT', message);
  const asked = context?.apparmor ?? fromText(context?.apparmorProfile ?? '');
  if (asked?.profileType === ProfileType.Unconfined) return undefined;
  const isLocal = asked?.profileType === ProfileType.Localhost;
  const name = unprefixed(asked?.localhostRef ?? '');
  // An empty name in an OCI specification means no profile at all.
  if (isLocal && name === '') throw refuse('an AppArmor profile of type Localhost needs its name');
  if (!loaded) {
    if (asked) throw refuse('AppArmor is not supported: it is off on this machine');
    return undefined;
  }
  if (isLocal) {
    if (!loaded.has(name)) throw refuse(`AppArmor profile "${name}" is not loaded on this machine`);
    return name;
  }
  if (context?.privileged) return undefined;
  if (defaultProblem === undefined) return defaultProfileName;
  if (asked) throw refuse(`there is no default AppArmor profile: ${defaultProblem}`);
  return undefined;
}

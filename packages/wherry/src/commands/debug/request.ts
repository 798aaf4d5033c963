import type { Container, EnvVar, EphemeralContainer, Pod } from '@wherry/kubeapi';
import type { CustomProfile } from './custom-profile.ts';
import type { DebugFlags } from './flags.ts';
import type { Profile } from './profiles.ts';

/** What a command line of `debug` asks for, whichever the pod or node. */
export interface DebugRequest {
  /** Those behind `--`. */
  words: readonly string[];
  profile: Profile;
  custom: CustomProfile | undefined;
  flags: DebugFlags;
}

/** What was made to look into something. */
export interface Debugged {
  pod: Pod;
  /** The container to join; none where images alone were changed. */
  container: string | undefined;
}

/** What a debug container has that is new. */
export const newContainer = (name: string): Container => ({ name, terminationMessagePolicy: 'File' });

/** Gives a container what flags and words say of it; what they don't, it keeps, but for stdin and terminal. */
export function fillIn(container: Container | EphemeralContainer, { words, flags }: DebugRequest): void {
  if (words.length > 0) {
    if (flags.argumentsOnly) container.args = [...words];
    else {
      container.command = [...words];
      delete container.args;
    }
  }
  const env = envOf(flags);
  if (env.length > 0) container.env = env;
  if (flags.image) container.image = flags.image;
  if (flags.imagePullPolicy) container.imagePullPolicy = flags.imagePullPolicy;
  container.stdin = flags.stdin === true;
  container.tty = flags.tty === true;
}

const envOf = ({ env = new Map() }: DebugFlags): EnvVar[] =>
  [...env].map(([name, value]) => ({ name, value }));

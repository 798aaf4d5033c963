import { CommandError } from '../../errors.ts';
import { isImageName } from '../../words/image-name.ts';
import { type CustomProfile, refuseFixedFields } from './custom-profile.ts';
import type { DebugFlags } from './flags.ts';

/** What of a command line is checked before a server is asked. */
export interface Checked {
  names: readonly string[];
  words: readonly string[];
  custom: CustomProfile | undefined;
  flags: DebugFlags;
}

const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

/** Throws `CommandError` for what does not go together, and says what to mind of what does; in kubectl's order and words. */
export function check({ names, words, custom, flags }: Checked): void {
  const { image, target, filename = [] } = flags;
  if (flags.attach && !image && !flags.container)
    refuse('you must specify --container or create a new container using --image in order to attach.');
  if (flags.copyTo) checkCopy(words, flags);
  else checkOriginal(flags);
  if (image && !isImageName(image)) refuse(`invalid image name "${image}": invalid reference format`);
  if (names.length === 0 && filename.length === 0) refuse('NAME or filename is required for debug');
  checkPulls(flags);
  if (target) {
    if (flags.copyTo) refuse('--target is incompatible with --copy-to. Use --share-processes instead.');
    if (!flags.quiet) console.log(targeting(target));
  }
  if (flags.tty && !flags.stdin) refuse('-i/--stdin is required for containers with -t/--tty=true');
  if (custom) refuseFixedFields(custom);
  if (flags.profile === 'legacy') console.error(legacy);
}

function refuse(message: string): never {
  throw new CommandError(message);
}

function checkCopy(words: readonly string[], { image, setImage, container }: DebugFlags): void {
  if (words.length === 0) {
    if (!image && !setImage) refuse('you must specify --image, --set-image or command arguments.');
  } else if (!container && !image)
    refuse('you must specify an existing container or a new image when specifying args.');
}

function checkOriginal({ replace, sameNode, setImage, image }: DebugFlags): void {
  const only = (flag: string) => refuse(`${flag} may only be used with --copy-to.`);
  if (replace) only('--replace');
  if (sameNode) only('--same-node');
  if (setImage) only('--set-image');
  if (!image) refuse('you must specify --image when not using --copy-to.');
}

function checkPulls({ imagePullPolicy, setImage = new Map() }: DebugFlags): void {
  if (imagePullPolicy && !pullPolicies.includes(imagePullPolicy))
    refuse(`invalid image pull policy: ${imagePullPolicy}`);
  for (const [name, image] of setImage) {
    if (!isImageName(image))
      refuse(`invalid image name "${image}" for container "${name}": invalid reference format`);
  }
}

const targeting = (container: string): string =>
  `Targeting container "${container}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.`;

const legacy =
  '--profile=legacy is deprecated and planned to be removed in v1.39. It is recommended to specify other profile, for example "--profile=general".';

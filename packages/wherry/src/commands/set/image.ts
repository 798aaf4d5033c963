import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import type { Failures } from '../../output/failures.ts';
import { refuseServerDryRunLocally } from '../changes/local-objects.ts';
import { splitPairs } from '../changes/pairs.ts';
import { changeObjects } from './change-objects.ts';
import { refuseWordsLocally, type SetFlags } from './chosen-objects.ts';
import { containersNamed, requirePodSpec } from './pod-spec.ts';

/** By the names of containers; `*` for all of them. */
type Images = ReadonlyMap<string, string>;

/** Gives containers other images, by `CONTAINER=IMAGE`. What has them already is not changed, and nothing is said of it. */
export async function setImage(words: readonly string[], flags: SetFlags): Promise<void> {
  const { resources, pairs } = splitPairs(words, 'image');
  const images = readImages(pairs);
  refuseWordsLocally(resources, flags);
  await changeObjects(resources, flags, () => {
    refuse(images);
    refuseServerDryRunLocally(flags);
    return {
      change: (object, failures) => giveImages(object, images, failures),
      done: 'image updated',
      refusal: 'failed to patch image update to pod template:',
    };
  });
}

function readImages(pairs: readonly string[]): Images {
  const wrong = pairs.filter((pair) => !pair.includes('='));
  if (wrong.length > 0) throw new CommandError(`invalid image format: ${wrong.join(', ')}`);
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function refuse(images: Images): void {
  if (images.size === 0) throw new CommandError('at least one image update is required');
  if (images.size === 1 || !images.has('*')) return;
  throw new CommandError(
    'all containers are already specified by *, but saw more than one container_name=container_image pairs',
  );
}

function giveImages(object: KubeObject, images: Images, failures: Failures): true {
  const spec = requirePodSpec(object);
  for (const [name, image] of images) {
    // But for `*` a name is no pattern here.
    const named = containersNamed(spec, '*').filter((one) => name === '*' || one.name === name);
    if (named.length === 0) failures.add(new CommandError(`error: unable to find container named "${name}"`));
    for (const container of named) container.image = image;
  }
  return true;
}

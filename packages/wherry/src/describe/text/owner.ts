import type { ObjectMeta } from '@wherry/kubeapi';
import { given, type Lines } from './lines.ts';

/** What controls an object, if anything does. */
export function controllerLines({ ownerReferences }: ObjectMeta): Lines {
  const owner = ownerReferences?.find(({ controller }) => controller);
  return given('Controlled By', owner && `${owner.kind}/${owner.name}`);
}

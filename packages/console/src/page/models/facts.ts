import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { type Link, referenceHref } from './links.ts';

/** A name, and a text or links. */
export type Fact = readonly [name: string, value: string | readonly Link[]];

/** Who owns an object, each with its page. */
export function ownerLinks({ metadata }: KubeObject, resources: readonly DiscoveredResource[]): Link[] {
  const { ownerReferences = [], namespace } = metadata ?? {};
  return ownerReferences.map((owner) => ({
    text: `${owner.kind} ${owner.name}`,
    href: referenceHref(resources, { ...owner, namespace }),
  }));
}

/** Labels as `a=1, b=2`. */
export const pairs = (labels: Record<string, string> = {}): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(', ');

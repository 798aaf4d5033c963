import type { PriorityClass } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { labelText } from '../text/labels.ts';
import { field, type Lines } from '../text/lines.ts';

/** How important pods of a class are. */
export async function describePriorityClass(one: PriorityClass, surroundings: Surroundings): Promise<Lines> {
  return [
    field('Name', one.metadata.name),
    field('Value', one.value ?? 0),
    field('GlobalDefault', one.globalDefault ?? false),
    field('PreemptionPolicy', one.preemptionPolicy),
    field('Description', one.description),
    field('Annotations', labelText(one.metadata.annotations)),
    ...(await surroundings.events(one)),
  ];
}

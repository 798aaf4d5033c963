import { forbidden, type Pod, type PriorityClass } from '@wherry/kubeapi';
import { as } from '../registry/api-object.ts';
import type { ObjectCache } from '../registry/object-cache.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

/** Turns a pod's priority class into its number. */
export class PriorityAdmission implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly #classes: ObjectCache<PriorityClass>;

  constructor(classes: ObjectCache<PriorityClass>) {
    this.#classes = classes;
  }

  admit({ operation, resource, subresource, object }: AdmissionRequest): void {
    if (operation !== 'CREATE' || resource.keyPrefix !== '/pods/' || subresource !== '' || !object) return;
    const spec = as<Pod>(object).spec!;
    const found = this.#classOf(spec.priorityClassName ?? '');
    if (spec.priorityClassName && !found) {
      const why = `no PriorityClass with name ${spec.priorityClassName} was found`;
      throw forbidden({ group: '', resource: 'pods' }, object.metadata.name ?? '', why);
    }
    if (found?.metadata?.name) spec.priorityClassName = found.metadata.name;
    spec.priority = found?.value ?? 0;
    spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority';
  }

  #classOf(name: string): PriorityClass | undefined {
    if (name !== '') return this.#classes.get(name);
    return [...this.#classes.values()].find(({ globalDefault }) => globalDefault);
  }
}

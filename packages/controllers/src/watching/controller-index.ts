import { controllerOf, type InformerHandlers, type KubeObject, keyOf } from '@wherry/client';

type Group = Map<string, KubeObject>;

/** The objects of one informer by their controller's uid, those without a controller by namespace. */
export class ControllerIndex implements InformerHandlers<KubeObject> {
  readonly #controlled = new Map<string, Group>();
  readonly #uncontrolled = new Map<string, Group>();

  constructor(objects: Iterable<KubeObject>) {
    for (const object of objects) this.added(object);
  }

  /** As `InformerHandle.controlledBy`. */
  controlledBy<T extends KubeObject>(uid: string | undefined): readonly T[] {
    return [...(this.#controlled.get(uid ?? '')?.values() ?? [])] as T[];
  }

  /** As `InformerHandle.uncontrolledIn`. */
  uncontrolledIn<T extends KubeObject>(namespace: string): readonly T[] {
    return [...(this.#uncontrolled.get(namespace)?.values() ?? [])] as T[];
  }

  added(object: KubeObject): void {
    const [groups, name] = this.#placeOf(object);
    const group = groups.get(name) ?? new Map<string, KubeObject>();
    groups.set(name, group.set(keyOf(object), object));
  }

  updated(object: KubeObject, previous: KubeObject): void {
    this.deleted(previous);
    this.added(object);
  }

  deleted(object: KubeObject): void {
    const [groups, name] = this.#placeOf(object);
    const group = groups.get(name);
    group?.delete(keyOf(object));
    if (group?.size === 0) groups.delete(name);
  }

  #placeOf(object: KubeObject): [Map<string, Group>, string] {
    const controller = controllerOf(object);
    if (controller) return [this.#controlled, controller.uid];
    return [this.#uncontrolled, object.metadata?.namespace ?? ''];
  }
}

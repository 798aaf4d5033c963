import { podAnnotations } from '@wherry/podrules';
import { type AssignedPod, fullNameOf, isMirrorPod, isStaticPod } from '../pod/assigned-pod.ts';

/** The pods this node should run, as their sources last said. Never says what runs. */
export class PodStore {
  readonly #pods = new Map<string, AssignedPod>();
  readonly #mirrors = new Map<string, AssignedPod>();

  /** Takes a new or changed pod. */
  put(pod: AssignedPod): void {
    if (isMirrorPod(pod)) this.#mirrors.set(fullNameOf(pod), pod);
    else this.#pods.set(pod.metadata.uid, pod);
  }

  remove(pod: AssignedPod): void {
    if (!isMirrorPod(pod)) this.#pods.delete(pod.metadata.uid);
    else if (this.#mirrors.get(fullNameOf(pod))?.metadata.uid === pod.metadata.uid) {
      this.#mirrors.delete(fullNameOf(pod));
    }
  }

  get(uid: string): AssignedPod | undefined {
    return this.#pods.get(uid);
  }

  /** The pod of that name; a UID, where given, must match it or its mirror. */
  find(namespace: string, name: string, uid?: string): AssignedPod | undefined {
    for (const pod of this.#pods.values()) {
      if (pod.metadata.name !== name || pod.metadata.namespace !== namespace) continue;
      if (!uid || pod.metadata.uid === uid || this.#mirrors.get(fullNameOf(pod))?.metadata.uid === uid)
        return pod;
    }
    return undefined;
  }

  /** Desired pods, mirrors left out. */
  get pods(): Iterable<AssignedPod> {
    return this.#pods.values();
  }

  get mirrors(): Iterable<AssignedPod> {
    return this.#mirrors.values();
  }

  mirrorOf(pod: AssignedPod): AssignedPod | undefined {
    return this.#mirrors.get(fullNameOf(pod));
  }

  /** The static pod a mirror stands for. */
  staticOf(mirror: AssignedPod): AssignedPod | undefined {
    for (const pod of this.#pods.values()) {
      if (isStaticPod(pod) && fullNameOf(pod) === fullNameOf(mirror)) return pod;
    }
    return undefined;
  }

  /** The object at the API server that shows `pod`: itself, or the mirror of its present version. */
  apiPod(pod: AssignedPod): AssignedPod | undefined {
    if (!isStaticPod(pod)) return this.#pods.get(pod.metadata.uid);
    const mirror = this.mirrorOf(pod);
    const hash = pod.metadata.annotations?.[podAnnotations.hash];
    return mirror?.metadata.annotations?.[podAnnotations.mirror] === hash ? mirror : undefined;
  }
}

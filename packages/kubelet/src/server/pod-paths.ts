import type { PodStore } from '../board/pod-store.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { HttpError } from './answers.ts';

/** Which pod and container a path names. */
export interface PodTarget {
  namespace: string;
  pod: string;
  uid: string | undefined;
  container: string;
}

/** `/exec/{ns}/{pod}/{container}` and `/exec/{ns}/{pod}/{uid}/{container}`; undefined when the path is neither. */
export function containerTarget(path: string): PodTarget | undefined {
  const [, , namespace, pod, third, fourth, ...rest] = path.split('/').map(decodeURIComponent);
  if (!namespace || !pod || !third || rest.length > 0) return undefined;
  if (fourth) return { namespace, pod, uid: third, container: fourth };
  return { namespace, pod, uid: undefined, container: third };
}

/** `/portForward/{ns}/{pod}` and `/portForward/{ns}/{pod}/{uid}`. */
export function podTarget(path: string): PodTarget | undefined {
  const [, , namespace, pod, uid, ...rest] = path.split('/').map(decodeURIComponent);
  if (!namespace || !pod || rest.length > 0) return undefined;
  return { namespace, pod, uid: uid || undefined, container: '' };
}

/** The pod that is meant. Throws 404 `pod does not exist`. */
export function requirePod(store: PodStore, target: PodTarget | undefined): AssignedPod {
  if (!target) throw new HttpError(404, '404 page not found');
  const pod = store.find(target.namespace, target.pod, target.uid);
  if (!pod) throw new HttpError(404, 'pod does not exist');
  return pod;
}

import { hostAndPort, type LiveSession, type SessionBook, type SessionFacts } from '@wherry/telemetry';
import type { ResourceRequest } from '../requests/request.ts';
import type { KubeletAddress } from './kubelets.ts';
import type { PodTarget } from './pod-target.ts';

/**
 * Writes down that a session begins. Its id is the request's `Audit-ID`, unless the client chose that itself: then it is
 * told beside an id of our own, since a name that a stranger may choose could make two sessions look like one.
 */
export function openSession(
  sessions: SessionBook,
  { http, user, auditId }: ResourceRequest,
  {
    target: { pod, namespace, podName },
    kubelet: { backend },
    ...facts
  }: Pick<SessionFacts, 'kind' | 'container' | 'command' | 'ports'> & {
    target: PodTarget;
    kubelet: KubeletAddress;
  },
): LiveSession {
  const isTold = Boolean(http.headers['audit-id']);
  const { remoteAddress, remotePort } = http.socket;
  return sessions.open({
    ...facts,
    ...(isTold ? { auditId } : { id: auditId }),
    ...{ namespace, pod: podName, podUid: pod.metadata?.uid, node: pod.spec?.nodeName, user: user.name },
    clientAddress: hostAndPort(remoteAddress, remotePort),
    backendAddress: hostAndPort(backend.address, backend.port),
  });
}

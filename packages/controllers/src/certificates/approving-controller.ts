import { kinds } from '@wherry/client';
import { type CertificateSigningRequest, hasReason, type SubjectAccessReview } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ClusterView } from '../machinery/cluster-view.ts';
import { defineController } from '../machinery/run-controller.ts';
import { hasCondition, withCondition } from './request-state.ts';
import { type RequestedNames, refusalOf } from './signers.ts';

const watches = { requests: { type: kinds.certificateSigningRequests } };
const kubeletClients = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Approves what kubelets ask for as clients of the API server, when its roles let them ask. Everything else waits for people. */
export const approvingController = defineController({
  name: 'certificatesigningrequest-approving-controller',
  account: 'certificate-controller',
  watches,
  writes: ['certificatesigningrequests/approval', 'signers'],
  build: ({ cluster, informers, queue }) => ({
    keysOf: { requests: (request) => (isOpen(request) ? [request.metadata.name ?? ''] : []) },
    async reconcile(name, signal) {
      const request = informers.requests.objects.get(name);
      if (!request || !isOpen(request)) return;
      const { readCertificateRequest } = await import('./certificate-request.ts');
      const { names } = await readCertificateRequest(request.spec.request);
      const message = await approvalOf(cluster, { request, names, signal });
      if (message === undefined) return queue.addAfter(name, limits.approvalRecheckMs);
      const approval = { type: 'Approved', reason: 'AutoApproved', message };
      const approved = withCondition(request, approval, cluster.clock.nowMs());
      try {
        const resource = cluster.client.resource(kinds.certificateSigningRequests);
        await resource.update(approved, { subresource: 'approval', signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
      }
    },
  }),
});

function isOpen(request: CertificateSigningRequest): boolean {
  if (request.spec.signerName !== kubeletClients || request.status?.certificate) return false;
  return !hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}

/** The words of an approval; undefined when it is not for this controller to give one. */
async function approvalOf(
  cluster: ClusterView,
  asked: { request: CertificateSigningRequest; names: RequestedNames; signal: AbortSignal },
): Promise<string | undefined> {
  const { request, names } = asked;
  if (refusalOf(kubeletClients, names, request.spec.usages ?? []) !== undefined) return undefined;
  const isSelf = request.spec.username === names.commonName;
  if (isSelf && (await mayAsk(cluster, 'selfnodeclient', asked)))
    return 'Auto approving self kubelet client certificate after SubjectAccessReview.';
  if (await mayAsk(cluster, 'nodeclient', asked))
    return 'Auto approving kubelet client certificate after SubjectAccessReview.';
  cluster.logger.info('a kubelet may not have the certificate that it asks for: its user lacks the right', {
    request: request.metadata.name,
    user: request.spec.username,
    right: 'create certificatesigningrequests/nodeclient',
  });
  return undefined;
}

async function mayAsk(
  { client }: ClusterView,
  subresource: string,
  { request, signal }: { request: CertificateSigningRequest; signal: AbortSignal },
): Promise<boolean> {
  const { username = '', uid = '', groups = [], extra = {} } = request.spec;
  const what = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', subresource };
  const review: SubjectAccessReview = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      ...{ user: username, uid, groups, extra },
      resourceAttributes: { ...what, verb: 'create', version: '*' },
    },
  };
  const { status } = await client.resource(kinds.subjectAccessReviews).create(review, { signal });
  return status?.allowed === true;
}

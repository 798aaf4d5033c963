import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { type CertificateSigningRequest, hasReason, qualifiedResource, timeFromMs } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { limits } from '../../limits.ts';
import { Catalog } from '../../objects/catalog.ts';
import { meantObjects } from '../../objects/find-objects.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { type NamedObject, parseNames } from '../../objects/targets.ts';
import { Failures } from '../../output/failures.ts';

/** Flags of `wherry certificate approve` and `wherry certificate deny`. */
export interface DecisionFlags extends KubeFlags, OutcomeFlags {
  filename?: string[];
  recursive?: boolean;
  /** Write it once more where it has been said before. */
  force?: boolean;
}

/** What is said of a request: the condition, the one that rules it out, and who says so. */
interface Decision {
  type: 'Approved' | 'Denied';
  opposite: 'Approved' | 'Denied';
  done: string;
  reason: string;
  message: string;
}

const approval: Decision = {
  ...{ type: 'Approved', opposite: 'Denied', done: 'approved' },
  ...{ reason: 'WherryApprove', message: 'This CSR was approved by wherry certificate approve.' },
};
const denial: Decision = {
  ...{ type: 'Denied', opposite: 'Approved', done: 'denied' },
  ...{ reason: 'WherryDeny', message: 'This CSR was denied by wherry certificate deny.' },
};

/** Lets requests for certificates be signed. */
export const approve = (words: readonly string[], flags: DecisionFlags): Promise<void> =>
  decide(words, approval, flags);

/** Keeps requests for certificates from being signed. */
export const deny = (words: readonly string[], flags: DecisionFlags): Promise<void> =>
  decide(words, denial, flags);

async function decide(words: readonly string[], decision: Decision, flags: DecisionFlags): Promise<void> {
  if (words.length === 0 && !flags.filename)
    throw new CommandError('one or more CSRs must be specified as <name> or -f <filename>');
  const client = clientFor(flags);
  const failures = new Failures();
  const meant = await requestsMeant(client, words, { flags, failures });
  const tell = outcomePrinter(flags);
  for (const one of meant) {
    const object = await failures.attempt(decideOne(client, one, { decision, flags }));
    if (object) tell({ resource: one.resource, object, done: decision.done });
  }
  failures.report();
}

async function requestsMeant(
  client: KubeClient,
  words: readonly string[],
  { flags, failures }: { flags: DecisionFlags; failures: Failures },
): Promise<NamedObject[]> {
  if (flags.filename) {
    if (words.length > 0)
      throw new CommandError('resource/name arguments cannot be provided when a path is specified');
    return (await meantObjects(client, { words, flags, failures })).named;
  }
  const catalog = await Catalog.of(client);
  const type = catalog.one('certificatesigningrequests.certificates.k8s.io');
  return parseNames(words, { type, catalog }).map((one) => {
    if (one.resource.namespaced)
      throw new CommandError('namespace may not be empty when retrieving a resource by name');
    return { ...one, namespace: undefined };
  });
}

/** The request as it was before: that is what kubectl prints. After a conflict with another writer it is fetched anew. */
async function decideOne(
  client: KubeClient,
  one: NamedObject,
  { decision, flags }: { decision: Decision; flags: DecisionFlags },
): Promise<KubeObject> {
  const { kind, group } = one.resource;
  const requests = client.resource<CertificateSigningRequest>(kinds.certificateSigningRequests);
  for (let tries = 1; ; tries += 1) {
    const object = await client.resource<KubeObject>(one.resource).get(one);
    if (kind !== 'CertificateSigningRequest' || group !== 'certificates.k8s.io') {
      const wanted = 'CertificateSigningRequest.certificates.k8s.io';
      throw new CommandError(`can only handle ${wanted} objects, got ${qualifiedResource(group, kind)}`);
    }
    const before = object as CertificateSigningRequest;
    const after = withDecision(before, decision);
    if (after === before && !flags.force) return before;
    try {
      await requests.update(after, { subresource: 'approval' });
      return before;
    } catch (error) {
      if (!hasReason(error, 'Conflict') || tries > limits.approvalRetriesMax) throw error;
    }
  }
}

/** The same request where it has been said before. */
function withDecision(
  request: CertificateSigningRequest,
  { type, opposite, reason, message }: Decision,
): CertificateSigningRequest {
  const conditions = request.status?.conditions ?? [];
  if (conditions.some((one) => one.type === opposite))
    throw new CommandError(`certificate signing request "${request.metadata.name}" is already ${opposite}`);
  if (conditions.some((one) => one.type === type)) return request;
  const lastUpdateTime = timeFromMs(systemClock.nowMs());
  const added = { type, status: 'True', reason, message, lastUpdateTime };
  return { ...request, status: { ...request.status, conditions: [...conditions, added] } };
}

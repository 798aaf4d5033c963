import type { Deployment, ReplicaSet } from '@wherry/kubeapi/objects';
import { ownValue } from '@wherry/kubeapi/objects';
import type { ObjectEvent } from '../machinery/events.ts';
import { isSameTemplate, podTemplateHashLabel } from '../ownership/template-hash.ts';
import { annotations, isOwnAnnotation, parseRevision, revisionOf } from './replica-sets.ts';

/** The revision that a deployment is asked to go back to, 0 = the one before; undefined when it is asked for nothing. */
export function rollbackTo({ metadata }: Deployment): bigint | undefined {
  const text = ownValue(metadata.annotations, annotations.rollbackTo) ?? '';
  return parseRevision(text.replace(/^\+/, ''));
}

/**
 * The deployment as it goes back to an earlier template, and with it to that one's annotations; or as it was, when there is
 * nothing to go back to. It is asked for nothing any more, and the event says what came of it (upstream: rollback.go).
 */
export function rolledBack(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): { deployment: Deployment; event: ObjectEvent } {
  const revision = rollbackTo(deployment) || lastRevision(sets);
  const set = sets.find((each) => revision !== 0n && revisionOf(each) === revision);
  const name = `"${deployment.metadata.name}"`;
  const gaveUp = (reason: string, message: string) => ({
    deployment: { ...deployment, metadata: withoutRequest(deployment.metadata) },
    event: { type: 'Warning', reason: `DeploymentRollback${reason}`, message } as const,
  });
  if (revision === 0n) return gaveUp('RevisionNotFound', 'Unable to find last revision.');
  if (!set) return gaveUp('RevisionNotFound', 'Unable to find the revision to rollback to.');
  const template = set.spec.template ?? {};
  if (isSameTemplate(template, deployment.spec.template)) {
    const why = `The rollback revision contains the same template as current deployment ${name}`;
    return gaveUp('TemplateUnchanged', why);
  }
  const { [podTemplateHashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  const kept = entries(deployment.metadata.annotations).filter(([key]) => isOwnAnnotation(key));
  const former = entries(set.metadata.annotations).filter(([key]) => !isOwnAnnotation(key));
  const metadata = { ...deployment.metadata, annotations: Object.fromEntries([...kept, ...former]) };
  const spec = {
    ...deployment.spec,
    template: { ...template, metadata: { ...template.metadata, labels } },
  };
  const message = `Rolled back deployment ${name} to revision ${revision}`;
  return {
    deployment: { ...deployment, metadata: withoutRequest(metadata), spec },
    event: { type: 'Normal', reason: 'DeploymentRollback', message },
  };
}

const entries = (map: Record<string, string> | undefined) => Object.entries(map ?? {});

function withoutRequest(metadata: Deployment['metadata']): Deployment['metadata'] {
  const { [annotations.rollbackTo]: _request, ...others } = metadata.annotations ?? {};
  return { ...metadata, annotations: others };
}

/** The second highest revision; 0 when there are not two. */
function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const known = sets.map((set) => revisionOf(set) ?? 0n).sort((a, b) => (a > b ? -1 : Number(a < b)));
  return known[1] ?? 0n;
}

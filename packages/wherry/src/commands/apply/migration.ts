/** Objects of client-side apply that are applied at the server for the first time. */
import type { KubeClient, KubeObject } from '@wherry/client';
import { asServerSideApplied, hasReason, lastAppliedManagers, StatusError } from '@wherry/kubeapi';
import { warnLine } from '../../kube/warnings.ts';
import { lastAppliedAnnotation } from '../../objects/manifests/last-applied.ts';
import type { NamedObject } from '../../objects/targets.ts';

/** The one manager whose applied configurations servers keep in the annotation as well. */
const keptUpToDate = 'kubectl';
const annotationManager = 'kubectl-last-applied';

/** How often fields are handed over while others write, as kubectl. */
const attemptsMax = 5;

/** An object whose fields are handed over, and to whom. */
export interface Migration extends NamedObject {
  client: KubeClient;
  manager: string;
  /** At the server. */
  dryRun: boolean;
}

/** Keeps the annotation of an object that client-side apply may go on with, by a manager of its own. A failure is a warning. */
export async function lastAppliedKept(migration: Migration, object: KubeObject): Promise<KubeObject> {
  const { client, resource, name, namespace, manager, dryRun } = migration;
  const { annotations, managedFields = [] } = object.metadata ?? {};
  const text = annotations?.[lastAppliedAnnotation];
  const isKept = manager === keptUpToDate && lastAppliedManagers(managedFields, 'Apply').length === 0;
  if (text === undefined || !isKept) return object;
  const { apiVersion, kind } = object;
  const metadata = { name, namespace, annotations: { [lastAppliedAnnotation]: text } };
  try {
    return await client.resource<KubeObject>(resource).patch({
      ...{ type: 'apply', name, namespace, patch: { apiVersion, kind, metadata } },
      ...{ fieldManager: annotationManager, dryRun },
    });
  } catch (error) {
    return warned(error, `failed to migrate ${lastAppliedAnnotation} for Server-Side Apply`) ?? object;
  }
}

/** Hands the fields that client-side apply manages to the manager. Resolves to true where there were any. A failure is a warning. */
export async function handedOver(migration: Migration, object: KubeObject): Promise<boolean> {
  const { client, resource, name, namespace, manager, dryRun } = migration;
  const from = lastAppliedManagers(object.metadata?.managedFields ?? [], 'Update');
  const objects = client.resource<KubeObject>(resource);
  let current = object;
  for (let attempt = 1; ; attempt += 1) {
    const { managedFields = [], resourceVersion } = current.metadata ?? {};
    const value = asServerSideApplied(managedFields, { from, to: manager });
    if (value === managedFields) return false;
    const patch = [
      { op: 'replace', path: '/metadata/managedFields', value },
      // The server refuses what others have changed meanwhile.
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ];
    try {
      await objects.patch({ type: 'json', name, namespace, patch, fieldManager: manager, dryRun });
      return true;
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt === attemptsMax) {
        warned(error, 'server rejected managed fields migration to Server-Side Apply');
        return false;
      }
    }
    current = await objects.get({ name, namespace });
  }
}

function warned(error: unknown, what: string): undefined {
  if (!(error instanceof StatusError)) throw error;
  warnLine(`${what}. This is non-fatal and will be retried next time you apply. Error: ${error.message}`);
}

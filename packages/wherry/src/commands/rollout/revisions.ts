import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import {
  type ControllerRevision,
  type Deployment,
  type LabelSelector,
  matcherFrom,
  type PodTemplateSpec,
  type ReplicaSet,
} from '@wherry/kubeapi';
import { changeCauseAnnotation } from '../../objects/change-cause.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import type { RolledKind } from './kinds.ts';

/** A state of a pod template that an object had, or has. */
export interface Revision {
  number: number;
  template: PodTemplateSpec;
  changeCause: string | undefined;
  /** What `-o` shows: a ReplicaSet, or the object as it was. */
  object: KubeObject;
  /** Of ReplicaSets: what else they remember of their Deployment. */
  annotations: Record<string, string>;
}

const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** The revisions of an object that the cluster has kept, the oldest first. */
export async function revisionsOf(
  client: KubeClient,
  kind: RolledKind,
  { object, namespace }: FoundObject,
): Promise<Revision[]> {
  const { selector } = (object as Deployment).spec ?? {};
  const revisions =
    kind === 'Deployment'
      ? (await client.resource<ReplicaSet>(kinds.replicaSets).listAll({ namespace })).items
          .filter((one) => belongs(one, object, selector))
          .flatMap(ofReplicaSet)
      : (await client.resource<ControllerRevision>(kinds.controllerRevisions).listAll({ namespace })).items
          .filter((one) => belongs(one, object, selector))
          .map((one) => ofControllerRevision(one, object));
  return revisions.sort((one, other) => one.number - other.number);
}

function belongs(one: KubeObject, owner: KubeObject, selector: LabelSelector | undefined): boolean {
  const controller = one.metadata?.ownerReferences?.find((reference) => reference.controller);
  return controller?.uid === owner.metadata?.uid && matcherFrom(selector).matches(one.metadata?.labels);
}

function ofReplicaSet(object: ReplicaSet): Revision[] {
  const { annotations = {} } = object.metadata;
  const number = Number(annotations[revisionAnnotation]);
  const template = object.spec?.template;
  if (!Number.isInteger(number) || !template) return [];
  const typed = { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...object };
  return [{ number, template, changeCause: annotations[changeCauseAnnotation], object: typed, annotations }];
}

function ofControllerRevision({ data, revision, metadata }: ControllerRevision, owner: KubeObject): Revision {
  const { $patch: _directive, ...template } = (data as { spec: { template: { $patch?: string } } }).spec
    .template;
  const { annotations = {} } = metadata;
  const { spec } = owner as Deployment;
  return {
    number: Number(revision),
    template: template as PodTemplateSpec,
    changeCause: annotations[changeCauseAnnotation],
    object: { ...owner, spec: { ...spec, template } } as KubeObject,
    annotations,
  };
}

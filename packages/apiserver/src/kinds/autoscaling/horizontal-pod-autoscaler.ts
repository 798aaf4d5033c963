import { type GroupVersionKind, inVersion, kindVersions, parseApiVersion } from '@wherry/kubeapi';
import type { ApiObject } from '../../objects/api-object.ts';
import type { Strategy } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

const names = { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' };
const { hub } = kindVersions(names)!;

/** Status and spec of `autoscaling/v1` stand in annotations too: what may change is settled in the form that has fields. */
const strategy: Strategy = {
  normalize: (object) => changeInHub(object, () => {}),
  prepareCreate: (object) =>
    changeInHub(object, (autoscaler) => {
      delete autoscaler.status;
    }),
  prepareUpdate: (next, previous) =>
    changeInHub(next, (autoscaler) => {
      const { status } = hubFormOf(previous);
      if (status === undefined) delete autoscaler.status;
      else autoscaler.status = status;
    }),
  prepareStatusUpdate: (next, previous) =>
    changeInHub(next, (autoscaler) => {
      autoscaler.spec = hubFormOf(previous).spec;
    }),
};

/** Autoscalers, in both versions. */
export const horizontalPodAutoscaler: ServedKind = { ...names, strategy };

function changeInHub(object: ApiObject, change: (autoscaler: ApiObject) => void): void {
  const autoscaler = hubFormOf(object);
  change(autoscaler);
  const changed = inVersion({ ...names, version: hub }, autoscaler, gvkOf(object).version)!;
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, changed);
}

const hubFormOf = (object: ApiObject): ApiObject => inVersion(gvkOf(object), object, hub)!;

function gvkOf({ apiVersion = '' }: ApiObject): GroupVersionKind {
  return { ...names, version: parseApiVersion(apiVersion)?.version ?? hub };
}

import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Where apps/v1 keeps the field `spec.templateGeneration` of older versions. */
const annotation = 'deprecated.daemonset.template.generation';

/** Daemon sets. */
export const daemonSet: ServedKind = {
  group: 'apps',
  kind: 'DaemonSet',
  strategy: {
    ...specGenerations,
    ...templateWarnings(ownTemplate),
    /** As upstream, whose form of this version always has it: it is its writer's. */
    normalize(object) {
      setTemplateGeneration(object, templateGeneration(object));
    },
    prepareCreate(object) {
      delete object.status;
      setTemplateGeneration(object, Math.max(1, templateGeneration(object)));
    },
    prepareUpdate(next, previous) {
      if (previous.status === undefined) delete next.status;
      else next.status = previous.status;
      const isSame = isDeepStrictEqual(next.spec?.['template'], previous.spec?.['template']);
      setTemplateGeneration(next, templateGeneration(previous) + (isSame ? 0 : 1));
    },
  },
};

function templateGeneration({ metadata }: ApiObject): number {
  const generation = Number(metadata.annotations?.[annotation] ?? 0);
  return Number.isSafeInteger(generation) ? generation : 0;
}

function setTemplateGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [annotation]: String(generation) };
}

import { hostNameWarnings, type PodParts, podWarnings } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';
import type { Strategy } from '../objects/strategy.ts';

/** Where a kind has its template of pods. */
export interface TemplatePlace {
  path: string;
  of(object: ApiObject): unknown;
  /** Pods are named after its objects, and no number comes between. Default false. */
  namesPods?: boolean;
  /** What it warns of beside its template, before that. */
  others?(object: ApiObject): string[];
}

/** What a kind whose objects have a template of pods warns of: at birth, and when what it wants has changed. */
export function templateWarnings({
  path,
  of,
  namesPods = false,
  others,
}: TemplatePlace): Pick<Strategy, 'warningsOf'> {
  return {
    warningsOf(object, previous) {
      if (previous && previous.metadata.generation === object.metadata.generation) return [];
      const template = of(object) as PodParts | undefined;
      return [
        ...(namesPods && !previous ? hostNameWarnings(object.metadata) : []),
        ...(others?.(object) ?? []),
        ...(template ? podWarnings(template, path) : []),
      ];
    },
  };
}

/** Of kinds with `spec.template`. */
export const ownTemplate: TemplatePlace = { path: 'spec.template', of: ({ spec }) => spec?.['template'] };

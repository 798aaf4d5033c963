import { claimSpecWarnings, type StatefulSet } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

const { warningsOf: podWarningsOf } = templateWarnings(ownTemplate);

/** Stateful sets. */
export const statefulSet: ServedKind = {
  group: 'apps',
  kind: 'StatefulSet',
  strategy: {
    ...specGenerations,
    warningsOf: (object, previous) => [
      ...(podWarningsOf?.(object, previous) ?? []),
      ...setWarnings(object, previous !== undefined),
    ],
  },
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

function setWarnings(object: ApiObject, isUpdate: boolean): string[] {
  const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = as<StatefulSet>(object).spec ?? {};
  const place = (index: number) => `spec.volumeClaimTemplates[${index}]`;
  return [
    // Upstream says the place so, and otherwise in an update.
    ...volumeClaimTemplates.flatMap(({ spec }, index) =>
      claimSpecWarnings(spec, isUpdate ? `${place(index)}.Spec` : place(index)),
    ),
    ...(revisionHistoryLimit < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ];
}

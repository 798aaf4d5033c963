/** CSI drivers (upstream: pkg/apis/storage/validation). */

import type { CSIDriver } from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer } from '../../table/printer.ts';
import { immutable } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import type { KindDefinition } from '../definition.ts';

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

const printer: Printer<CSIDriver> = {
  columns: [
    ...[nameColumn, column('AttachRequired', 'boolean'), column('PodInfoOnMount', 'boolean')],
    ...[
      column('StorageCapacity', 'boolean'),
      column('TokenRequests'),
      column('RequiresRepublish', 'boolean'),
    ],
    ...[column('Modes'), ageColumn],
  ],
  cells: ({ metadata, spec }, nowMs) => [
    ...[
      metadata.name ?? '',
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
    ],
    spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    ...[spec.requiresRepublish ?? false, orNone(spec.volumeLifecycleModes?.join(','))],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** CSI drivers (upstream: pkg/apis/storage/validation). */
export const csiDriver: KindDefinition<CSIDriver> = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  printer,
  validate: validateCsiDriver,
  validateUpdate: validateCsiDriverUpdate,
  defaults: {
    CSIDriverSpec: {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    },
  },
};

const periodSecondsMin = 10;
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;

/** Violations in a CSIDriver. */
function validateCsiDriver({ spec }: CSIDriver): FieldError[] {
  const { fsGroupPolicy: policy, volumeLifecycleModes: modes = [], tokenRequests: tokens = [] } = spec;
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  const isRepeat = repeats<string>();
  const unknown = modes.filter((mode) => !lifecycleModes.includes(mode));
  return [
    ...(policy === undefined || groupPolicies.includes(policy)
      ? []
      : [notSupported('spec.fsGroupPolicy', policy, groupPolicies)]),
    ...(period !== undefined && period < periodSecondsMin
      ? [
          invalidValue(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            `must be at least ${periodSecondsMin}`,
          ),
        ]
      : []),
    ...(inSecrets !== undefined && tokens.length === 0
      ? [invalidValue('spec.serviceAccountTokenInSecrets', inSecrets, 'there are no tokenRequests')]
      : []),
    ...unknown.map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
    ...tokens.flatMap(({ audience, expirationSeconds: seconds }, index) => {
      const field = at('spec.tokenRequests', index);
      if (isRepeat(audience)) return [duplicate(child(field, 'audience'), audience)];
      if (seconds === undefined || (seconds >= tokenSecondsMin && seconds <= tokenSecondsMax)) return [];
      const detail = `may not specify a duration ${seconds < tokenSecondsMin ? 'less than 10 minutes' : 'larger than 2^32 seconds'}`;
      return [invalidValue(child(field, 'expirationSeconds'), seconds, detail)];
    }),
  ];
}

/** Violations in a change of a CSIDriver. */
function validateCsiDriverUpdate(next: CSIDriver, previous: CSIDriver): FieldError[] {
  return [
    ...validateCsiDriver(next),
    ...immutable('spec.attachedRequired', next.spec.attachRequired, previous.spec.attachRequired),
    ...immutable(
      'spec.volumeLifecycleModes',
      next.spec.volumeLifecycleModes,
      previous.spec.volumeLifecycleModes,
    ),
  ];
}

/** Service accounts. */
import type { ServiceAccount } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, nowMs) => [metadata.name ?? '', age(metadata.creationTimestamp, nowMs)],
};

/** Service accounts. */
export const serviceAccount: KindDefinition<ServiceAccount> = {
  group: '',
  kind: 'ServiceAccount',
  printer,
  descriptions: {
    ServiceAccount: {
      '': 'An identity for pods.',
      secrets: 'Secrets its pods may use.',
      imagePullSecrets: 'Registry credentials given to its pods.',
      automountServiceAccountToken: 'Whether its pods get a token.',
    },
  },
};

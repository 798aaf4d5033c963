/** Leases (upstream: pkg/apis/coordination/validation). */

import type { Lease } from '../../generated/types.ts';
import {
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check, nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const strategies = ['OldestEmulationVersion'];

const printer: Printer<Lease> = {
  columns: [nameColumn, column('Holder'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', spec?.holderIdentity ?? '', age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Leases (upstream: pkg/apis/coordination/validation). */
export const lease: KindDefinition<Lease> = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  printer,
  validate: validateLease,
  descriptions: {
    Lease: { '': 'Says who holds something, and until when.' },
    LeaseSpec: {
      '': 'Who holds it.',
      holderIdentity: 'The holder.',
      leaseDurationSeconds: 'How long without renewal it stays held.',
      acquireTime: 'When it was taken.',
      renewTime: 'When it was last renewed.',
      leaseTransitions: 'How often it changed hands.',
    },
  },
};

/** Violations in a lease. */
function validateLease({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy, preferredHolder } = spec;
  const isLong = seconds === undefined || seconds > 0;
  return [
    ...(isLong ? [] : [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]),
    ...nonNegative('spec.leaseTransitions', leaseTransitions),
    ...(strategy === undefined ? [] : validateStrategy(strategy)),
    ...(preferredHolder && !strategy
      ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

function validateStrategy(strategy: string): FieldError[] {
  const field = 'spec.strategy';
  if (strategy.includes('/')) return check(child(field, 'strategy'), strategy, qualifiedName);
  return strategies.includes(strategy) ? [] : [notSupported(child(field, 'strategy'), strategy, strategies)];
}

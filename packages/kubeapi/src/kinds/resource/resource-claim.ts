/** Claims on devices. */
import type { ResourceV1ResourceClaim } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { immutable } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { validateClaimStatus } from './claim-status.ts';
import { defaultRequest, validateClaim } from './device-requests.ts';

const printer: Printer<ResourceV1ResourceClaim> = {
  columns: [nameColumn, column('State'), ageColumn],
  cells: (claim, nowMs) => [
    ...[claim.metadata?.name ?? '', stateText(claim), age(claim.metadata?.creationTimestamp, nowMs)],
  ],
};

/** Claims on devices. */
export const resourceClaim: KindDefinition<ResourceV1ResourceClaim> = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  printer,
  validate: ({ spec }) => validateClaim(spec ?? {}, 'spec'),
  // What stays needs no second look.
  validateUpdate: (next, previous) => [
    ...immutable('spec', next.spec as unknown as JsonValue, previous.spec as unknown as JsonValue),
  ],
  validateSubresource: { status: validateClaimStatus },
  computedDefaults: {
    ExactDeviceRequest: defaultRequest,
    DeviceSubRequest: defaultRequest,
  },
  descriptions: {
    ResourceClaim: { '': 'A wish for devices.' },
  },
};

function stateText({ metadata, status }: ResourceV1ResourceClaim): string {
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (!status?.allocation) return isDeleted ? 'deleted' : 'pending';
  states.push('allocated');
  if (status.reservedFor?.length) states.push('reserved');
  return states.join(',');
}

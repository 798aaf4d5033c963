import {
  type AllocatedDeviceStatus,
  type AllocationResult,
  type FieldError,
  forbiddenField,
  invalid,
  type JsonValue,
  jsonEqual,
  type ResourceClaimStatus,
  type ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import type { UserInfo } from '../../authentication/identity.ts';
import { type Attributes, type Authorizer, refusalOf } from '../../authorization/authorizer.ts';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { deviceKey } from './device-key.ts';

const group = 'resource.k8s.io';
const resource = 'resourceclaims';

/**
 * Who may write the status of claims may not write all of it: devices and users want the right to `resourceclaims/binding`,
 * what a driver says of devices the one to `resourceclaims/driver` with its name (upstream: AuthorizedForBinding,
 * AuthorizedForDeviceStatus).
 */
export function claimStatusAccess({ authorizer }: Pick<PluginParts, 'authorizer'>): AdmissionPlugin {
  return {
    name: 'ResourceClaimStatusAccess',
    handles: [{ operations: ['UPDATE'], resources: [`${group}/${resource}/status`] }],
    async validate(request) {
      const { status: next = {} } = as<ResourceV1ResourceClaim>(request.object!);
      const { status: before = {} } = as<ResourceV1ResourceClaim>(request.previous!);
      const errors = [
        ...(await bindingErrors(request, authorizer, next, before)),
        ...(next.allocation ? await driverErrors(request, authorizer, next, before) : []),
      ];
      if (errors.length > 0) throw invalid({ group, kind: request.resource.kind }, request.name, errors);
    },
  };
}

async function bindingErrors(
  { user, verb }: AdmissionRequest,
  authorizer: Authorizer,
  next: ResourceClaimStatus,
  before: ResourceClaimStatus,
): Promise<FieldError[]> {
  const isSame =
    isSameValue(next.allocation, before.allocation) &&
    isSameValue(next.reservedFor ?? [], before.reservedFor ?? []);
  if (isSame) return [];
  const target = { subresource: 'binding', namespace: '', name: '' };
  const why = await whyNot(authorizer, { user, verb, ...target });
  if (why === undefined) return [];
  const wanted = `requires resource="resourceclaims/binding", verb="${verb}" permission`;
  const detail = `changing status.allocation or status.reservedFor ${wanted}: ${why}`;
  return [forbiddenField('status.allocation', detail)];
}

async function driverErrors(
  { user, verb, namespace }: AdmissionRequest,
  authorizer: Authorizer,
  next: ResourceClaimStatus,
  before: ResourceClaimStatus,
): Promise<FieldError[]> {
  const ways = isAtHome(user, next.allocation) ? ['associated-node', 'arbitrary-node'] : ['arbitrary-node'];
  const verbs = ways.map((way) => `${way}:${verb}`);
  const errors: FieldError[] = [];
  for (const name of changedDrivers(next.devices ?? [], before.devices ?? [])) {
    const target = { user, subresource: 'driver', namespace, name };
    const refusals = await Promise.all(verbs.map((each) => whyNot(authorizer, { ...target, verb: each })));
    if (refusals.includes(undefined)) continue;
    const wanted = `requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    errors.push(forbiddenField('status.devices', `changing status.devices ${wanted}: ${refusals[0]}`));
  }
  return errors;
}

async function whyNot(
  authorizer: Authorizer,
  target: Pick<Attributes, 'user' | 'verb' | 'subresource' | 'namespace' | 'name'>,
): Promise<string | undefined> {
  const attributes: Attributes = { ...target, isResource: true, path: '', group, resource };
  const decision = await authorizer.authorize(attributes);
  return decision.outcome === 'allow' ? undefined : refusalOf(attributes, decision).message;
}

/** Whose words about devices are added, changed or taken away; in their order. */
function changedDrivers(
  next: readonly AllocatedDeviceStatus[],
  before: readonly AllocatedDeviceStatus[],
): string[] {
  const left = new Map(before.map((device) => [deviceKey(device), device]));
  const drivers = new Set<string>();
  for (const device of next) {
    const known = left.get(deviceKey(device));
    left.delete(deviceKey(device));
    if (!known || !isSameValue(known, device)) drivers.add(device.driver);
  }
  for (const { driver } of left.values()) drivers.add(driver);
  return [...drivers].sort();
}

const isSameValue = (left: unknown, right: unknown): boolean =>
  jsonEqual(left as JsonValue | undefined, right as JsonValue | undefined);

/** A service account whose token is bound to the one node on which the devices can be used. */
function isAtHome({ name, extra }: UserInfo, allocation: AllocationResult | undefined): boolean {
  const nodeName = nodeOf(allocation);
  if (!nodeName || !/^system:serviceaccount:[^:]+:[^:]+$/.test(name)) return false;
  const key = 'authentication.kubernetes.io/node-name';
  const told = Object.hasOwn(extra, key) ? extra[key]! : [];
  return told.length === 1 && told[0] === nodeName;
}

function nodeOf(allocation: AllocationResult | undefined): string | undefined {
  const [term, ...others] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  if (!term || others.length > 0 || term.matchExpressions?.length) return undefined;
  const [field, ...further] = term.matchFields ?? [];
  if (field?.key !== 'metadata.name' || field.operator !== 'In' || further.length > 0) return undefined;
  return field.values?.length === 1 ? field.values[0] : undefined;
}

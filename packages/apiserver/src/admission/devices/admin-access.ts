import type {
  DeviceRequest,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { at, child, type FieldError, forbiddenField, invalid } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

const group = 'resource.k8s.io';
/** On namespaces whose claims may have devices that others use (upstream's DRAAdminNamespaceLabelKey). */
const label = 'resource.kubernetes.io/admin-access';

/** Devices in use are for administrators: claims on them belong into labelled namespaces (upstream: AuthorizedForAdmin). */
export function deviceAdminAccess({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'DeviceAdminAccess',
    handles: [
      {
        operations: ['CREATE'],
        resources: [`${group}/resourceclaims`, `${group}/resourceclaimtemplates`],
      },
      { operations: ['UPDATE'], resources: [`${group}/resourceclaims/status`] },
    ],
    validate(request) {
      const field = askedIn(request);
      if (field === undefined) return;
      const labels = caches.namespaces.get(request.namespace)?.metadata.labels ?? {};
      if (Object.hasOwn(labels, label) && labels[label] === 'true') return;
      const { resource, name } = request;
      throw invalid({ group, kind: resource.kind }, name, [refusal(field)]);
    },
  };
}

function refusal(field: string): FieldError {
  const detail = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
  return forbiddenField(field, detail);
}

/** The first field that asks for it. A spec stays as it is, and so does an allocation: only new ones are looked at. */
function askedIn({ object, previous, subresource, resource }: AdmissionRequest): string | undefined {
  if (subresource === 'status') {
    if (firstGiven(as<ResourceV1ResourceClaim>(previous!)) >= 0) return undefined;
    const index = firstGiven(as<ResourceV1ResourceClaim>(object!));
    return index < 0 ? undefined : child(at('status.allocation.devices.results', index), 'adminAccess');
  }
  const isTemplate = resource.plural === 'resourceclaimtemplates';
  const spec: ResourceClaimSpec | undefined = isTemplate
    ? as<Partial<ResourceClaimTemplate>>(object!).spec?.spec
    : as<Partial<ResourceV1ResourceClaim>>(object!).spec;
  const index = (spec?.devices?.requests ?? []).findIndex(asksForAdmin);
  return index < 0 ? undefined : child(at('spec.devices.requests', index), 'adminAccess');
}

const asksForAdmin = ({ exactly }: DeviceRequest): boolean => exactly?.adminAccess === true;

function firstGiven({ status }: ResourceV1ResourceClaim): number {
  return (status?.allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
}

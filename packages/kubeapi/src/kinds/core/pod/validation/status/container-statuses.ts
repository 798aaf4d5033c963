/** Violations in what is told of each container: its user, and how its devices are. */
import type { Container, ContainerStatus, Pod, PodSpec } from '../../../../../generated/types.ts';
import { ownValue } from '../../../../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../../../../status/field-error.ts';
import { repeats } from '../../../../../validation/repeats.ts';
import { identifier } from '../security-context.ts';

const healths = ['Healthy', 'Unhealthy', 'Unknown'];
const messageBytesMax = 1024;
const lists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', undefined],
] as const;

/** Violations in the statuses of a pod's containers. */
export function validateContainerStatuses({ spec, status }: Pod): FieldError[] {
  return lists.flatMap(([list, containers]) =>
    (status?.[list] ?? []).flatMap((each, index) => {
      const field = at(child('status', list), index);
      const { allocatedResourcesStatus: allocated } = each;
      const container = containers && spec?.[containers]?.find(({ name }) => name === each.name);
      const isForbidden = containers === undefined && (allocated ?? []).length > 0;
      return [
        ...validateUser(each, child(field, 'user.linux'), spec),
        ...(containers === undefined ? [] : validateAllocated(each, container, field)),
        ...(isForbidden
          ? [
              forbiddenField(
                child(field, 'allocatedResourcesStatus'),
                'must not be specified in container status',
              ),
            ]
          : []),
      ];
    }),
  );
}

function validateUser({ user }: ContainerStatus, field: FieldPath, spec: PodSpec | undefined): FieldError[] {
  const { linux } = user ?? {};
  if (!linux) return [];
  const system = spec?.os?.name ?? 'linux';
  if (system === 'windows') return [forbiddenField(field, 'cannot be set for a windows pod')];
  if (system !== 'linux') return [];
  return [
    ...identifier(child(field, 'uid'), linux.uid),
    ...identifier(child(field, 'gid'), linux.gid),
    ...(linux.supplementalGroups ?? []).flatMap((group, index) =>
      identifier(at(child(field, 'supplementalGroups'), index), group),
    ),
  ];
}

function validateAllocated(
  { allocatedResourcesStatus = [] }: ContainerStatus,
  container: Container | undefined,
  field: FieldPath,
): FieldError[] {
  return allocatedResourcesStatus.flatMap(({ name, resources = [] }, index) => {
    const place = at(child(field, 'allocatedResourcesStatus'), index);
    const isRepeat = repeats<string>();
    return [
      ...(container ? validateName(name, container, child(place, 'name')) : []),
      ...resources.flatMap(({ resourceID, health = '', message }, resourceIndex) => {
        const here = at(child(place, 'resources'), resourceIndex);
        return [
          ...(healths.includes(health) ? [] : [notSupported(child(here, 'health'), health, healths)]),
          ...validateMessage(message, child(here, 'message')),
          ...(isRepeat(resourceID) ? [duplicate(child(here, 'resourceID'), resourceID)] : []),
        ];
      }),
    ];
  });
}

/** What a container asks for, or a claim of its. */
function validateName(name: string, { resources = {} }: Container, field: FieldPath): FieldError[] {
  if (name.startsWith('claim:')) {
    const named = (resources.claims ?? []).map(
      ({ name: claim, request }) => `claim:${claim}${request ? `/${request}` : ''}`,
    );
    const form =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    return named.includes(name) ? [] : [invalidValue(field, name, form)];
  }
  if (ownValue(resources.requests, name) !== undefined) return [];
  return [invalidValue(field, name, "must match one of the container's resource requests")];
}

function validateMessage(message: string | undefined, field: FieldPath): FieldError[] {
  if (message === '') return [required(field, 'must be non-empty if specified')];
  return Buffer.byteLength(message ?? '') > messageBytesMax ? [tooLong(field, messageBytesMax)] : [];
}

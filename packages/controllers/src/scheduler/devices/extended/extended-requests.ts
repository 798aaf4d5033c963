import {
  type Container,
  type ContainerExtendedResourceRequest,
  type DeviceClass,
  type DeviceRequest,
  ownValue,
  type Pod,
  parseQuantity,
} from '@wherry/kubeapi/objects';
import { deviceClassFor, isDeviceResource, requestedBy } from '@wherry/podrules';

/** What a pod's containers ask for by the names of extended resources, as requests of a claim, and which is for which container. */
export interface ExtendedRequests {
  requests: DeviceRequest[];
  mappings: ContainerExtendedResourceRequest[];
}

/** Of the resources that a pod asks for, those that a device class stands for, with the names of the classes. */
export function extendedClasses(
  pod: Pod,
  classes: ReadonlyMap<string, DeviceClass>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [resource, units] of requestedBy(pod)) {
    const known = units > 0 && isDeviceResource(resource) && deviceClassFor(resource, classes.values());
    if (known) found.set(resource, known.metadata.name ?? '');
  }
  return found;
}

/** A container and its place among all of its pod, those for the beginning first. */
interface Placed {
  index: number;
  container: Container;
}

interface Asked {
  index: number;
  count: number;
  /** Undefined where what others ask for is enough. */
  request?: DeviceRequest;
  mappings: ContainerExtendedResourceRequest[];
}

/**
 * The requests for these resources (upstream: createRequestsAndMappings). Containers that end before others begin use
 * what those will have, and ask together for what the one of them that wants most still lacks.
 */
export function extendedRequests({ spec }: Pod, classNames: ReadonlyMap<string, string>): ExtendedRequests {
  const { initContainers = [], containers = [] } = spec ?? {};
  const all = [...initContainers, ...containers].map((container, index) => ({ index, container }));
  const isBrief = ({ index, container }: Placed) =>
    index < initContainers.length && container.restartPolicy !== 'Always';
  const made: ExtendedRequests = { requests: [], mappings: [] };
  for (const [resource, className] of [...classNames].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const want = (placed: Placed, usable: readonly Asked[]) => ask(placed, { resource, className, usable });
    const lasting = all.filter((each) => !isBrief(each)).map((each) => want(each, []));
    const brief = all.filter(isBrief).map((each) =>
      want(
        each,
        lasting.filter(({ index, request }) => request && index >= each.index),
      ),
    );
    const most = mostOf(brief);
    made.requests.push(...[most, ...lasting].flatMap((each) => each?.request ?? []));
    made.mappings.push(...lasting.flatMap(({ mappings }) => mappings));
    made.mappings.push(...brief.flatMap((each) => redirected(each, most)));
  }
  made.requests.sort((a, b) => (a.name < b.name ? -1 : 1));
  return made;
}

function ask(
  { index, container }: Placed,
  { resource, className, usable }: { resource: string; className: string; usable: readonly Asked[] },
): Asked {
  const amounts = container.resources?.requests ?? {};
  const wanted = Number(parseQuantity(ownValue(amounts, resource) ?? '0').value());
  const mapped = (requestName: string): ContainerExtendedResourceRequest => ({
    ...{ containerName: container.name, resourceName: resource, requestName },
  });
  const asked: Asked = { index, count: 0, mappings: [] };
  if (wanted <= 0) return asked;
  let found = 0;
  for (const { count, request } of usable) {
    found += count;
    asked.mappings.push(mapped(request!.name));
    if (found >= wanted) return asked;
  }
  const name = `container-${index}-request-${Object.keys(amounts).sort().indexOf(resource)}`;
  const count = wanted - found;
  const exactly = { deviceClassName: className, allocationMode: 'ExactCount' as const, count };
  return { index, count, request: { name, exactly }, mappings: [...asked.mappings, mapped(name)] };
}

/** The first of those that ask for most. */
function mostOf(all: readonly Asked[]): Asked | undefined {
  let most: Asked | undefined;
  for (const each of all) if (each.request && (!most || each.count > most.count)) most = each;
  return most;
}

/** A request that is not made stands for the one that is. */
function redirected(
  { request, mappings }: Asked,
  most: Asked | undefined,
): ContainerExtendedResourceRequest[] {
  if (!request || !most?.request) return mappings;
  const { name } = most.request;
  return mappings.map((each) => (each.requestName === request.name ? { ...each, requestName: name } : each));
}

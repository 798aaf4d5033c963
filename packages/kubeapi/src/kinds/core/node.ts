/** Nodes. */

import type { Node, NodeAddress, NodeStatus, Taint } from '../../generated/types.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, wide } from '../../table/printer.ts';
import { parseCidr, validateCidr } from '../../validation/addresses/cidr.ts';
import { labelValueFormat, qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { validateResourceAmount } from '../../validation/resource-names.ts';
import { oneOf } from '../../validation/values.ts';
import type { KindDefinition } from '../definition.ts';

const rolePrefix = 'node-role.kubernetes.io/';

/** Prints nodes. */
export const nodePrinter: Printer<Node> = {
  columns: [
    ...[nameColumn, column('Status'), column('Roles'), ageColumn, column('Version')],
    ...[
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
  ],
  cells(node, nowMs) {
    const { nodeInfo } = node.status ?? {};
    const architecture = nodeInfo?.architecture ? ` (${nodeInfo.architecture})` : '';
    const address = (wanted: string) => node.status?.addresses?.find(({ type }) => type === wanted)?.address;
    return [
      ...[
        node.metadata.name ?? '',
        nodeStatus(node),
        nodeRoles(node),
        age(node.metadata.creationTimestamp, nowMs),
      ],
      ...[nodeInfo?.kubeletVersion ?? '', orNone(address('InternalIP')), orNone(address('ExternalIP'))],
      ...[nodeInfo?.osImage || '<unknown>', `${nodeInfo?.kernelVersion || '<unknown>'}${architecture}`],
      nodeInfo?.containerRuntimeVersion || '<unknown>',
    ];
  },
};

/** Nodes. */
export const node: KindDefinition<Node> = {
  group: '',
  kind: 'Node',
  printer: nodePrinter,
  fieldLabels: { 'spec.unschedulable': 'false' },
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  validateSubresource: { status: validateNodeStatus },
  computedDefaults: {
    NodeSpec: defaultNodeRanges,
    NodeStatus: (status) => {
      if (status['capacity'] !== undefined)
        status['allocatable'] ??= { ...(status['capacity'] as JsonObject) };
    },
  },
  descriptions: {
    Node: { '': 'A machine that runs pods.' },
    NodeSpec: {
      '': 'What is wanted of a node.',
      podCIDR: 'The range its pods get addresses from.',
      podCIDRs: 'The ranges its pods get addresses from.',
      providerID: 'The name of the machine at its provider.',
      unschedulable: 'True keeps new pods off.',
      taints: 'Keep pods off that do not tolerate them.',
    },
    NodeStatus: {
      '': 'What was last seen of a node.',
      capacity: 'What the machine has.',
      allocatable: 'What of it pods may use.',
      conditions: 'Ready, MemoryPressure, DiskPressure, PIDPressure, …',
      addresses: 'How to reach it.',
      daemonEndpoints: 'The port of the kubelet.',
      nodeInfo: 'Versions and ids of the machine.',
      images: 'Images that are there.',
    },
  },
};

function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.findLast(({ type }) => type === 'Ready');
  const words = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
  if (node.spec.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

function nodeRoles(node: Node): string {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return orNone([...new Set(roles.filter((role) => role !== ''))].sort().join(','));
}

/** Violations in a node. */
function validateNode({ spec, status }: Node): FieldError[] {
  return [
    ...validateAmounts(status),
    ...validateSwap(status?.nodeInfo?.swap?.capacity),
    ...validateFeatures(status?.declaredFeatures ?? []),
    ...validateTaints(spec.taints ?? []),
    ...validateRanges(spec.podCIDRs ?? []),
  ];
}

/** Told where upstream tells it. */
function validateSwap(capacity: number | undefined): FieldError[] {
  if (capacity === undefined || capacity > 0) return [];
  return [invalidValue('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

/** What a node has can not be less than nothing, and what is counted is whole. */
function validateAmounts(status: NodeStatus | undefined): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((part) =>
    Object.entries(status?.[part] ?? {}).flatMap(([name, amount]) =>
      validateResourceAmount(child(`status.${part}`, name), name, amount),
    ),
  );
}

/** Each once. */
function validateAddresses(addresses: readonly NodeAddress[]): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, index) => {
    const key = JSON.stringify([type, address]);
    if (seen.has(key)) return [duplicate(at('status.addresses', index), { Type: type, Address: address })];
    seen.add(key);
    return [];
  });
}

/** Parts in upper camel case between slashes (validateNodeDeclaredFeatures). */
const featureName = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z][A-Za-z0-9]*)*$/;

/** Sorted names, each once. */
function validateFeatures(names: readonly string[]): FieldError[] {
  return names.flatMap((name, index) => {
    const place = at('status.declaredFeatures', index);
    const before = names[index - 1];
    const errors: FieldError[] = [];
    if (name.length > 253) {
      errors.push(invalidValue(place, name, 'a name of a feature has no more than 253 characters'));
    } else if (!featureName.test(name)) {
      errors.push(invalidValue(place, name, 'must be like MyFeature or MyFeature/mySubFeature'));
    }
    if (before === name) errors.push(duplicate(place, name));
    else if (before !== undefined && before > name) {
      errors.push(invalidValue(place, name, 'list must be sorted alphabetically'));
    }
    return errors;
  });
}

function validateTaints(taints: Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const place = at('metadata.taints', index);
    const errors = check(child(place, 'key'), taint.key, qualifiedName);
    const complaint = labelValueFormat(taint.value ?? '').join(';');
    if (complaint !== '') errors.push(invalidValue(child(place, 'value'), taint.value, complaint));
    errors.push(
      ...oneOf(child(place, 'effect'), taint.effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    );
    const key = `${taint.effect}/${taint.key}`;
    if (seen.has(key)) {
      const repeated = duplicate(place, taint as unknown as JsonValue);
      errors.push({ ...repeated, body: `${repeated.body}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
    return errors;
  });
}

/** One range for each family of addresses. */
function validateRanges(ranges: readonly string[]): FieldError[] {
  const field = 'spec.podCIDRs';
  const families = ranges.map((text) => parseCidr(text)?.family);
  const arePair = ranges.length < 2 || (ranges.length === 2 && families.includes(4) && families.includes(6));
  return [
    ...ranges.flatMap((text, index) => validateCidr(at(field, index), text)),
    ...(arePair
      ? []
      : [invalidValue(field, [...ranges], 'may specify no more than one CIDR for each IP family')]),
  ];
}

/** Violations in a change of a node. */
function validateNodeUpdate(next: Node, previous: Node): FieldError[] {
  return [...validateRanges(next.spec.podCIDRs ?? []), ...validateNodeStatus(next, previous)];
}

/** Violations in a change by whoever reports the status: of the spec only what is new. */
function validateNodeStatus(next: Node, previous: Node): FieldError[] {
  const errors = [
    ...validateAmounts(next.status),
    ...validateFeatures(next.status?.declaredFeatures ?? []),
    ...validateAddresses(next.status?.addresses ?? []),
    ...validateTaints(next.spec.taints ?? []),
  ];
  const before = previous.spec.podCIDRs ?? [];
  if (before.length > 0 && !jsonEqual(before, next.spec.podCIDRs ?? [])) {
    errors.push(
      forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'),
    );
  }
  if (previous.spec.providerID && previous.spec.providerID !== next.spec.providerID) {
    errors.push(
      forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  }
  return errors;
}

function defaultNodeRanges(spec: JsonObject): void {
  const ranges = Array.isArray(spec['podCIDRs']) ? spec['podCIDRs'] : [];
  const range = spec['podCIDR'] || ranges[0];
  if (!range) return;
  spec['podCIDR'] = range;
  if (ranges[0] !== range) spec['podCIDRs'] = [range];
}

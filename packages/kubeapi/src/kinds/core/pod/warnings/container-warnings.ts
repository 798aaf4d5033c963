import type { Container, ContainerPort, EnvVar } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import { portsComparedMax } from '../../../../limits.ts';
import { at, child, type FieldPath } from '../../../../status/field-error.ts';

/** A container, and where it stands. */
export type PlacedContainer = readonly [container: Container, path: FieldPath];

/** Amounts that can't be had in parts, and variables that hide others. */
export function containerWarnings([{ resources = {}, env = [] }, path]: PlacedContainer): string[] {
  const amounts = (['memory', 'ephemeral-storage'] as const).flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((side) =>
      fractionWarnings(resources[side], name, child(path, 'resources', side)),
    ),
  );
  return [...amounts, ...hiddenVariables(env, child(path, 'env'))];
}

/** A part of a byte, as canonical quantities say it. */
const fraction = /[mun]$/;

/** Warnings of an amount of bytes that is no whole number. */
export function fractionWarnings(
  amounts: Record<string, string> | undefined,
  name: string,
  path: FieldPath,
): string[] {
  const amount = ownValue(amounts, name) ?? '';
  if (!fraction.test(amount)) return [];
  return [
    `${at(path, name)}: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
  ];
}

function hiddenVariables(env: readonly EnvVar[], path: FieldPath): string[] {
  const known = new Set<string>();
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const isAgain = known.has(name);
    known.add(name);
    const reference = `$(${name})`;
    const isKept = valueFrom === undefined && value !== reference && value.includes(reference);
    if (!isAgain || isKept) return [];
    const quoted = JSON.stringify(name);
    return [
      `${at(path, index)}: hides previous definition of ${quoted}, which may be dropped when using apply`,
    ];
  });
}

interface PlacedPort {
  port: ContainerPort;
  path: FieldPath;
}

/** Ports of several containers, or of one, that are the same, and names that stand twice; as they are asked for. */
export function* portWarnings(containers: readonly PlacedContainer[]): Generator<string> {
  const ports = containers.flatMap(([{ ports: own = [] }, path]) =>
    own.map((port, index) => ({ port, path: at(child(path, 'ports'), index) })),
  );
  const alike = new Map<string, PlacedPort[]>();
  for (const placed of ports) {
    const { port, path } = placed;
    if (port.hostIP && !port.hostPort) yield `${path}: hostIP set without hostPort: ${goText(port)}`;
    const key = `${port.containerPort}/${port.protocol}`;
    const others = alike.get(key) ?? [];
    alike.set(key, others);
    for (const other of others) {
      const why = overlapOf(port, other.port);
      if (why) yield `${path}: ${why} port definition with ${other.path}`;
    }
    if (others.length < portsComparedMax) others.push(placed);
  }
  const named = new Map<string, FieldPath>();
  for (const { port, path } of ports) {
    const { name = '' } = port;
    const first = named.get(name);
    if (name === '') continue;
    if (first === undefined) named.set(name, path);
    else
      yield `${path}: duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`;
  }
}

/** A port as Go prints it, which is how upstream shows it. */
const goText = ({ name = '', hostPort = 0, containerPort, protocol, hostIP = '' }: ContainerPort) =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol ?? ''} HostIP:${hostIP}}`;

/** How a port of the same number and protocol overlaps with this one. */
function overlapOf(one: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [one.hostIP ?? '', other.hostIP ?? ''];
  const [port, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && port === otherPort) return 'duplicate';
  if (port === 0 || otherPort === 0) return 'overlapping';
  return port === otherPort && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

import { internalError, invalidValue, type ServicePort, type ServiceSpec } from '@wherry/kubeapi';
import type { PortRange } from '../port-range.ts';
import type { Allocation } from './allocation.ts';
import { allocationOrder } from './allocation-order.ts';
import { mayHaveNodePorts, needsHealthCheckPort, needsNodePorts } from './type-change.ts';

/** Of a port that was asked for. */
type Refusal = 'outside' | 'taken';

/** What node ports are taken from, and by which write. */
export interface PortSource {
  range: PortRange;
  allocation: Allocation;
}

/**
 * Gives a service the node ports that its type asks for. Refusals are added to the allocation's errors; throws 500 when none is
 * free, and for the port of health checks, as upstream (registry/core/service/storage/alloc.go).
 */
export function settlePorts(spec: ServiceSpec, before: ServiceSpec | undefined, source: PortSource): void {
  const ports = new Ports(before, source);
  if (mayHaveNodePorts(spec)) {
    if (before) changePorts(spec, before, ports);
    else choosePorts(spec, ports);
  }
  const isNew = needsHealthCheckPort(spec) && !(before && needsHealthCheckPort(before));
  if (isNew && source.allocation.errors.length === 0) settleHealthCheck(spec, ports);
}

/** Of a new service all that have one number, of several protocols, have one node port. */
function choosePorts(spec: ServiceSpec, ports: Ports): void {
  const chosen = new Map<number, number>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    const known = chosen.get(port.port);
    if (known !== undefined) {
      if (!port.nodePort) port.nodePort = known;
      else if (port.nodePort !== known) ports.ask(port.nodePort, index);
      continue;
    }
    const wanted = spec.ports?.find((other) => other.port === port.port && other.nodePort)?.nodePort;
    if (wanted) ports.ask(wanted, index);
    port.nodePort = wanted ?? ports.free('nodePort');
    chosen.set(port.port, port.nodePort);
  }
}

/** What the service has already is its own, for as many of its ports as it likes. */
function changePorts(spec: ServiceSpec, before: ServiceSpec, ports: Ports): void {
  const own = new Set(numbersOf(before.ports));
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    if (!port.nodePort) port.nodePort = ports.free('nodePort');
    else if (!own.has(port.nodePort)) {
      ports.ask(port.nodePort, index);
      own.add(port.nodePort);
    }
  }
}

function settleHealthCheck(spec: ServiceSpec, ports: Ports): void {
  const { healthCheckNodePort: wanted } = spec;
  if (!wanted) spec.healthCheckNodePort = ports.free('HealthCheck NodePort 0');
  else {
    const refusal = ports.take(wanted);
    if (refusal) throw failed(`requested HealthCheck NodePort ${wanted}`, ports.whyNot(refusal));
  }
}

const numbersOf = (ports: readonly ServicePort[] = []) => ports.flatMap(({ nodePort }) => nodePort || []);

function failed(what: string, why: string): Error {
  return internalError(new Error(`failed to allocate ${what}: ${why}`));
}

/** The node ports that one write takes. */
class Ports {
  readonly #source: PortSource;
  /** Of the service itself: each is for one thing. */
  readonly #own: Set<number>;

  constructor(before: ServiceSpec | undefined, source: PortSource) {
    this.#source = source;
    this.#own = new Set([
      ...numbersOf(before?.ports),
      ...(before?.healthCheckNodePort ? [before.healthCheckNodePort] : []),
    ]);
  }

  /** Takes a port for the one with that index in the list; what is wrong with it is told of that. */
  ask(port: number, index: number): void {
    const refusal = this.take(port);
    if (!refusal) return;
    const { errors } = this.#source.allocation;
    errors.push(invalidValue(`spec.ports[${index}].nodePort`, port, this.whyNot(refusal)));
  }

  take(port: number): Refusal | undefined {
    const { range, allocation } = this.#source;
    if (!range.includes(port)) return 'outside';
    if (this.#own.has(port) || !allocation.takePort(port)) return 'taken';
    this.#own.add(port);
    return undefined;
  }

  /** Any port that is free. Throws 500 when there is none. */
  free(what: string): number {
    const { first, firstOpen, last } = this.#source.range;
    for (const number of allocationOrder(BigInt(first), BigInt(firstOpen), BigInt(last))) {
      const port = Number(number);
      if (!this.take(port)) return port;
    }
    throw failed(`a ${what}`, 'range is full');
  }

  whyNot(refusal: Refusal): string {
    if (refusal === 'taken') return 'provided port is already allocated';
    return `provided port is not in the valid range. The range of valid ports is ${this.#source.range}`;
  }
}

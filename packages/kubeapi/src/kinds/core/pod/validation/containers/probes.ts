/** Violations in probes and life-cycle handlers. */

import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
} from '../../../../../generated/types.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../../../status/field-error.ts';
import { httpHeaderName } from '../../../../../validation/formats.ts';
import { check, nonNegative } from '../../../../../validation/metadata.ts';
import { checkPort, validatePort } from '../../../../../validation/values.ts';

/** Violations in the probes and handlers of a container that may have them; `graceSeconds` are the pod's. */
export function validateProbes(container: Container, field: FieldPath, graceSeconds?: number): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [
    ...(lifecycle ? validateLifecycle(lifecycle, child(field, 'lifecycle'), graceSeconds) : []),
    ...(livenessProbe ? validateRestarting(livenessProbe, child(field, 'livenessProbe')) : []),
    ...(readinessProbe ? validateReadiness(readinessProbe, child(field, 'readinessProbe')) : []),
    ...(startupProbe ? validateRestarting(startupProbe, child(field, 'startupProbe')) : []),
  ];
}

function validateLifecycle(
  { postStart, preStop }: Lifecycle,
  field: FieldPath,
  graceSeconds: number | undefined,
): FieldError[] {
  return [
    ...(postStart ? validateHandler(postStart, child(field, 'postStart'), graceSeconds) : []),
    ...(preStop ? validateHandler(preStop, child(field, 'preStop'), graceSeconds) : []),
  ];
}

function validateRestarting(probe: Probe, field: FieldPath): FieldError[] {
  const errors = validateProbe(probe, field);
  if (probe.successThreshold === 1) return errors;
  return [
    ...errors,
    invalidValue(child(field, 'successThreshold'), probe.successThreshold ?? 0, 'must be 1'),
  ];
}

function validateReadiness(probe: Probe, field: FieldPath): FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe;
  const place = child(field, 'terminationGracePeriodSeconds');
  const errors = validateProbe(probe, field);
  return grace === undefined
    ? errors
    : [...errors, invalidValue(place, grace, 'must not be set for readinessProbes')];
}

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, field: FieldPath): FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe;
  const place = child(field, 'terminationGracePeriodSeconds');
  return [
    ...validateHandler(probe, field),
    ...numbers.flatMap((name) => nonNegative(child(field, name), probe[name])),
    ...(grace !== undefined && grace <= 0 ? [invalidValue(place, grace, 'must be greater than 0')] : []),
  ];
}

function validateHandler(
  handler: Probe & LifecycleHandler,
  field: FieldPath,
  graceSeconds?: number,
): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const given = Object.entries({ exec, httpGet, tcpSocket, grpc, sleep }).filter(
    ([, value]) => value !== undefined,
  );
  const [first, ...others] = given;
  if (!first) return [required(field, 'must specify a handler type')];
  return [
    ...validateHandlerOf(first[0], handler, field),
    ...(first[0] === 'sleep' ? validateSleep(sleep!.seconds, child(field, 'sleep'), graceSeconds) : []),
    ...others.map(([name]) => forbiddenField(child(field, name), 'may not specify more than 1 handler type')),
  ];
}

/** Only the first handler is looked into, as upstream does. */
function validateHandlerOf(name: string, handler: Probe & LifecycleHandler, field: FieldPath): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc } = handler;
  if (name === 'exec') return exec?.command?.length ? [] : [required(child(field, 'exec', 'command'))];
  if (name === 'httpGet' && httpGet) return validateHttpGet(httpGet, child(field, 'httpGet'));
  if (name === 'tcpSocket' && tcpSocket)
    return validatePort(tcpSocket.port, child(field, 'tcpSocket', 'port'));
  return name === 'grpc' && grpc ? checkPort(child(field, 'grpc', 'port'), grpc.port) : [];
}

function validateSleep(seconds: number, field: FieldPath, graceSeconds: number | undefined): FieldError[] {
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [invalidValue(field, seconds, detail)];
}

function validateHttpGet(
  { path, port, scheme, httpHeaders = [] }: HTTPGetAction,
  field: FieldPath,
): FieldError[] {
  const schemes = ['HTTP', 'HTTPS'];
  return [
    ...(path ? [] : [required(child(field, 'path'))]),
    ...validatePort(port, child(field, 'port')),
    ...(schemes.includes(scheme ?? '') ? [] : [notSupported(child(field, 'scheme'), scheme ?? '', schemes)]),
    ...httpHeaders.flatMap(({ name }) => check(child(field, 'httpHeaders'), name, httpHeaderName)),
  ];
}

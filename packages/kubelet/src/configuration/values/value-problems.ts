import { posix } from 'node:path';
import { labelValueFormat, qualifiedName, sysctlNamespace } from '@wherry/kubeapi';

/** Fields of a configuration whose values are more than their types say. */
export interface ValueSettings {
  allowedUnsafeSysctls: readonly string[];
  podLogsDir: string;
  registerWithTaints: readonly object[];
  enableSystemLogHandler: boolean;
  enableSystemLogQuery: boolean;
}

const sysctlPattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/;
const sysctlLengthMax = 253;
const taintEffects: readonly unknown[] = ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What is wrong with them; upstream: pkg/kubelet/apis/config/validation, and what a kubelet reads first of all. */
export function valueProblems(settings: ValueSettings): string[] {
  const { podLogsDir, enableSystemLogQuery, enableSystemLogHandler } = settings;
  return [
    ...settings.allowedUnsafeSysctls.flatMap(sysctlProblem),
    ...settings.registerWithTaints.flatMap(taintProblems),
    ...(posix.isAbsolute(podLogsDir) ? [] : [`podLogsDir: "${podLogsDir}" must be an absolute path`]),
    ...(posix.normalize(podLogsDir).replace(/(.)\/$/, '$1') === podLogsDir
      ? []
      : [`podLogsDir: "${podLogsDir}" must be a path without ".", ".." and doubled or trailing "/"`]),
    ...(enableSystemLogQuery && !enableSystemLogHandler
      ? ['enableSystemLogQuery: needs enableSystemLogHandler: true']
      : []),
  ];
}

function sysctlProblem(pattern: string): string[] {
  const place = 'allowedUnsafeSysctls: the sysctls';
  if (pattern.length > sysctlLengthMax || !sysctlPattern.test(pattern))
    return [
      `${place} "${pattern}" must have at most ${sysctlLengthMax} characters and match ${sysctlPattern.source}`,
    ];
  return sysctlNamespace(pattern) ? [] : [`${place} "${pattern}" are not known to be namespaced`];
}

function taintProblems(taint: object, index: number): string[] {
  const { key, value = '', effect = '', timeAdded } = taint as Partial<Record<string, unknown>>;
  const at = `registerWithTaints[${index}]`;
  return [
    ...(typeof key === 'string' && qualifiedName(key).length === 0
      ? []
      : [`${at}.key: ${JSON.stringify(key)} is no name`]),
    ...(typeof value === 'string' && labelValueFormat(value).length === 0
      ? []
      : [`${at}.value: ${JSON.stringify(value)} is no value of a label`]),
    ...(taintEffects.includes(effect)
      ? []
      : [`${at}.effect: ${JSON.stringify(effect)} is not one of NoSchedule, PreferNoSchedule, NoExecute`]),
    ...(timeAdded === undefined || timeAdded === null ? [] : [`${at}.timeAdded: must not be given`]),
  ];
}

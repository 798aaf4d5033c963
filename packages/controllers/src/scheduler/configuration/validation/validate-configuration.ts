/** Violations in a configuration, in upstream's words and order (pkg/scheduler/apis/config/validation, component-base config/validation). */
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  type JsonValue,
  jsonEqual,
  parseDurationMs,
  required,
} from '@wherry/kubeapi';
import type {
  LeaderElectionConfiguration,
  PluginSet,
  SchedulerConfiguration,
  SchedulerProfile,
} from '../configuration.ts';
import { extensionPoints } from '../configuration.ts';
import { validateArguments } from './validate-arguments.ts';
import { validateExtenders } from './validate-extenders.ts';

/** All of them; empty for a configuration that upstream takes. */
export function validateConfiguration(configuration: SchedulerConfiguration): FieldError[] {
  const { parallelism, profiles, percentageOfNodesToScore, extenders = [] } = configuration;
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max, clientConnection } = configuration;
  return [
    ...(clientConnection.burst < 0
      ? [invalidValue('clientConnection.burst', clientConnection.burst, 'must be non-negative')]
      : []),
    ...validateLeaderElection(configuration.leaderElection),
    ...(parallelism <= 0
      ? [invalidValue('parallelism', parallelism, 'should be an integer value greater than zero')]
      : []),
    ...profiles.flatMap((profile, index) => validateProfile(profile, index, configuration)),
    ...validateQueueSort(profiles),
    ...validatePercentage('percentageOfNodesToScore', percentageOfNodesToScore),
    ...(initial <= 0 ? [invalidValue('podInitialBackoffSeconds', initial, 'must be greater than 0')] : []),
    ...(max < initial
      ? [
          invalidValue(
            'podMaxBackoffSeconds',
            max,
            'must be greater than or equal to PodInitialBackoffSeconds',
          ),
        ]
      : []),
    ...validateExtenders('extenders', extenders),
  ];
}

function validateLeaderElection(election: LeaderElectionConfiguration): FieldError[] {
  const { leaderElect, leaseDuration, renewDeadline, resourceLock } = election;
  if (!leaderElect) return [];
  const path = (name: string) => child('leaderElection', name);
  const positive = (['leaseDuration', 'renewDeadline', 'retryPeriod'] as const)
    .filter((name) => parseDurationMs(election[name]) <= 0)
    .map((name) => invalidValue(path(name), election[name], 'must be greater than zero'));
  const isShort = parseDurationMs(leaseDuration) <= parseDurationMs(renewDeadline);
  const detail = 'must be greater than `RenewDeadline`';
  return [
    ...positive,
    // Upstream shows the other of the two.
    ...(isShort ? [invalidValue(path('leaseDuration'), renewDeadline, detail)] : []),
    ...(resourceLock === 'leases'
      ? []
      : [invalidValue(path('resourceLock'), resourceLock, 'resourceLock value must be "leases"')]),
  ];
}

function validatePercentage(path: FieldPath, percentage: number | undefined): FieldError[] {
  if (percentage === undefined || (percentage >= 0 && percentage <= 100)) return [];
  return [invalidValue(path, percentage, 'not in valid range [0-100]')];
}

function validateProfile(
  profile: SchedulerProfile,
  index: number,
  { profiles, apiVersion }: SchedulerConfiguration,
): FieldError[] {
  const path = at('profiles', index);
  const { schedulerName = '', percentageOfNodesToScore, plugins, pluginConfig } = profile;
  const isRepeated = profiles.findIndex((each) => (each.schedulerName ?? '') === schedulerName) < index;
  const gone = extensionPoints
    .filter((point) => !point.startsWith('placement'))
    .flatMap((point) =>
      (plugins[point].enabled ?? []).flatMap(({ name }, place) =>
        whereGone(at(child(path, 'plugins', point, 'enabled'), place), name, apiVersion),
      ),
    );
  return [
    ...(schedulerName === '' ? [required(child(path, 'schedulerName'))] : []),
    ...validatePercentage(child(path, 'percentageOfNodesToScore'), percentageOfNodesToScore),
    ...gone,
    ...pluginConfig.flatMap(({ name, args }, place) => {
      const here = at(child(path, 'pluginConfig'), place);
      const isTwice = pluginConfig.findIndex((each) => each.name === name) < place;
      const removed = whereGone(here, name, apiVersion);
      return [
        ...(isTwice ? [duplicate(here, name)] : []),
        ...(removed.length > 0 ? removed : validateArguments(name, args, child(here, 'args'))),
      ];
    }),
    // Upstream shows nothing of the path that it means.
    ...(isRepeated ? [duplicate(child(path, 'schedulerName'), {})] : []),
  ];
}

const removedPlugins = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];

function whereGone(path: FieldPath, name: string, apiVersion: string): FieldError[] {
  if (!removedPlugins.includes(name)) return [];
  const detail = `was invalid in version "v1" (KubeSchedulerConfiguration is version "${apiVersion}")`;
  return [invalidValue(path, name, detail)];
}

function validateQueueSort([first, ...others]: readonly SchedulerProfile[]): FieldError[] {
  const { enabled = [] } = first?.plugins.queueSort ?? {};
  const [chosen] = enabled;
  const argsOf = ({ pluginConfig }: SchedulerProfile) =>
    pluginConfig.findLast(({ name }) => name === chosen?.name)?.args as JsonValue | undefined;
  const wanted = first && argsOf(first);
  return [
    ...(enabled.length > 1
      ? [
          invalidValue(
            'profiles[0].plugins.queueSort.Enabled',
            enabled.length,
            'only one queue sort plugin can be enabled',
          ),
        ]
      : []),
    ...others.flatMap((profile, index) => {
      const path = at('profiles', index + 1);
      const set = inGo(profile.plugins.queueSort);
      const args = argsOf(profile);
      return [
        ...(first && jsonEqual(set, inGo(first.plugins.queueSort))
          ? []
          : [invalidValue(child(path, 'plugins', 'queueSort'), set, 'must be the same for all profiles')]),
        ...(args === undefined || jsonEqual(args, wanted)
          ? []
          : [
              invalidValue(
                child(path, 'pluginConfig', 'args'),
                args,
                'queueSort must be the same for all profiles',
              ),
            ]),
      ];
    }),
  ];
}

/** A set as upstream's internal type shows it. */
function inGo({ enabled, disabled }: PluginSet): JsonValue {
  const list = (plugins: PluginSet['enabled']) =>
    plugins?.map(({ name, weight = 0 }) => ({ Name: name, Weight: weight })) ?? null;
  return { Enabled: list(enabled), Disabled: list(disabled) };
}

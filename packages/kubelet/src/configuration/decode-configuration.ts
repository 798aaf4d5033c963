import { goYaml, ownValue } from '@wherry/kubeapi';
import { parse } from 'yaml';
import { isSliceRoot } from '../pod/group-path.ts';
import { configurationFields, type KubeletConfiguration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { isMap } from './field-types.ts';
import { allowlistProblems } from './images/image-allowlist.ts';
import { reserveProblems } from './reserves/reserve-problems.ts';
import { shutdownProblems } from './shutdown-graces.ts';
import { valueProblems } from './values/value-problems.ts';

/** What decoding gives: the configuration, and a line for each field that has no effect. */
export interface DecodedConfiguration {
  configuration: KubeletConfiguration;
  warnings: readonly string[];
}

/** Reads YAML or JSON. Throws {@link ConfigurationError} naming every bad field. */
export function parseConfiguration(source: string): DecodedConfiguration {
  let document: unknown;
  try {
    document = parse(source, goYaml) ?? {};
  } catch (error) {
    throw new ConfigurationError([`document: ${(error as Error).message}`]);
  }
  return decodeConfiguration(document);
}

/** Fills defaults and checks every field of a `KubeletConfiguration` document. Throws {@link ConfigurationError}. */
export function decodeConfiguration(document: unknown): DecodedConfiguration {
  const problems: string[] = [];
  const warnings: string[] = [];
  const decoded = configurationFields.decode(document, '', {
    error: (path, message) => problems.push(`${path}: ${message}`),
    warn: (path, message) => warnings.push(`${path}: ${message}`),
  });
  const configuration = withDependentDefaults(decoded, document);
  problems.push(...contradictions(configuration));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { configuration, warnings };
}

/** Defaults that look at other fields: those of pkg/kubelet/apis/config/v1beta1/defaults.go. */
function withDependentDefaults(decoded: KubeletConfiguration, document: unknown): KubeletConfiguration {
  const isGiven = (name: keyof KubeletConfiguration) =>
    isMap(document) && ![undefined, null, '', '0s'].includes(document[name] as string);
  const { maxParallelImagePulls, nodeStatusUpdateFrequency } = decoded;
  return {
    ...decoded,
    ...(isGiven('serializeImagePulls') ? {} : { serializeImagePulls: (maxParallelImagePulls ?? 0) < 2 }),
    ...(isGiven('nodeStatusUpdateFrequency') && !isGiven('nodeStatusReportFrequency')
      ? { nodeStatusReportFrequency: nodeStatusUpdateFrequency }
      : {}),
    podPidsLimit: Math.max(-1, decoded.podPidsLimit),
  };
}

function contradictions(configuration: KubeletConfiguration): string[] {
  const rules: [boolean, string][] = [
    [
      configuration.imageGCLowThresholdPercent >= configuration.imageGCHighThresholdPercent,
      `imageGCLowThresholdPercent: ${configuration.imageGCLowThresholdPercent} must be less than imageGCHighThresholdPercent ${configuration.imageGCHighThresholdPercent}`,
    ],
    [configuration.containerLogMonitorInterval < 3_000, 'containerLogMonitorInterval: must be at least 3s'],
    [configuration.containerRuntimeEndpoint === '', 'containerRuntimeEndpoint: must name the runtime socket'],
    [
      (configuration.tlsCertFile === '') !== (configuration.tlsPrivateKeyFile === ''),
      'tlsCertFile: give both tlsCertFile and tlsPrivateKeyFile, or neither',
    ],
    [
      configuration.serializeImagePulls && (configuration.maxParallelImagePulls ?? 0) > 1,
      'maxParallelImagePulls: needs serializeImagePulls: false',
    ],
    [
      configuration.imageMaximumGCAge > 0 &&
        configuration.imageMaximumGCAge <= configuration.imageMinimumGCAge,
      'imageMaximumGCAge: must be longer than imageMinimumGCAge',
    ],
    [configuration.imageMaximumGCAge < 0, 'imageMaximumGCAge: must not be negative'],
    [configuration.imageMinimumGCAge < 0, 'imageMinimumGCAge: must not be negative'],
    [
      configuration.cpuCFSQuotaPeriod < 1 || configuration.cpuCFSQuotaPeriod > 1_000,
      'cpuCFSQuotaPeriod: must be from 1ms to 1s',
    ],
    [
      configuration.cgroupDriver === 'systemd' && !isSliceRoot(configuration.cgroupRoot),
      `cgroupRoot: with cgroupDriver: systemd "${configuration.cgroupRoot}" must be a slice, such as /pods.slice`,
    ],
    [
      configuration.systemCgroups !== '' && configuration.cgroupRoot === '',
      'systemCgroups: needs cgroupRoot, such as /, which says that pods have a place of their own',
    ],
    ...Object.keys(configuration.evictionSoft)
      .filter((signal) => ownValue(configuration.evictionSoftGracePeriod, signal) === undefined)
      .map((signal): [boolean, string] => [
        true,
        `evictionSoftGracePeriod: a grace period must be specified for the soft eviction threshold ${signal}`,
      ]),
    [configuration.syncFrequency <= 0, 'syncFrequency: must be longer than 0s'],
    [
      configuration.crashLoopBackOff.maxContainerRestartPeriod < 1_000 ||
        configuration.crashLoopBackOff.maxContainerRestartPeriod > 300_000,
      'crashLoopBackOff.maxContainerRestartPeriod: must be from 1s to 300s',
    ],
  ];
  return [
    ...rules.filter(([broken]) => broken).map(([, message]) => message),
    ...reserveProblems(configuration),
    ...shutdownProblems(configuration),
    ...allowlistProblems(configuration),
    ...valueProblems(configuration),
  ];
}

/** The flags of upstream's kubelet that set fields of the configuration, and those that are not there: what a command line needs of them. */
import { configurationFlags } from '../../generated/upstream.ts';

/** Those that upstream keeps beside the configuration, or adds from elsewhere, and whose field is there as well. */
const others = {
  'log-flush-frequency': 'c.Logging.FlushFrequency Duration',
  'logging-format': 'c.Logging.Format String',
  'seccomp-default': 'c.SeccompDefault Bool',
};

/** By flag: Go's name of the field that it sets, and the type of its value. */
export const flagFacts: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...configurationFlags, ...others }).filter(([, fact]) => fact.startsWith('c.')),
);

/** A flag as its command line has it. */
export interface ConfigurationFlag {
  /** Without the dashes. */
  name: string;
  /** It may stand without a value. */
  isSwitch: boolean;
}

/** Their values are given to `startKubelet` as they were typed: `configurationFlags`. */
export const kubeletConfigurationFlags: readonly ConfigurationFlag[] = [...flagFacts]
  .map(([name, fact]) => ({ name, isSwitch: fact.endsWith(' Bool') }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const noCadvisor = 'there is no cAdvisor here; figures are read when somebody asks for them';
const oneDeadContainer = 'of each container one that has ended is kept, and evictionHard frees the disk';

/** Flags that are not there, by how they begin, with what is so instead. */
export const absentKubeletFlags: readonly (readonly [begin: string, reason: string])[] = [
  ['--application-metrics-count-limit', noCadvisor],
  ['--boot-id-file', noCadvisor],
  ['--container-hints', noCadvisor],
  ['--containerd', noCadvisor],
  ['--enable-load-reader', noCadvisor],
  ['--event-storage-', noCadvisor],
  ['--experimental-allocatable-ignore-eviction', 'what evictionHard keeps free is never for pods'],
  ['--experimental-mounter-path', 'volumes are mounted by the kernel, or by their CSI driver'],
  ['--global-housekeeping-interval', noCadvisor],
  ['--housekeeping-interval', noCadvisor],
  ['--log-cadvisor-usage', noCadvisor],
  ['--log-', 'the log has one format, on standard error'],
  ['--machine-id-file', noCadvisor],
  ['--maximum-dead-containers', oneDeadContainer],
  ['--minimum-container-ttl-duration', oneDeadContainer],
  ['--storage-driver-', noCadvisor],
  ['--vmodule', 'the log has -v alone'],
];

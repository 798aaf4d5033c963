/** What `@wherry/controllers/scheduler-configuration` offers: loaded by who has a file, since it brings the schema of all objects. */
import type { SchedulerConfiguration } from './configuration/configuration.ts';
import { buildProfiles } from './profiles/build-profiles.ts';
import type { SchedulerSetup } from './profiles/setup.ts';

export type * from './configuration/configuration.ts';
export {
  readSchedulerConfiguration,
  SchedulerConfigurationError,
} from './configuration/read-configuration.ts';
export { writtenConfiguration } from './configuration/written-configuration.ts';
export type { SchedulerSetup } from './profiles/setup.ts';

/** What a configuration means. Throws {@link SchedulerConfigurationError} where it names what there is not. */
export function schedulerSetupOf(configuration: SchedulerConfiguration): SchedulerSetup {
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = configuration;
  return {
    profiles: buildProfiles(configuration),
    backoffMs: { initialMs: initial * 1_000, maxMs: max * 1_000 },
  };
}

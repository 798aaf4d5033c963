/** What `@wherry/controllers/scheduler-configuration` offers: loaded by who has a file, since it brings the schema of all objects. */
import type { SchedulerConfiguration } from './configuration/configuration.ts';
import {
  readSchedulerConfiguration,
  SchedulerConfigurationError,
} from './configuration/read-configuration.ts';
import { fieldsWithoutEffect, unsupportedFields } from './configuration/unsupported.ts';
import { writtenConfiguration } from './configuration/written-configuration.ts';
import { buildExtenders } from './extenders/build-extenders.ts';
import { buildProfiles } from './profiles/build-profiles.ts';
import type { SchedulerSetup } from './profiles/setup.ts';

export type * from './configuration/configuration.ts';
export type { SchedulerSetup } from './profiles/setup.ts';
export { fieldsWithoutEffect, readSchedulerConfiguration, SchedulerConfigurationError, writtenConfiguration };

/** What a configuration means. Throws {@link SchedulerConfigurationError} where it names what there is not. */
export function schedulerSetupOf(configuration: SchedulerConfiguration): SchedulerSetup {
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = configuration;
  const unsupported = unsupportedFields(configuration);
  if (unsupported.length > 0) throw new SchedulerConfigurationError(unsupported.join('\n'));
  return {
    makeExtenders: extendersOf(configuration),
    profiles: buildProfiles(configuration),
    backoffMs: { initialMs: initial * 1_000, maxMs: max * 1_000 },
  };
}

function extendersOf({ extenders = [] }: SchedulerConfiguration): SchedulerSetup['makeExtenders'] {
  try {
    return extenders.length > 0 ? buildExtenders(extenders) : undefined;
  } catch (error) {
    throw new SchedulerConfigurationError(`couldn't build extenders: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

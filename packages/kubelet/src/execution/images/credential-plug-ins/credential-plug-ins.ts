import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import type { PlugInsConfiguration } from '../../../configuration/images/credential-plug-ins.ts';
import { defaultBuckets } from '../../../ground/measured-runtime.ts';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { credentialsFor, type PullLogin, repositoryOf } from '../pull-credentials.ts';
import { type AccountSource, CredentialPlugIn } from './credential-plug-in.ts';
import { runPlugIn } from './exec-plug-in.ts';

/** What the plug-ins of a node are made of. */
export interface CredentialPlugInsOptions {
  configuration: PlugInsConfiguration;
  /** Folder of their programs. */
  binDir: string;
  accounts: AccountSource;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

/**
 * Programs that know what to say to registries (upstream: pkg/credentialprovider/plugin): asked for images that their
 * configuration names, with a token of the pod's service account where it says so.
 */
export class CredentialPlugIns {
  readonly #plugIns: readonly CredentialPlugIn[];
  readonly #logger: Logger;

  /** Throws when a program is not there. */
  constructor(options: CredentialPlugInsOptions) {
    const { configuration, binDir, accounts, clock, logger, metrics } = options;
    this.#logger = logger;
    const duration = metrics.histogram(
      'kubelet_credential_provider_plugin_duration',
      'Duration of execution in seconds for credential provider plugin',
      defaultBuckets,
    );
    const errors = metrics.counter(
      'kubelet_credential_provider_plugin_errors_total',
      'Number of errors from credential provider plugin',
    );
    metrics
      .gauge(
        'kubelet_credential_provider_config_info',
        'Information about the last applied credential provider configuration with hash as label',
      )
      .set(1, { hash: configuration.hash });
    this.#plugIns = configuration.providers.map((provider) => {
      const path = join(binDir, provider.name);
      demandProgram(path);
      const { args, env, apiVersion = '' } = provider;
      return new CredentialPlugIn({
        configuration: provider,
        accounts,
        clock,
        async run(request) {
          const startedMs = clock.monotonicMs();
          const labels = { plugin_name: provider.name };
          try {
            return await runPlugIn({ path, args, env, apiVersion }, request, clock);
          } catch (error) {
            errors.add(1, labels);
            throw error;
          } finally {
            duration.observe((clock.monotonicMs() - startedMs) / 1_000, labels);
          }
        },
      });
    });
  }

  /** What the plug-ins say for an image, in their order. One that fails says nothing, and why stands in the log. */
  async logins(image: string, pod: AssignedPod, signal: AbortSignal): Promise<PullLogin[]> {
    const repository = repositoryOf(image);
    const entries = await Promise.all(
      this.#plugIns.map(async (plugIn) => {
        try {
          return (await plugIn.credentials(repository, pod, signal)).entries;
        } catch (error) {
          signal.throwIfAborted();
          const { namespace, name } = pod.metadata;
          const what = { plugIn: plugIn.name, image, pod: `${namespace}/${name}`, error };
          this.#logger.error('a credential plug-in gave no credentials', what);
          return [];
        }
      }),
    );
    return credentialsFor(image, { entries: entries.flat() });
  }
}

function demandProgram(path: string): void {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw new Error(`credential plug-in "${path}" can not be run: ${(error as Error).message}`, {
      cause: error,
    });
  }
  throw new Error(`credential plug-in "${path}" can not be run: it is no file`);
}

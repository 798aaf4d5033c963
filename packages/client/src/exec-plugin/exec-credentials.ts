import { isatty } from 'node:tty';
import type { Clock } from '@wherry/clock';
import type { ExecConfig, KubeconfigCluster } from '../config/kubeconfig.ts';
import { ClientError } from '../errors.ts';
import type { CredentialSource, Credentials } from '../transport/credentials.ts';
import { execApiVersions, type PluginAnswer, readExecCredential } from './exec-credential.ts';
import { execCluster, execInfo } from './exec-info.ts';
import { type PluginPolicy, permittedCommand } from './plugin-policy.ts';
import { runPlugin } from './run-plugin.ts';

/** What is needed to run a user's plugin. */
export interface ExecCredentialsOptions {
  config: ExecConfig;
  cluster: KubeconfigCluster;
  server: URL;
  /** PEM of the cluster's certificate authority. */
  ca: Buffer | undefined;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  /** Default: all plugins may run. */
  pluginPolicy?: PluginPolicy | undefined;
  /** What reads standard input, where something does. */
  stdinInUse?: string | undefined;
  /** Whether standard input is a terminal. Default: as it is. */
  hasTerminal?: boolean | undefined;
}

/**
 * The credentials that a plugin prints, kept until they expire or the server refuses them. However many requests wait,
 * the plugin runs once. Throws `ClientError` `bad-config` for an API version that is not spoken.
 */
export function execCredentials(options: ExecCredentialsOptions): CredentialSource {
  const { apiVersion } = options.config;
  if (!execApiVersions.has(apiVersion)) {
    throw new ClientError('bad-config', `exec plugin: invalid apiVersion "${apiVersion}"`);
  }
  return new ExecCredentials(options);
}

class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialsOptions;
  #answer: PluginAnswer | undefined;
  #running: Promise<PluginAnswer> | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
  }

  async current(): Promise<Credentials> {
    const { expiresAtMs = Number.POSITIVE_INFINITY, credentials } = this.#answer ?? {};
    if (credentials && this.#options.clock.nowMs() <= expiresAtMs) return credentials;
    return (await this.#run()).credentials;
  }

  async replace(refused: Credentials): Promise<boolean> {
    // Refused were older ones than there are now: another request has seen to it.
    if (this.#answer?.credentials !== refused) return this.#answer !== undefined;
    await this.#run();
    return true;
  }

  #run(): Promise<PluginAnswer> {
    this.#running ??= askPlugin(this.#options)
      .then((answer) => {
        this.#answer = answer;
        return answer;
      })
      .catch((error: unknown) => {
        throw new ClientError('no-credentials', `getting credentials: ${(error as Error).message}`, {
          cause: error,
        });
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

async function askPlugin(options: ExecCredentialsOptions): Promise<PluginAnswer> {
  const { config, environment, pluginPolicy = { policy: 'AllowAll' } } = options;
  const { apiVersion, command, installHint } = config;
  const program = permittedCommand(command, pluginPolicy, environment);
  const interactive = isInteractive(options);
  const cluster = config.provideClusterInfo ? execCluster(options) : undefined;
  const own = (config.env ?? []).map(({ name, value }) => [name, value] as const);
  const stdout = await runPlugin({
    command,
    program,
    args: config.args ?? [],
    interactive,
    installHint,
    environment: {
      ...environment,
      ...Object.fromEntries(own),
      KUBERNETES_EXEC_INFO: execInfo(apiVersion, interactive, cluster),
    },
  });
  return readExecCredential(stdout, apiVersion);
}

const standardInput = 0;

function isInteractive({ config, stdinInUse, ...given }: ExecCredentialsOptions): boolean {
  const { interactiveMode = 'IfAvailable' } = config;
  if (interactiveMode === 'Never') return false;
  const { hasTerminal = isatty(standardInput) } = given;
  const isAvailable = hasTerminal && stdinInUse === undefined;
  if (interactiveMode !== 'Always' || isAvailable) return isAvailable;
  const why = hasTerminal ? `unavailable: ${stdinInUse}` : 'not a terminal';
  throw new Error(`exec plugin cannot support interactive mode: standard input is ${why}`);
}

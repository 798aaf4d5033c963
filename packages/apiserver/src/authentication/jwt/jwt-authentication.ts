import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wherry/clock';
import { forbiddenField } from '@wherry/kubeapi';
import { loadPatternEngine } from '@wherry/kubeapi/access-expressions';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { FollowedFiles } from '../../documents/followed-files.ts';
import { ReloadMetrics } from '../../documents/reload-metrics.ts';
import { Retired } from '../../documents/retired.ts';
import { periods } from '../../limits.ts';
import { readingSettings, SettingsError } from '../../settings-error.ts';
import type { AnonymousSettings } from '../configuration/authentication-configuration.ts';
import type { CompiledJwt } from '../configuration/compiled-jwt.ts';
import { readAuthentication } from '../configuration/read-authentication.ts';
import { compileAuthentication } from '../configuration/validate-authentication.ts';
import type { UserInfo } from '../identity.ts';
import { JwtFigures } from './jwt-figures.ts';
import type { JwtParts } from './jwt-provider.ts';
import { JwtProviders } from './jwt-providers.ts';
import { allSigningAlgs, jwtOfFlags, type OidcOptions, signingAlgsOf } from './oidc-options.ts';

/** Where providers are named: in a file, or by flags. */
export interface JwtSources {
  /** Of `--authentication-config`. */
  file?: string | undefined;
  oidc?: OidcOptions | undefined;
}

/** What providers are found with. */
export interface JwtAuthenticationParts {
  /** Those who sign the tokens of service accounts. */
  ownIssuers: readonly string[];
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  dialOf?: JwtParts['dialOf'];
  /** Gives what is awaited between expressions. */
  turns(): () => Promise<void>;
}

/** Users by tokens of identity providers, which a file that is followed names, or flags. */
export class JwtAuthentication {
  /** What the file says of who shows nothing; undefined: nothing. */
  readonly anonymous: AnonymousSettings | undefined;
  readonly #parts: JwtAuthenticationParts & JwtParts;
  readonly #end = new AbortController();
  readonly #retired: Retired;
  #providers: JwtProviders;
  #followed: FollowedFiles | undefined;

  private constructor(
    compiled: readonly CompiledJwt[],
    anonymous: AnonymousSettings | undefined,
    parts: JwtAuthenticationParts & JwtParts,
  ) {
    this.#parts = parts;
    this.#retired = new Retired(parts.clock);
    this.anonymous = anonymous;
    this.#providers = new JwtProviders(compiled, parts);
  }

  /** Rejects with an Error that names what can't be. The providers themselves are looked for from now on. */
  static async open({ file, oidc }: JwtSources, parts: JwtAuthenticationParts): Promise<JwtAuthentication> {
    if (file !== undefined && oidc)
      throw new SettingsError('--authentication-config and the flags --oidc-* exclude each other');
    await loadPatternEngine();
    const disallowedIssuers = parts.ownIssuers;
    // What can't be is refused before anything is told of it.
    const figured = () => ({ ...parts, figures: new JwtFigures(parts.metrics, parts.clock) });
    if (file === undefined) {
      const jwt = oidc ? [jwtOfFlags(oidc)] : [];
      const compiled = readingSettings('invalid authentication configuration', () =>
        compileAuthentication({ jwt, anonymous: undefined }, { disallowedIssuers }),
      );
      const signingAlgs = oidc ? signingAlgsOf(oidc) : allSigningAlgs;
      return new JwtAuthentication(compiled, undefined, { ...figured(), signingAlgs });
    }
    const bytes = await readFile(file);
    const { compiled, anonymous } = readingSettings(`the authentication configuration ${file}`, () => {
      const configuration = readAuthentication(bytes);
      const known = compileAuthentication(configuration, { disallowedIssuers });
      checkDials(known, parts);
      return { compiled: known, anonymous: configuration.anonymous };
    });
    const opened = new JwtAuthentication(compiled, anonymous, {
      ...figured(),
      signingAlgs: allSigningAlgs,
    });
    opened.#follow(file, bytes);
    return opened;
  }

  /** Whether all providers were found: tokens of those that were not are refused. */
  get areReady(): boolean {
    return this.#providers.areReady;
  }

  /** Who bears the token; undefined when it is of no provider, or no good. */
  find(token: string): Promise<UserInfo | undefined> {
    return this.#providers.find(token);
  }

  close(): void {
    this.#end.abort();
    this.#followed?.close();
    this.#retired.close();
    this.#providers.close();
  }

  #follow(path: string, file: Uint8Array): void {
    const { clock, logger, metrics } = this.#parts;
    const subject = 'authentication';
    const reloads = new ReloadMetrics(metrics, clock, {
      subsystem: 'authentication_config_controller',
      subject,
    });
    reloads.holds(file);
    const fail = (error: unknown) => {
      reloads.count('failure');
      logger.error('the configuration of authentication stays as it was', { file: path, error });
    };
    this.#followed = new FollowedFiles({
      ...{ paths: [path], files: [file], clock, periodMs: periods.configurationFileMs },
      onUnreadable: fail,
      take: async ([changed = Buffer.alloc(0)]) => {
        let compiled: CompiledJwt[];
        try {
          compiled = this.#compile(changed);
        } catch (error) {
          fail(error);
          return true;
        }
        const isTaken = await this.#replace(compiled);
        if (this.#end.signal.aborted) return true;
        if (!isTaken) {
          fail(new Error('not all of its identity providers can be found'));
          return false;
        }
        reloads.holds(changed);
        reloads.count('success');
        logger.info('authentication follows its changed configuration', { file: path });
        return true;
      },
    });
    this.#followed.follow();
  }

  /** As upstream: what it says of who shows nothing may not change. */
  #compile(file: Uint8Array): CompiledJwt[] {
    const configuration = readAuthentication(file);
    const isSame = isDeepStrictEqual(configuration.anonymous, this.anonymous);
    const more = isSame ? [] : [forbiddenField('anonymous', 'changed from initial configuration file')];
    const compiled = compileAuthentication(configuration, {
      disallowedIssuers: this.#parts.ownIssuers,
      more,
    });
    checkDials(compiled, this.#parts);
    return compiled;
  }

  /** False where the new providers are not all found in time: those before stay. */
  async #replace(compiled: readonly CompiledJwt[]): Promise<boolean> {
    const next = new JwtProviders(compiled, this.#parts);
    if (!(await next.areReadyWithin(periods.configurationStartMs, this.#end.signal))) {
      next.close();
      return false;
    }
    this.#retired.add(this.#providers);
    for (const issuer of this.#providers.issuers)
      if (!next.issuers.includes(issuer)) this.#parts.figures.forget(issuer);
    this.#providers = next;
    return true;
  }
}

/** Throws where a provider is to be dialled in a way that nobody has said. */
function checkDials(compiled: readonly CompiledJwt[], { dialOf }: Pick<JwtParts, 'dialOf'>): void {
  for (const { authenticator } of compiled) dialOf?.(authenticator.issuer.egressSelectorType);
}

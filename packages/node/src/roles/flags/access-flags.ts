/** Flags of `wherry apiserver` that tell how users are known and what they may; names and defaults are kube-apiserver's. */
import type { ApiserverOptions } from '@wherry/apiserver';
import { type Command, Option } from 'commander';
import { parseLifetimeMs, parseSwitch } from './flag-values.ts';

/** As commander hands them over. */
export interface AccessFlags {
  authenticationConfig?: string;
  anonymousAuth?: boolean;
  authenticationTokenWebhookConfigFile?: string;
  authenticationTokenWebhookVersion?: 'v1' | 'v1beta1';
  authenticationTokenWebhookCacheTtl?: number;
  authorizationConfig?: string;
  authorizationPolicyFile?: string;
  authorizationWebhookConfigFile?: string;
  authorizationWebhookVersion?: 'v1' | 'v1beta1';
  authorizationWebhookCacheAuthorizedTtl?: number;
  authorizationWebhookCacheUnauthorizedTtl?: number;
}

const versionOption = (flag: string, kind: string) =>
  new Option(`${flag} <version>`, `of the ${kind} that it is sent (default: v1beta1)`).choices([
    'v1',
    'v1beta1',
  ]);

/** Adds them. */
export function addAccessFlags(command: Command): Command {
  return addAuthorizationFlags(addAuthenticationFlags(command));
}

function addAuthorizationFlags(command: Command): Command {
  const name = '--authorization-webhook';
  return command
    .option(
      '--authorization-config <file>',
      'who decides what somebody may: an AuthorizationConfiguration, YAML, in place of the other flags, which is followed',
    )
    .option(
      '--authorization-policy-file <file>',
      'what is allowed in the mode ABAC: a Policy (abac.authorization.kubernetes.io/v1beta1) a line, JSON',
    )
    .option(
      `${name}-config-file <file>`,
      'who is asked in the mode Webhook, by HTTPS, and as whom: a kubeconfig',
    )
    .addOption(versionOption(`${name}-version`, 'SubjectAccessReview'))
    .option(
      `${name}-cache-authorized-ttl <duration>`,
      'how long it is remembered that somebody may, 0 for not at all (default: 5m)',
      parseLifetimeMs,
    )
    .option(
      `${name}-cache-unauthorized-ttl <duration>`,
      'the same where somebody may not (default: 30s)',
      parseLifetimeMs,
    );
}

function addAuthenticationFlags(command: Command): Command {
  const token = '--authentication-token-webhook';
  return command
    .option(
      '--authentication-config <file>',
      'identity providers, and who may ask unknown: an AuthenticationConfiguration, YAML, which is followed',
    )
    .addOption(
      new Option(
        '--anonymous-auth [switch]',
        'who shows nothing may ask, as system:anonymous (default: true, but for AlwaysAllow)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      `${token}-config-file <file>`,
      'who is asked whose a token is, by HTTPS, and as whom: a kubeconfig',
    )
    .addOption(versionOption(`${token}-version`, 'TokenReview'))
    .option(
      `${token}-cache-ttl <duration>`,
      'how long its word is remembered (default: 2m)',
      parseLifetimeMs,
    );
}

/** The options of the API server that several of them together stand for; the others are options by their own names. */
export function accessOptions(flags: AccessFlags): Partial<ApiserverOptions> {
  const { authenticationTokenWebhookConfigFile: configFile } = flags;
  const { authorizationWebhookConfigFile: decidingFile } = flags;
  return {
    ...(decidingFile !== undefined && {
      authorizationWebhook: {
        configFile: decidingFile,
        version: flags.authorizationWebhookVersion,
        cacheAuthorizedTtlMs: flags.authorizationWebhookCacheAuthorizedTtl,
        cacheUnauthorizedTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl,
      },
    }),
    ...(configFile !== undefined && {
      authenticationTokenWebhook: {
        configFile,
        version: flags.authenticationTokenWebhookVersion,
        cacheTtlMs: flags.authenticationTokenWebhookCacheTtl,
      },
    }),
  };
}

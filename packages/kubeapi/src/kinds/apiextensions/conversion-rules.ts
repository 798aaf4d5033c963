/** Rules of how objects of one version become those of another (upstream: validateCustomResourceConversion). */
import type {
  ApiextensionsV1WebhookClientConfig,
  CustomResourceConversion,
  CustomResourceDefinition,
} from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dns1035Label } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { clientConfigErrors } from '../../validation/webhook-client.ts';

const place = 'spec.conversion';
const clientPlace = child(place, 'webhookClientConfig');
const versionsPlace = child(place, 'conversionReviewVersions');
const reviewVersions = ['v1', 'v1beta1'];

/** What a definition may keep of its mistakes. */
export interface AllowedMistakes {
  /** None of the review versions is one that servers know. */
  reviewVersions: boolean;
  caBundle: boolean;
}

/** A definition that nobody uses yet may have a wrong bundle: it is not established with it. */
export const allowedAtFirst: AllowedMistakes = { reviewVersions: false, caBundle: true };

/** What older servers took from the one before. */
export function mistakesOf({ spec, status }: CustomResourceDefinition): AllowedMistakes {
  const { clientConfig, conversionReviewVersions: versions = [] } = spec.conversion?.webhook ?? {};
  const isEstablished = status?.conditions?.some(
    (each) => each.type === 'Established' && each.status === 'True',
  );
  return {
    reviewVersions: versions.length > 0 && !versions.some((version) => reviewVersions.includes(version)),
    caBundle: !isEstablished || (clientConfig !== undefined && !isSoundBundle(clientConfig)),
  };
}

/** Violations in a definition's conversion. */
export function conversionErrors(
  conversion: CustomResourceConversion | undefined,
  allowed: AllowedMistakes,
): FieldError[] {
  if (!conversion) return [];
  const { strategy, webhook } = conversion;
  if (strategy === '') return [required(child(place, 'strategy'))];
  const { clientConfig, conversionReviewVersions: versions = [] } = webhook ?? {};
  const errors = ['None', 'Webhook'].includes(strategy)
    ? []
    : [notSupported(child(place, 'strategy'), strategy, ['None', 'Webhook'])];
  if (strategy === 'Webhook')
    return [...errors, ...callErrors(clientConfig, allowed), ...reviewErrors(versions, allowed)];
  const stray = 'should not be set when strategy is not set to Webhook';
  return [
    ...errors,
    ...(clientConfig ? [forbiddenField(clientPlace, stray)] : []),
    ...(versions.length > 0 ? [forbiddenField(versionsPlace, stray)] : []),
  ];
}

function callErrors(
  config: ApiextensionsV1WebhookClientConfig | undefined,
  { caBundle }: AllowedMistakes,
): FieldError[] {
  if (!config) return [required(clientPlace, 'required when strategy is set to Webhook')];
  const why = 'unable to load root certificates: data does not contain any valid RSA or ECDSA certificates';
  return [
    ...clientConfigErrors(config, clientPlace),
    ...(caBundle || isSoundBundle(config)
      ? []
      : [invalidValue(child(clientPlace, 'caBundle'), config.caBundle ?? '', why)]),
  ];
}

function reviewErrors(versions: readonly string[], allowed: AllowedMistakes): FieldError[] {
  if (versions.length === 0) return [required(versionsPlace)];
  const known = versions.some((version) => reviewVersions.includes(version));
  const isRepeat = repeats<string>();
  return [
    ...versions.flatMap((version, index) =>
      isRepeat(version)
        ? [invalidValue(at(versionsPlace, index), version, 'duplicate version')]
        : check(at(versionsPlace, index), version, dns1035Label),
    ),
    ...(known || allowed.reviewVersions
      ? []
      : [
          invalidValue(
            versionsPlace,
            [...versions],
            `must include at least one of ${reviewVersions.join(', ')}`,
          ),
        ]),
  ];
}

const certificate = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
/** How DER begins what a certificate is: a sequence. */
const sequence = 0x30;

/** True where certificates stand in it, or nothing at all: whoever parses them may find more to say. */
export function isSoundBundle({ caBundle = '' }: ApiextensionsV1WebhookClientConfig): boolean {
  const text = Buffer.from(caBundle, 'base64').toString('latin1');
  if (text === '') return true;
  const found = [...text.matchAll(certificate)];
  return found.length > 0 && found.every(([, body = '']) => Buffer.from(body, 'base64')[0] === sequence);
}

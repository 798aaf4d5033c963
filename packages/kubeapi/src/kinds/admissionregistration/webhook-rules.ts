/** Rules of admission webhooks, of either kind (upstream: pkg/apis/admissionregistration/validation). */
import type { MutatingWebhook, ValidatingWebhook } from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dns1035Label, dnsSubdomain } from '../../validation/formats.ts';
import { check, isInvalidSelector, uniqueNames, validateSelector } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { clientConfigErrors } from '../../validation/webhook-client.ts';
import { areSameConditions, matchConditionErrors } from './match-conditions.ts';
import { resourceRuleErrors } from './resource-rules.ts';

type Webhook = ValidatingWebhook | MutatingWebhook;

const failurePolicies = ['Fail', 'Ignore'];
const matchPolicies = ['Equivalent', 'Exact'];
/** Webhooks with others would have to be left out of dry runs; upstream takes no new ones. */
const sideEffectClasses = ['None', 'NoneOnDryRun'];
const allSideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const reviewVersions = ['v1', 'v1beta1'];
const timeoutSecondsMax = 30;
const nameSegmentsMin = 3;

/** Violations in the webhooks of a configuration; a mistake of some that `previous` has too may be made by all. */
export function webhookErrors(webhooks: readonly Webhook[], previous: readonly Webhook[] = []): FieldError[] {
  const allowed = mistakesOf(previous);
  const hasSameConditions =
    webhooks.length === previous.length &&
    webhooks.every(({ matchConditions }, index) =>
      areSameConditions(matchConditions, previous[index]?.matchConditions),
    );
  return [
    ...(hasSameConditions
      ? []
      : webhooks.flatMap(({ matchConditions = [] }, index) =>
          matchConditionErrors(matchConditions, child(at('webhooks', index), 'matchConditions')),
        )),
    ...webhooks.flatMap((webhook, index) => oneWebhookErrors(webhook, at('webhooks', index), allowed)),
    ...(allowed.repeatedNames ? [] : repeatedNames(webhooks)),
  ];
}

/** What older servers took. */
interface Mistakes {
  repeatedNames: boolean;
  sideEffects: boolean;
  labelValues: boolean;
  reviewVersions: boolean;
}

function mistakesOf(webhooks: readonly Webhook[]): Mistakes {
  return {
    repeatedNames: repeatedNames(webhooks).length > 0,
    sideEffects: webhooks.some(({ sideEffects }) => !sideEffectClasses.includes(sideEffects)),
    labelValues: webhooks.some(({ namespaceSelector, objectSelector }) =>
      [namespaceSelector, objectSelector].some(isInvalidSelector),
    ),
    reviewVersions: webhooks.some(
      ({ admissionReviewVersions: versions = [] }) =>
        versions.length > 0 && !versions.some((version) => reviewVersions.includes(version)),
    ),
  };
}

function repeatedNames(webhooks: readonly Webhook[]): FieldError[] {
  return uniqueNames(
    webhooks.map(({ name }) => name),
    (index) => child(at('webhooks', index), 'name'),
  );
}

function oneWebhookErrors(webhook: Webhook, place: FieldPath, allowed: Mistakes): FieldError[] {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds } = webhook;
  const { namespaceSelector, objectSelector, rules = [] } = webhook;
  const field = (name: string) => child(place, name);
  const closed = (name: string, value: string | undefined, known: readonly string[]) =>
    value === undefined || known.includes(value) ? [] : [notSupported(field(name), value, known)];
  const isTimely =
    timeoutSeconds === undefined || (timeoutSeconds >= 1 && timeoutSeconds <= timeoutSecondsMax);
  return [
    ...qualifiedNameErrors(webhook.name, field('name')),
    ...rules.flatMap((rule, index) => resourceRuleErrors(rule, at(field('rules'), index))),
    ...closed('failurePolicy', failurePolicy, failurePolicies),
    ...closed('matchPolicy', matchPolicy, matchPolicies),
    ...(sideEffects === undefined
      ? [required(field('sideEffects'), `must specify one of ${sideEffectClasses.join(', ')}`)]
      : closed('sideEffects', sideEffects, allowed.sideEffects ? allSideEffectClasses : sideEffectClasses)),
    ...(isTimely
      ? []
      : [
          invalidValue(
            field('timeoutSeconds'),
            timeoutSeconds,
            `the timeout value must be between 1 and ${timeoutSecondsMax} seconds`,
          ),
        ]),
    ...validateSelector(namespaceSelector, field('namespaceSelector'), allowed.labelValues),
    ...validateSelector(objectSelector, field('objectSelector'), allowed.labelValues),
    ...clientConfigErrors(webhook.clientConfig, field('clientConfig')),
    ...reviewVersionErrors(
      webhook.admissionReviewVersions ?? [],
      field('admissionReviewVersions'),
      allowed.reviewVersions,
    ),
  ];
}

/** A webhook's name is a domain of three parts or more. */
function qualifiedNameErrors(name: string, place: FieldPath): FieldError[] {
  if (!name) return [required(place)];
  const errors = check(place, name, dnsSubdomain);
  if (errors.length > 0 || name.split('.').length >= nameSegmentsMin) return errors;
  return [invalidValue(place, name, 'should be a domain with at least three segments separated by dots')];
}

function reviewVersionErrors(
  versions: readonly string[],
  place: FieldPath,
  takesUnknown: boolean,
): FieldError[] {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) return [required(place, `must specify one of ${known}`)];
  const isRepeat = repeats<string>();
  const errors = versions.flatMap((version, index) =>
    isRepeat(version)
      ? [invalidValue(at(place, index), version, 'duplicate version')]
      : check(at(place, index), version, dns1035Label),
  );
  return takesUnknown || versions.some((version) => reviewVersions.includes(version))
    ? errors
    : [...errors, invalidValue(place, [...versions], `must include at least one of ${known}`)];
}

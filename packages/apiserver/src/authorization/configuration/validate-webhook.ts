/** What has to be so of a webhook that is asked about rights (upstream: apiserver pkg/apis/apiserver/validation). */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  at,
  child,
  duplicate,
  type FieldError,
  formatDurationMs,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '@wherry/kubeapi';
import { AccessExpressionError, ReviewCondition } from '@wherry/kubeapi/access-expressions';
import { limits, periods } from '../../limits.ts';
import type { WebhookConfiguration } from './authorization-configuration.ts';

/** Violations, told below the authorizer as upstream does; `conditions` are filled with those that can be read. */
export function webhookErrors(
  path: string,
  webhook: WebhookConfiguration,
  conditions: ReviewCondition[],
): FieldError[] {
  const { timeoutMs, failurePolicy, subjectAccessReviewVersion: version } = webhook;
  const { matchConditionSubjectAccessReviewVersion: conditionVersion, matchConditions } = webhook;
  const versionPath = child(path, 'matchConditionSubjectAccessReviewVersion');
  return [
    ...(timeoutMs === 0
      ? [required(child(path, 'timeout'))]
      : timeoutMs > periods.authorizationWebhookMaxMs || timeoutMs < 0
        ? [invalidValue(child(path, 'timeout'), formatDurationMs(timeoutMs), 'must be > 0s and <= 30s')]
        : []),
    ...lifetimeErrors(child(path, 'authorizedTTL'), webhook.authorizedTtlMs),
    ...lifetimeErrors(child(path, 'unauthorizedTTL'), webhook.unauthorizedTtlMs),
    ...choiceErrors(child(path, 'subjectAccessReviewVersion'), version, ['v1', 'v1beta1']),
    ...(conditionVersion === '' && matchConditions.length > 0
      ? [required(versionPath, 'required if match conditions are specified')]
      : []),
    ...(conditionVersion === '' ? [] : choiceErrors(versionPath, conditionVersion, ['v1'])),
    ...choiceErrors(child(path, 'failurePolicy'), failurePolicy, ['NoOpinion', 'Deny']),
    ...connectionErrors(child(path, 'connectionInfo'), webhook),
    ...conditionErrors(child(path, 'matchConditions'), matchConditions, conditions),
  ];
}

function lifetimeErrors(path: string, lifetimeMs: number): FieldError[] {
  return lifetimeMs < 0 ? [invalidValue(path, formatDurationMs(lifetimeMs), 'must be > 0s')] : [];
}

function choiceErrors(path: string, value: string, choices: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

function connectionErrors(
  path: string,
  { connectionType: type, kubeConfigFile: file }: WebhookConfiguration,
): FieldError[] {
  const [typePath, filePath] = [child(path, 'type'), child(path, 'kubeConfigFile')];
  if (type === '') return [required(typePath)];
  if (type === 'InClusterConfig') {
    const why = 'an API server can not ask itself: type=KubeConfigFile';
    return [
      ...(file === undefined
        ? []
        : [invalidValue(filePath, file, 'can only be set when type=KubeConfigFile')]),
      invalidValue(typePath, type, why),
    ];
  }
  if (type !== 'KubeConfigFile') {
    const shown = { Type: type, KubeConfigFile: file ?? null };
    return [notSupported(typePath, shown, ['InClusterConfig', 'KubeConfigFile'])];
  }
  if (!file) return [required(filePath)];
  if (!isAbsolute(file)) return [invalidValue(filePath, file, 'must be an absolute path')];
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found)
    return [invalidValue(filePath, file, `error loading file: stat ${file}: no such file or directory`)];
  return found.isFile() ? [] : [invalidValue(filePath, file, 'must be a regular file')];
}

function conditionErrors(
  path: string,
  expressions: readonly string[],
  conditions: ReviewCondition[],
): FieldError[] {
  if (expressions.length > limits.matchConditionsMax)
    return [tooMany(path, expressions.length, limits.matchConditionsMax)];
  return expressions.flatMap((text, index) => {
    const place = child(at(path, index), 'expression');
    if (text.trim() === '') return [required(place)];
    if (expressions.indexOf(text) < index) return [duplicate(place, text)];
    try {
      conditions.push(new ReviewCondition(text));
      return [];
    } catch (error) {
      if (!(error instanceof AccessExpressionError)) throw error;
      return [invalidValue(place, text, error.message)];
    }
  });
}

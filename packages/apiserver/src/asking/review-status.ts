import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';

/** The status of a review that a webhook has answered. Throws on any other answer, and shows nothing of it. */
export function reviewStatus(
  text: string,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): JsonObject {
  let review: JsonValue;
  try {
    review = JSON.parse(text);
  } catch {
    throw new Error('the webhook answers no JSON');
  }
  if (!isJsonObject(review)) throw new Error('the webhook answers no object');
  // As upstream: what is not said is what was asked for.
  const { kind: told = kind, apiVersion: version = apiVersion } = review;
  if (told !== kind || version !== apiVersion)
    throw new Error(`the webhook answers no ${kind} of ${apiVersion}`);
  const status = ownValue(review, 'status') ?? {};
  if (!isJsonObject(status)) throw new Error(`the webhook answers a ${kind} whose status is no object`);
  return status;
}

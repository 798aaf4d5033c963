import { randomUUID } from 'node:crypto';
import { shownJson } from '@wherry/bytes';
import {
  type ConversionReview,
  exactJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseExactJson,
} from '@wherry/kubeapi';
import type { ApiObject } from '../../objects/api-object.ts';

const group = 'apiextensions.k8s.io';
const knownVersions = ['v1', 'v1beta1'];

/** What a webhook is asked, and how its answer is told from others. */
export interface ConversionQuestion {
  uid: string;
  apiVersion: string;
  body: string;
}

/** A ConversionReview of the first version in the webhook's list that this server knows. Throws where there is none. */
export function conversionQuestion(
  objects: readonly ApiObject[],
  desiredAPIVersion: string,
  reviewVersions: readonly string[],
): ConversionQuestion {
  const version = reviewVersions.find((each) => knownVersions.includes(each));
  if (!version) throw new Error('no supported conversion review versions');
  const uid = randomUUID();
  const apiVersion = `${group}/${version}`;
  const review = {
    kind: 'ConversionReview',
    apiVersion,
    request: { uid, desiredAPIVersion, objects: objects as unknown as JsonObject[] },
  } satisfies Partial<ConversionReview>;
  return { uid, apiVersion, body: exactJson(review) };
}

/** The objects of an answer, as they came. Throws an Error in upstream's words on an answer that is none. */
export function convertedObjects(
  text: string,
  { uid, apiVersion }: ConversionQuestion,
): readonly JsonValue[] {
  const review = parse(text);
  const { response } = review;
  // The first version of reviews did not say whose answer it is.
  const isStrict = apiVersion === `${group}/v1`;
  if (isStrict) checkKind(review);
  if (!isJsonObject(response)) throw new Error('no response provided');
  if (isStrict && response['uid'] !== uid) {
    const found = JSON.stringify(response['uid'] ?? '');
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${found}`);
  }
  const result = isJsonObject(response['result']) ? response['result'] : {};
  const { status = '', message } = result;
  if (status !== 'Success') {
    const isTold = typeof message === 'string' && message !== '';
    throw new Error(isTold ? message : `response.result.status was '${textOf(status)}', not 'Success'`);
  }
  const objects = response['convertedObjects'];
  return Array.isArray(objects) ? objects : [];
}

function parse(text: string): JsonObject {
  let review: JsonValue;
  try {
    review = parseExactJson(text);
  } catch (error) {
    throw new Error(`the answer is no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (!isJsonObject(review)) throw new Error('the answer is no object');
  return review;
}

function checkKind({ apiVersion = '', kind = '' }: JsonObject): void {
  if (apiVersion === `${group}/v1` && kind === 'ConversionReview') return;
  const found = `${textOf(apiVersion)}, Kind=${textOf(kind)}`;
  throw new Error(`expected webhook response of ${group}/v1, Kind=ConversionReview, got ${found}`);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : shownJson(value);
}

import { randomUUID } from 'node:crypto';
import { shownJson } from '@wherry/bytes';
import {
  type AdmissionReview,
  exactJson,
  formatApiVersion,
  fromStatus,
  type GroupVersionKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  parseExactJson,
  readByteList,
  type Status,
  type StatusError,
} from '@wherry/kubeapi';
import type { ApiObject } from '../../objects/api-object.ts';
import type { AdmissionRequest } from '../admission.ts';
import { type Form, type Invocation, shown } from './invocation.ts';

const group = 'admission.k8s.io';
const knownVersions = ['v1', 'v1beta1'];

/** What a webhook has said. */
export interface Verdict {
  isAllowed: boolean;
  /** Why not. */
  status: Status | undefined;
  /** Of the object that it was sent. Undefined = it changes nothing. */
  patch: JsonValue | undefined;
  warnings: readonly string[];
  auditAnnotations: Readonly<Record<string, string>>;
}

/** A question, and how its answer is told from others. */
export interface Question {
  uid: string;
  apiVersion: string;
  body: string;
}

/** What a webhook is asked: an AdmissionReview of the first version in its list that this server knows. */
export async function questionFor(
  invocation: Invocation,
  request: AdmissionRequest,
  form: Form,
): Promise<Question> {
  const uid = randomUUID();
  const version = invocation.hook.webhook.admissionReviewVersions.find((each) =>
    knownVersions.includes(each),
  );
  const apiVersion = formatApiVersion(group, version ?? 'v1');
  const review = {
    kind: 'AdmissionReview',
    apiVersion,
    request: { uid, ...(await reviewRequest(invocation, request, form)) },
  } satisfies { [Key in keyof AdmissionReview]: unknown };
  return { uid, apiVersion, body: exactJson(review) };
}

/** The request of an AdmissionReview, as expressions of policies see it, too. */
export async function reviewRequest(invocation: Invocation, request: AdmissionRequest, form: Form) {
  const { operation, resource, subresource, name, dryRun, user } = request;
  const namespace = namespaceOf(request);
  const asked = invocation.equivalent?.facts ?? resource;
  const extra = Object.keys(user.extra).length > 0 ? { extra: user.extra as Record<string, string[]> } : {};
  const requestKind = kindOf(request, request.view?.type.gvk ?? request.type?.gvk);
  const isConnect = operation === 'CONNECT';
  const object = isConnect ? (request.options ?? null) : await sent(shown(request, request.object), form);
  return {
    kind: invocation.equivalent && form.type ? plainKind(form.type.gvk) : requestKind,
    resource: { group: asked.group, version: asked.version, resource: asked.plural },
    ...(subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource }),
    requestKind,
    requestResource: { group: resource.group, version: resource.version, resource: resource.plural },
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid === '' ? {} : { uid: user.uid }),
      groups: [...user.groups],
      ...extra,
    },
    object,
    oldObject: await sent(shown(request, request.previous), form),
    dryRun,
    options: isConnect ? null : (request.options ?? null),
  };
}

/** That of a namespace is its own, as upstream. */
function namespaceOf({ namespace, resource, name }: AdmissionRequest): string {
  const isNamespace = resource.group === '' && resource.plural === 'namespaces';
  return namespace === '' && isNamespace ? name : namespace;
}

async function sent(object: ApiObject | undefined, form: Form): Promise<ApiObject | null> {
  if (!object) return null;
  const there = await form.there(object);
  if (!form.type) return there;
  const { group: ownGroup, version, kind } = form.type.gvk;
  return { ...there, kind, apiVersion: formatApiVersion(ownGroup, version) };
}

function kindOf(
  { operation, options, resource }: AdmissionRequest,
  own: GroupVersionKind | undefined,
): GroupVersionKind {
  const place = operation === 'CONNECT' ? parseApiVersion(options?.apiVersion ?? 'v1') : undefined;
  return place ? { ...place, kind: options?.kind ?? '' } : plainKind(own ?? resource);
}

function plainKind({ group: ownGroup, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group: ownGroup, version, kind };
}

/** Reads an answer. Throws an Error with upstream's words on one that is none. */
export function readVerdict(text: string, { uid, apiVersion }: Question, isMutating: boolean): Verdict {
  const review = parse(text);
  const response = review['response'];
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  const isStrict = apiVersion === `${group}/v1`;
  if (isStrict) checkSender(review, response, uid);
  const patch = patchOf(response, isMutating, isStrict);
  const { allowed, status, warnings, auditAnnotations } = response;
  return {
    isAllowed: allowed === true,
    status: isJsonObject(status) ? (status as unknown as Status) : undefined,
    patch,
    warnings: Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [],
    auditAnnotations: textsOf(auditAnnotations),
  };
}

function parse(text: string): JsonObject {
  let review: JsonValue;
  try {
    review = parseExactJson(text);
  } catch (error) {
    throw new Error(`the answer is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(review)) throw new Error('the answer is no object');
  return review;
}

function checkSender(review: JsonObject, response: JsonObject, uid: string): void {
  if (response['uid'] !== uid)
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`,
    );
  const { apiVersion = '', kind = '' } = review;
  if (apiVersion !== `${group}/v1` || kind !== 'AdmissionReview') {
    const found = `${shownJson(apiVersion)}, Kind=${shownJson(kind)}`;
    throw new Error(`expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${found}`);
  }
}

/** v1 wants patch and type together, and none of validating webhooks; v1beta1 took what came. */
function patchOf(
  { patch, patchType }: JsonObject,
  isMutating: boolean,
  isStrict: boolean,
): JsonValue | undefined {
  const hasPatch = (typeof patch === 'string' || Array.isArray(patch)) && patch.length > 0;
  const hasType = patchType !== undefined && patchType !== null;
  if (!isMutating) {
    if (isStrict && hasPatch) throw new Error('validating webhook may not return response.patch');
    if (isStrict && hasType) throw new Error('validating webhook may not return response.patchType');
    return undefined;
  }
  if (isStrict && hasPatch && !hasType)
    throw new Error('webhook returned response.patch but not response.patchType');
  if (isStrict && !hasPatch && hasType)
    throw new Error('webhook returned response.patchType but not response.patch');
  if (!hasPatch) return undefined;
  if (isStrict && patchType !== 'JSONPatch')
    throw new Error(`unsupported patch type ${JSON.stringify(patchType)}`);
  try {
    return parseExactJson(bytesOf(patch).toString());
  } catch {
    throw new Error('received undecodable patch in webhook response');
  }
}

/** Base64, or a list of numbers as some webhooks' libraries write bytes. */
function bytesOf(patch: string | readonly JsonValue[]): Buffer {
  if (typeof patch === 'string') return Buffer.from(patch, 'base64');
  const read = readByteList(patch);
  if ('odd' in read) throw new Error(`no byte: ${shownJson(read.odd)}`);
  return Buffer.from(read.base64, 'base64');
}

function textsOf(value: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {};
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

const codeMin = 400;

/** The refusal of a webhook as the client gets it: the webhook's own Status, with a message that names the webhook. */
export function denial(name: string, status: Status | undefined): StatusError {
  const { code, message, reason } = status ?? {};
  const said = [message, reason].find((text) => typeof text === 'string' && text !== '');
  const title = `admission webhook ${JSON.stringify(name)} denied the request`;
  return fromStatus({
    metadata: {},
    ...(status?.details ? { details: status.details } : {}),
    reason: typeof reason === 'string' ? reason : '',
    code: typeof code === 'number' && code >= codeMin && code < 600 ? Math.trunc(code) : codeMin,
    message: said === undefined ? `${title} without explanation` : `${title}: ${said}`,
  });
}

import {
  badRequest,
  builtInType,
  conflict,
  invalid,
  invalidValue,
  type ObjectMeta,
  ownValue,
  type Pod,
  type TokenRequest,
  timeFromMs,
} from '@wherry/kubeapi';
import type { BoundObject, ServiceAccountClaims } from '../authentication/service-accounts/claims.ts';
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens.ts';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readObject } from '../requests/request-object.ts';
import { readWriteOptions } from '../requests/write-options.ts';

/** The kind of requests for tokens. */
export const tokenRequestKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const lifetimeSecondsMin = 600;
const lifetimeSecondsMax = 2 ** 32;
const lifetimeSecondsDefault = 3600;
/**
 * What admission asks for in a pod's name, and what the pod gets in its place: its program may read the token once and
 * never again. The odd number tells these requests from others (upstream: pkg/serviceaccount/claims.go).
 */
const askedForPods = 3607;
const givenToPods = 365 * 24 * 3600;

/** Where the objects live that a token can be bound to. */
export interface TokenRequestOptions {
  accounts: Collection;
  pods: Collection;
  secrets: Collection;
  nodes: Collection;
  tokens: ServiceAccountTokens;
}

/** POST of `serviceaccounts/NAME/token`. */
export async function requestToken(options: TokenRequestOptions, request: ResourceRequest): Promise<object> {
  const writing = readWriteOptions(request.query, 'CreateOptions');
  const { namespace, name } = request.info;
  const account = await options.accounts.storage.get({ namespace, name });
  const type = builtInType(tokenRequestKind);
  const object = await readObject(request, type, writing.fieldValidation);
  await options.accounts.admission.pass(request, {
    operation: 'CREATE',
    type,
    object,
    dryRun: writing.dryRun,
  });
  const tokenRequest = as<TokenRequest>(object);
  checkName(object.metadata, request);
  const lifetimeSeconds = shortened(lifetimeOf(tokenRequest), options, request);
  const audiences = tokenRequest.spec?.audiences?.length
    ? tokenRequest.spec.audiences
    : options.tokens.audiences;
  const binding = await boundObject(options, request, tokenRequest);
  const uid = account.object.metadata.uid ?? '';
  const { uid: said = '' } = object.metadata;
  if (said !== '' && said !== uid) throw otherAccount(name, said, uid);
  const isForPod = lifetimeSeconds === askedForPods && binding.bound?.kind === 'Pod';
  const isExtended = isForPod && isForServer(audiences, options.tokens);
  const issued = await options.tokens.issue(
    { namespace, name, uid, ...binding },
    isExtended
      ? { audiences, lifetimeSeconds: givenToPods, warnAfterSeconds: lifetimeSeconds }
      : { audiences, lifetimeSeconds },
  );
  const nowMs = options.accounts.clock.nowMs();
  const expiresAtMs = isExtended ? nowMs + lifetimeSeconds * 1000 : issued.expiresAtMs;
  return {
    ...object,
    metadata: { ...object.metadata, name, namespace, uid, creationTimestamp: timeFromMs(nowMs) },
    spec: { ...object.spec, audiences, expirationSeconds: lifetimeSeconds },
    status: { token: issued.token, expirationTimestamp: timeFromMs(expiresAtMs) },
  };
}

/** Others that a token is for never see the server's grace: they get what was asked for. */
function isForServer(audiences: readonly string[], tokens: ServiceAccountTokens): boolean {
  return tokens.extendsLifetimes && audiences.every((audience) => tokens.audiences.includes(audience));
}

/** 409 for a request that is for an account of the same name that was there before. */
function otherAccount(name: string, said: string, uid: string): Error {
  const { group, kind } = tokenRequestKind;
  const why = `the UID in the token request (${said}) does not match the UID of the service account (${uid})`;
  return conflict({ group, resource: kind }, name, why);
}

function checkName(metadata: ObjectMeta, { info }: ResourceRequest): void {
  if (metadata.namespace && metadata.namespace !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (metadata.name && metadata.name !== info.name) {
    const why = 'must match the service account name if specified';
    throw invalid(tokenRequestKind, info.name, [invalidValue('metadata.name', metadata.name, why)]);
  }
}

function lifetimeOf({ spec, metadata }: TokenRequest): number {
  const seconds = spec?.expirationSeconds ?? lifetimeSecondsDefault;
  const field = 'spec.expirationSeconds';
  const problem =
    seconds < lifetimeSecondsMin
      ? 'may not specify a duration less than 10 minutes'
      : seconds > lifetimeSecondsMax && 'may not specify a duration larger than 2^32 seconds';
  if (!problem) return seconds;
  throw invalid(tokenRequestKind, metadata?.name ?? '', [invalidValue(field, seconds, problem)]);
}

function shortened(seconds: number, { tokens }: TokenRequestOptions, { warnings }: ResourceRequest): number {
  const { lifetimeSecondsMax: max } = tokens;
  if (seconds <= max) return seconds;
  warnings?.push(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
  return max;
}

/** The object that the token shall die with; it must exist, with the right uid, and use the account. */
async function boundObject(
  options: TokenRequestOptions,
  request: ResourceRequest,
  { spec }: TokenRequest,
): Promise<Pick<ServiceAccountClaims, 'bound' | 'node'>> {
  const reference = spec?.boundObjectRef;
  if (!reference?.kind) return {};
  const { kind, name = '' } = reference;
  const collection = ownValue({ Pod: options.pods, Secret: options.secrets, Node: options.nodes }, kind);
  if (!collection)
    throw badRequest(
      `cannot bind token for serviceaccount "${request.info.name}" to object of kind "${kind}"`,
    );
  const namespace = kind === 'Node' ? '' : request.info.namespace;
  const { object } = await collection.storage.get({ namespace, name });
  const uid = object.metadata.uid ?? '';
  if (reference.uid && reference.uid !== uid) {
    const why = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(collection.storage.ref, name, why);
  }
  const bound = { kind: kind as BoundObject['kind'], name, uid };
  if (kind !== 'Pod') return { bound };
  const pod = as<Pod>(object);
  if (pod.spec?.serviceAccountName !== request.info.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${request.info.name}" to pod running with different serviceaccount name.`,
    );
  }
  const nodeName = pod.spec?.nodeName;
  if (!nodeName) return { bound };
  const node = await options.nodes.storage.find({ namespace: '', name: nodeName });
  return { bound, node: { name: nodeName, uid: node?.object.metadata.uid } };
}

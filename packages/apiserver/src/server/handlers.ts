import type { ServerResponse } from 'node:http';
import {
  badRequest,
  type GroupVersionKind,
  type LocalSubjectAccessReview,
  type SelfSubjectAccessReview,
  type SelfSubjectRulesReview,
  type SubjectAccessReview,
  type TokenReview,
} from '@wherry/kubeapi';
import type { AdmissionChain } from '../admission/chain.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import { describeUser } from '../authentication/identity.ts';
import type { ServiceAccountTokens } from '../authentication/service-account-tokens.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { RbacAuthorizer } from '../authorization/rbac.ts';
import type { DialGuard } from '../connect/dial-guard.ts';
import type { Kubelets } from '../connect/kubelets.ts';
import { serveLog } from '../connect/logs.ts';
import { serveProxy } from '../connect/proxy.ts';
import type { StreamConnector } from '../connect/streams.ts';
import { sendObject, sendSnapshot } from '../http/responder.ts';
import { as } from '../registry/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { readPatch } from '../registry/patches.ts';
import type { ResourceRequest } from '../registry/request.ts';
import { readObject } from '../registry/request-object.ts';
import { readWriteOptions } from '../registry/write-options.ts';
import { patchObject, replaceObject } from '../registry/writes.ts';
import { reviewAccess, reviewRules, subjectOf } from '../reviews/access-reviews.ts';
import { reviewToken } from '../reviews/token-review.ts';
import { bindPod } from '../subresources/binding.ts';
import { evictPod } from '../subresources/eviction.ts';
import { finalizeNamespace } from '../subresources/finalize.ts';
import { requestToken } from '../subresources/token-request.ts';
import { customResourceHandlers } from './custom-resources.ts';
import type { ResourceHandler, Wire } from './resource-router.ts';

/** What the handlers work with. */
export interface HandlerOptions {
  /** A stored resource of the core group, by its plural. */
  core(plural: string): Collection;
  admission: AdmissionChain;
  authenticator: Authenticator;
  authorizer: Authorizer;
  /** Undefined in mode AlwaysAllow. */
  rbac: RbacAuthorizer | undefined;
  tokens: ServiceAccountTokens;
  kubelets: Kubelets;
  guard: DialGuard;
  streams: StreamConnector;
}

/** Everything that is not plain storage, by `group/version/plural[/subresource]`. */
export function createHandlers(options: HandlerOptions): Map<string, ResourceHandler> {
  return new Map([
    ...podHandlers(options),
    ...coreHandlers(options),
    ...reviewHandlers(options),
    ...customResourceHandlers,
  ]);
}

function podHandlers({ core, kubelets, guard, streams }: HandlerOptions): [string, ResourceHandler][] {
  const pods = core('pods');
  const proxies = { pods, services: core('services'), endpoints: core('endpoints'), kubelets, guard };
  const stream: ResourceHandler = (request, wire) => streams.serve(request, wire.exchange);
  const proxy: ResourceHandler = (request, wire) => serveProxy(proxies, request, wire);
  const bind: ResourceHandler = async (request, wire) => {
    await bindPod(pods, request);
    sendSuccess(request, wire);
  };
  const evict: ResourceHandler = async (request, wire) => {
    await evictPod(pods, request);
    sendSuccess(request, wire);
  };
  return [
    ['/v1/pods/exec', stream],
    ['/v1/pods/attach', stream],
    ['/v1/pods/portforward', stream],
    ['/v1/pods/log', (request, wire) => serveLog(proxies, request, wire)],
    ['/v1/pods/proxy', proxy],
    ['/v1/services/proxy', proxy],
    ['/v1/nodes/proxy', proxy],
    ['/v1/pods/binding', bind],
    ['/v1/bindings', bind],
    ['/v1/pods/eviction', evict],
    ['/v1/pods/ephemeralcontainers', (request, wire) => serveUpdates(pods, request, wire)],
  ];
}

function coreHandlers({ core, tokens }: HandlerOptions): [string, ResourceHandler][] {
  const namespaces = core('namespaces');
  const [accounts, pods, secrets, nodes] = [
    core('serviceaccounts'),
    core('pods'),
    core('secrets'),
    core('nodes'),
  ];
  return [
    [
      '/v1/namespaces/finalize',
      async (request, wire) => {
        const snapshot = await finalizeNamespace(namespaces, request);
        sendSnapshot(snapshot, answer(request, wire.response(), 200));
      },
    ],
    [
      '/v1/serviceaccounts/token',
      async (request, wire) => {
        const object = await requestToken({ accounts, pods, secrets, nodes, tokens }, request);
        sendObject(object, answer(request, wire.response(), 201));
      },
    ],
  ];
}

/** Verbs of a sub-resource whose body is the object itself; what it may change is the collection's business. */
async function serveUpdates(collection: Collection, request: ResourceRequest, wire: Wire): Promise<void> {
  const { namespace, name, verb } = request.info;
  const written =
    verb === 'get'
      ? { code: 200, snapshot: await collection.storage.get({ namespace, name }) }
      : verb === 'update'
        ? await replaceObject(collection, request)
        : await patchObject(collection, request, await readPatch(request));
  sendSnapshot(written.snapshot, answer(request, wire.response(), written.code));
}

const authorizationKind = (kind: string): GroupVersionKind => ({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind,
});

function reviewHandlers(options: HandlerOptions): [string, ResourceHandler][] {
  const { admission, authorizer, authenticator, tokens, rbac } = options;
  const review =
    (
      gvk: GroupVersionKind,
      respond: (object: never, request: ResourceRequest) => object | Promise<object>,
    ): ResourceHandler =>
    async (request, wire) => {
      const { fieldValidation, dryRun } = readWriteOptions(request.query, 'CreateOptions');
      const object = await readObject(request, gvk, fieldValidation);
      await admission.pass(request, { operation: 'CREATE', object, dryRun });
      sendObject(await respond(as<never>(object), request), answer(request, wire.response(), 201));
    };
  const authentication = (kind: string): GroupVersionKind => ({
    group: 'authentication.k8s.io',
    version: 'v1',
    kind,
  });
  return [
    [
      'authorization.k8s.io/v1/selfsubjectaccessreviews',
      review(authorizationKind('SelfSubjectAccessReview'), (object: SelfSubjectAccessReview, { user }) =>
        reviewAccess(object, user, authorizer),
      ),
    ],
    [
      'authorization.k8s.io/v1/subjectaccessreviews',
      review(authorizationKind('SubjectAccessReview'), (object: SubjectAccessReview) =>
        reviewAccess(object, subjectOf(object), authorizer),
      ),
    ],
    [
      'authorization.k8s.io/v1/localsubjectaccessreviews',
      review(authorizationKind('LocalSubjectAccessReview'), (object: LocalSubjectAccessReview, { info }) => {
        if (object.spec.resourceAttributes?.namespace !== info.namespace) {
          throw badRequest('spec.resourceAttributes.namespace: must match metadata.namespace');
        }
        return reviewAccess(object, subjectOf(object), authorizer);
      }),
    ],
    [
      'authorization.k8s.io/v1/selfsubjectrulesreviews',
      review(authorizationKind('SelfSubjectRulesReview'), (object: SelfSubjectRulesReview, { user }) =>
        reviewRules(object, user, rbac),
      ),
    ],
    [
      'authentication.k8s.io/v1/tokenreviews',
      review(authentication('TokenReview'), (object: TokenReview) =>
        reviewToken(object, { authenticator, tokens }),
      ),
    ],
    [
      'authentication.k8s.io/v1/selfsubjectreviews',
      review(authentication('SelfSubjectReview'), (object: object, { user }) => ({
        ...object,
        status: { userInfo: describeUser(user) },
      })),
    ],
  ];
}

function answer(request: ResourceRequest, response: ServerResponse, code: number) {
  for (const text of request.warnings) response.appendHeader('warning', `299 - ${JSON.stringify(text)}`);
  return { response, media: { ...request.media, as: 'object' as const }, code, nowMs: 0 };
}

function sendSuccess(request: ResourceRequest, wire: Wire): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  sendObject(status, answer(request, wire.response(), 201));
}

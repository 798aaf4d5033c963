/** Questions about access, in expressions of policies, and what our evaluator makes of them. */
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@wherry/kubeapi';
import { askAccess } from '../../packages/apiserver/src/admission/expressions/ask-access.ts';
import { RbacAuthorizer, type RbacCaches } from '../../packages/apiserver/src/authorization/rbac.ts';
import { Environment } from '../../packages/kubeapi/src/cel/environment.ts';
import {
  authorizerOf,
  authorizerType,
  resourceCheckOf,
  resourceCheckType,
} from '../../packages/kubeapi/src/cel/kubernetes/authorization.ts';
import { CompileError } from '../../packages/kubeapi/src/cel/syntax/ast.ts';
import { CostLimitError, isError } from '../../packages/kubeapi/src/cel/values/value.ts';
import { celRunCostMax } from '../../packages/kubeapi/src/limits.ts';
import { type OwnAnswer, shown } from './answer.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const group = (name: string) => ({ kind: 'Group', name, apiGroup });
const bound = (name: string, kind: string, role: string, subjects: object[]) => ({
  ...{ metadata: { name, namespace: kind === 'Role' ? 'default' : undefined } },
  ...{ roleRef: { apiGroup, kind, name: role }, subjects },
});

/** Who asks, what for, and what roles there are. */
export const access = {
  ...{ user: 'jane', groups: ['dev', 'system:authenticated'] },
  ...{ group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'default', name: 'web' },
  roles: [
    {
      metadata: { name: 'reader', namespace: 'default' },
      rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }],
    },
  ],
  roleBindings: [
    bound('read', 'Role', 'reader', [
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      group('dev'),
    ]),
    bound('lost', 'Role', 'missing', [{ kind: 'User', name: 'jane', apiGroup }]),
  ],
  clusterRoles: [
    {
      metadata: { name: 'use' },
      rules: [
        { apiGroups: ['example.com'], resources: ['licenses'], resourceNames: ['gold'], verbs: ['use'] },
        { nonResourceURLs: ['/healthz', '/logs/*'], verbs: ['get'] },
        { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] },
      ],
    },
  ],
  clusterRoleBindings: [
    bound('use', 'ClusterRole', 'use', [group('dev'), group('system:serviceaccounts:default')]),
  ],
};

const license = 'authorizer.group("example.com").resource("licenses")';
const pods = 'authorizer.group("").resource("pods")';
const robot = 'authorizer.serviceAccount("default", "robot")';

export const accessQuestions: readonly string[] = [
  `${license}.check("use").allowed()`,
  `${license}.name("gold").check("use").allowed()`,
  `${license}.name("gold").check("use").reason()`,
  `${license}.name("gold").namespace("default").check("use").reason()`,
  `${license}.name("gold").check("use").errored()`,
  `${license}.name("gold").check("use").error()`,
  `${license}.name("gold").check("").allowed()`,
  `${license}.name("gold").check("USE").allowed()`,
  `${pods}.check("get").allowed()`,
  `${pods}.namespace("default").check("get").allowed()`,
  `${pods}.namespace("default").check("get").reason()`,
  `${pods}.namespace("other").check("get").reason()`,
  `${pods}.subresource("log").namespace("default").check("get").allowed()`,
  `${pods}.subresource("exec").namespace("default").check("get").allowed()`,
  `${pods}.namespace("default").namespace("").check("get").allowed()`,
  `${pods}.namespace("default").fieldSelector("spec.nodeName=a").check("list").allowed()`,
  `${pods}.namespace("default").fieldSelector("").check("list").allowed()`,
  `${pods}.namespace("default").fieldSelector("!!!").check("list").allowed()`,
  `${pods}.namespace("default").labelSelector("a=b,c in (d,e),!f").check("list").allowed()`,
  `${pods}.namespace("default").labelSelector("a in").labelSelector("é").check("list").allowed()`,
  'authorizer.path("/healthz").check("get").allowed()',
  'authorizer.path("/healthz").check("post").allowed()',
  'authorizer.path("/logs/a").check("get").reason()',
  'authorizer.path("").check("get").allowed()',
  'authorizer.path(" \\t").check("get").allowed()',
  'authorizer.group("").resource(" ").check("get").allowed()',
  'authorizer.requestResource.check("update").allowed()',
  'authorizer.requestResource.check("update").reason()',
  'authorizer.requestResource.check("get").allowed()',
  'authorizer.requestResource.subresource("").check("update").allowed()',
  '[1].all(authorizer, authorizer.requestResource.check("update").allowed())',
  'true ? authorizer.requestResource.check("update").allowed() : false',
  `${robot}.group("").resource("pods").namespace("default").check("get").reason()`,
  `${robot}.group("example.com").resource("licenses").name("gold").check("use").reason()`,
  'authorizer.serviceAccount("default", "other").group("").resource("pods").namespace("default").check("get").allowed()',
  'authorizer.serviceAccount("default", "Robot").path("/").check("get").allowed()',
  'authorizer.serviceAccount("de.fault", "robot").path("/").check("get").allowed()',
  'authorizer.serviceAccount("", "").path("/").check("get").allowed()',
  'authorizer.serviceAccount("default", "ro.bot").path("/healthz").check("get").allowed()',
  `${robot}.serviceAccount("other", "x").path("/healthz").check("get").reason()`,
  'authorizer',
  'authorizer.requestResource',
  'authorizer.group("a")',
  'authorizer.path("/")',
  'authorizer.path("/").check("get")',
  'type(authorizer) == type(authorizer.requestResource)',
  'type(authorizer)',
  'authorizer.path("/").allowed()',
  'authorizer.group("").check("get").allowed()',
  'authorizer.group("").name("a").check("get").allowed()',
  'authorizer.resource("a")',
  'authorizer.path(1)',
  'authorizer.path(dyn(1)).check("get").allowed()',
  'dyn(authorizer).path("/healthz").check("get").allowed()',
  'dyn(1).path("/healthz")',
  'dyn(authorizer).requestResource',
  'authorizer.requestResource.requestResource',
  'authorizer.something',
  'has(authorizer.requestResource)',
  'authorizer == 1',
  '[authorizer.path("/healthz"), authorizer.path("/logs/b")].all(p, p.check("get").allowed())',
  '["/healthz", "/a"].exists(p, authorizer.path(p).check("get").allowed())',
  '["/a", "/b", "/c"].exists(p, authorizer.path(p).check("get").allowed())',
  '["get", "put"].map(v, authorizer.path("/healthz").check(v).allowed())',
  '{"a": authorizer.path("/healthz").check("get").allowed()}.a',
  'authorizer.path("/healthz").check("get").allowed() || authorizer.path("/b").check("get").allowed()',
];

/** A cache that has held all of them from the beginning. */
const cacheOf = (objects: readonly { metadata: { name: string; namespace?: string | undefined } }[]) =>
  new Map(
    objects.map((object) => {
      const { name, namespace } = object.metadata;
      return [namespace ? `${namespace}/${name}` : name, object];
    }),
  );

const caches = {
  roles: cacheOf(access.roles) as unknown as Map<string, Role>,
  roleBindings: cacheOf(access.roleBindings) as unknown as Map<string, RoleBinding>,
  clusterRoles: cacheOf(access.clusterRoles) as unknown as Map<string, ClusterRole>,
  clusterRoleBindings: cacheOf(access.clusterRoleBindings) as unknown as Map<string, ClusterRoleBinding>,
} as unknown as RbacCaches;

/** What our evaluator makes of a question, by our own role-based access control. */
export function accessAnswerOf(expression: string): OwnAnswer {
  const { resource, subresource, namespace, name } = access;
  const user = { name: access.user, groups: access.groups, uid: '', extra: {} };
  const ask = askAccess(new RbacAuthorizer(caches), user);
  const environment = new Environment({
    variables: { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType },
  });
  const values = new Map([
    ['authorizer', authorizerOf(ask)],
    [
      'authorizer.requestResource',
      resourceCheckOf(ask, { group: access.group, resource, subresource, namespace, name }),
    ],
  ]);
  try {
    const compiled = environment.compile(expression);
    const { value, cost } = compiled.evaluate((name) => values.get(name), celRunCostMax);
    const error = isError(value) ? value.message : '';
    return { estimate: '', value: error === '' ? shown(value) : '', error, cost };
  } catch (error) {
    if (error instanceof CostLimitError)
      return { estimate: '', value: '', error: error.message, cost: Number.NaN };
    if (!(error instanceof CompileError)) throw error;
    return { wrong: error.message, estimate: '', value: '', error: '', cost: 0 };
  }
}

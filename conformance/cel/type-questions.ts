/** Policies whose expressions fit the types of objects or do not, and what our side says of them. */
import {
  type ExpressionWarning,
  findResource,
  OpenApiDocuments,
  resources,
  type ValidatingAdmissionPolicySpec,
} from '@wherry/kubeapi';
import { schemaInDocument, typeWarnings, type VersionedKind } from '@wherry/kubeapi/type-warnings';

/** What each expression is held to. */
const subjects: readonly (readonly [group: string, version: string, plural: string])[] = [
  ['', 'v1', 'pods'],
  ['', 'v1', 'services'],
  ['', 'v1', 'secrets'],
  ['apps', 'v1', 'deployments'],
  ['batch', 'v1', 'jobs'],
];

const expressions = [
  'true',
  'object.metadata.name == "a"',
  'object.metadata.name == 1',
  'object.metadata.labels["a"] == "b"',
  'object.metadata.labels.a == 2',
  'object.metadata.creationTimestamp > timestamp("2020-01-01T00:00:00Z")',
  'object.metadata.creationTimestamp == "now"',
  'object.metadata.generation + 1 > 2',
  'object.metadata.generation + "1" == "2"',
  'object.metadata.ownerReferences.exists(o, o.controller)',
  'object.metadata.ownerReferences.exists(o, o.controller == "yes")',
  'object.metadata.managedFields.all(m, has(m.fieldsV1))',
  'object.metadata.finalizers.size() > 0 && object.metadata.finalizers[0] == "x"',
  'object.metadata.nothing == 1',
  'has(object.metadata.deletionTimestamp)',
  'has(object.metadata.deletion)',
  'oldObject.metadata.uid == object.metadata.uid',
  'oldObject.spec == object.spec',
  'oldObject == null || oldObject.kind == object.kind',
  'object.spec.replicas > 1',
  'object.spec.replicas > "1"',
  'object.spec.template.spec.containers.all(c, c.image.startsWith("a"))',
  'object.spec.template.spec.containers.all(c, c.image > 1)',
  'object.spec.containers.all(c, has(c.resources.limits))',
  'object.spec.containers.all(c, c.resources.limits["cpu"] == "1")',
  'object.spec.containers[0].ports[0].containerPort == 80',
  'object.spec.containers[0].ports[0].containerPort == "http"',
  'object.spec.containers[0].livenessProbe.httpGet.port == 80',
  'object.spec.containers[0].livenessProbe.httpGet.port == "http"',
  'object.spec.containers[0].livenessProbe.httpGet.ports == "http"',
  'object.spec.securityContext.runAsNonRoot',
  'object.spec.securityContext.runAsNonRoot == "true"',
  'object.spec.nodeSelector.exists(k, k == "a")',
  'object.spec.nodeSelector.exists(k, k == 1)',
  'object.spec.nodeSelector["a"].b',
  'object.spec.volumes.map(v, v.name).join(",") == ""',
  'object.spec.volumes.map(v, v.emptyDir.sizeLimit)',
  'object.spec.volumes.map(v, v.emptyDir.medium)',
  'object.spec.ports.all(p, p.targetPort == 80 || p.targetPort == "http")',
  'object.spec.ports.all(p, p.port == "80")',
  'object.spec.ports.all(p, p.nodePorts == 80)',
  'object.spec.selector.app == "x"',
  'object.spec.selector.matchLabels.app == "x"',
  'object.data["a"] == b"x"',
  'object.data["a"] == "x"',
  'object.data.all(k, k.size() < 3)',
  'object.stringData.a == "x"',
  'object.immutable',
  'object.type == "Opaque"',
  'object.spec.completionMode == "Indexed" && object.spec.completions > 0',
  'object.spec.podFailurePolicy.rules.exists(r, r.action == 3)',
  'object.spec.strategy.rollingUpdate.maxSurge == "25%"',
  'object.spec.strategy.rollingUpdate.maxSurge == 1',
  'object.status.conditions.exists(c, c.type == "Ready" && c.status)',
  'object.status.conditions.exists(c, c.lastTransitionTime > timestamp("2020-01-01T00:00:00Z"))',
  'object.status.phase == "Running"',
  'object.status.startTime - object.metadata.creationTimestamp > duration("1m")',
  'object.foo',
  'object.kind == "Pod" && object.apiVersion == "v1"',
  'nothing',
  'object.metadata.labels.exists(l, l.foo)',
  'request.userInfo.username == "a"',
  'request.userInfo.username == 1',
  'request.foo == 1',
  'request.operation == "CREATE" && request.dryRun',
  'namespaceObject.metadata.labels.a == "b"',
  'namespaceObject.metadata.foo == "b"',
  'namespaceObject.spec.finalizers.size() == 0',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'authorizer.group(1)',
  'params.data.size() > 1',
  'params.data["a"] == 1',
  'params.datum == 1',
  'variables.containers.all(c, c.image == "a")',
  'variables.containers.all(c, c.nothing == "a")',
  'variables.count == "a"',
  'variables.broken == 1',
  'variables.nothing == 1',
  'object.metadata.name.matches("[")',
  'dyn(object).spec.nothing == 1',
  'type(object.metadata.name) == string',
  'object.metadata.labels.size() == object.metadata.annotations.size()',
  'object.metadata.labels == object.metadata.annotations',
  'object.metadata == object.spec',
  '[object.metadata.name, 1].size() == 2',
  'object.metadata.?labels[?"a"].orValue("b") == "c"',
  'object.?nothing.orValue(1) == 1',
  'object.spec.?replicas.orValue("x") == "c"',
];

const variables = [
  { name: 'containers', expression: 'has(object.spec.template) ? object.spec.template.spec.containers : []' },
  { name: 'count', expression: 'object.metadata.name.size()' },
  { name: 'broken', expression: 'object.nothing.at.all' },
];

/** A policy for each expression, first as what is judged and then as what words the message. */
export const typeQuestions: readonly ValidatingAdmissionPolicySpec[] = subjects.flatMap(
  ([group, version, plural]) =>
    expressions.map((expression) => ({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [
          { apiGroups: [group], apiVersions: [version], resources: [plural], operations: ['CREATE'] },
        ],
      },
      variables,
      validations: [{ expression }, { expression: 'true', messageExpression: expression }],
    })),
);

const documents = new OpenApiDocuments(resources);

function schemaOf(kind: VersionedKind) {
  const { group, version } = kind;
  const { body } = documents.document(group === '' ? `api/${version}` : `apis/${group}/${version}`)!;
  return schemaInDocument(JSON.parse(body), kind)!;
}

const known = subjects.map(([group, version, plural]) => {
  const { kind } = findResource(group, version, plural)!;
  return { group, version, kind, plural, schema: schemaOf({ group, version, kind }) };
});
const params = schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' });

export function ownTypeWarnings(policy: ValidatingAdmissionPolicySpec): ExpressionWarning[] {
  const [rule] = policy.matchConstraints!.resourceRules!;
  const kinds = known.filter(
    ({ group, plural }) => rule!.apiGroups![0] === group && rule!.resources![0] === plural,
  );
  return typeWarnings(policy, { kinds, params });
}

/** Names of types that nobody gave are made up, with the time in them. */
export const withoutMadeUpNames = (text: string) =>
  text.replace(/\b(Pod|Service|Secret|Deployment|Job|ConfigMap)\d+\b/g, (_, kind: string) =>
    kind === 'ConfigMap' ? 'params' : kind,
  );

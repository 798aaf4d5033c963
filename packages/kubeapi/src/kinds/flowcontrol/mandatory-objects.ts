/** What flow control has whatever anybody writes (facts: apiserver pkg/apis/flowcontrol/bootstrap). */
import type {
  FlowcontrolV1Subject,
  FlowSchema,
  NonResourcePolicyRule,
  PriorityLevelConfiguration,
  ResourcePolicyRule,
} from '../../generated/types.ts';

/** On objects that the server keeps as they come. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

const metadataOf = (name: string) => ({ name, annotations: { [autoUpdateAnnotation]: 'true' } });

/** Subjects that are groups. */
export const groupSubjects = (...names: string[]): FlowcontrolV1Subject[] =>
  names.map((name) => ({ kind: 'Group', group: { name } }));

/** Everything that is asked of resources. */
export const allResources: ResourcePolicyRule = {
  ...{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
};

/** Everything else that is asked. */
export const allPaths: NonResourcePolicyRule = { verbs: ['*'], nonResourceURLs: ['*'] };

/** A schema that the server makes. */
export function builtInSchema(
  name: string,
  spec: {
    level: string;
    precedence: number;
    flow?: 'ByUser' | 'ByNamespace';
    subjects: FlowcontrolV1Subject[];
    resourceRules?: ResourcePolicyRule[];
    nonResourceRules?: NonResourcePolicyRule[];
  },
): FlowSchema {
  const { level, precedence, flow, subjects, resourceRules, nonResourceRules } = spec;
  return {
    metadata: metadataOf(name),
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      ...(flow ? { distinguisherMethod: { type: flow } } : {}),
      rules: [
        {
          subjects,
          ...(resourceRules ? { resourceRules } : {}),
          ...(nonResourceRules ? { nonResourceRules } : {}),
        },
      ],
    },
  };
}

/** A level that the server makes. */
export function builtInLevel(
  name: string,
  spec: PriorityLevelConfiguration['spec'],
): PriorityLevelConfiguration {
  return { metadata: metadataOf(name), spec };
}

/** Requests of administrators, and whatever no other schema matches. */
export const mandatoryFlowSchemas: readonly FlowSchema[] = [
  builtInSchema('exempt', {
    ...{ level: 'exempt', precedence: 1, subjects: groupSubjects('system:masters') },
    ...{ resourceRules: [allResources], nonResourceRules: [allPaths] },
  }),
  builtInSchema('catch-all', {
    ...{ level: 'catch-all', precedence: 10_000, flow: 'ByUser' },
    subjects: groupSubjects('system:unauthenticated', 'system:authenticated'),
    ...{ resourceRules: [allResources], nonResourceRules: [allPaths] },
  }),
];

/** Their levels. */
export const mandatoryPriorityLevels: readonly PriorityLevelConfiguration[] = [
  builtInLevel('exempt', {
    ...{ type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  }),
  builtInLevel('catch-all', {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  }),
];

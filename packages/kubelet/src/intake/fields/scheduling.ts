import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
  Toleration,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, refusedBy } from '../../pod/field-verdict.ts';

const nodeAffinityFile = 'podrules/node-affinity';
const constraints = 'controllers/scheduler/unsupported-constraints';
const required = 'required terms; preferred ones are a wish that may go unmet';

export const affinity: MessageVerdicts<Affinity> = {
  nodeAffinity: actedOn(nodeAffinityFile),
  podAffinity: refusedBy(
    constraints,
    'the scheduler does not look at pod affinity: with a required term the pod stays Pending and says so',
    required,
  ),
  podAntiAffinity: refusedBy(
    constraints,
    'the scheduler does not look at pod anti-affinity: with a required term the pod stays Pending and says so',
    required,
  ),
};

export const nodeAffinity: MessageVerdicts<NodeAffinity> = {
  requiredDuringSchedulingIgnoredDuringExecution: actedOn(nodeAffinityFile),
  preferredDuringSchedulingIgnoredDuringExecution: actedOn(nodeAffinityFile),
};

export const nodeSelector: MessageVerdicts<NodeSelector> = {
  nodeSelectorTerms: actedOn(nodeAffinityFile),
};

export const nodeSelectorTerm: MessageVerdicts<NodeSelectorTerm> = {
  matchExpressions: actedOn(nodeAffinityFile),
  matchFields: actedOn(nodeAffinityFile),
};

export const nodeSelectorRequirement: MessageVerdicts<NodeSelectorRequirement> = {
  key: actedOn(nodeAffinityFile),
  operator: actedOn(nodeAffinityFile),
  values: actedOn(nodeAffinityFile),
};

export const preferredSchedulingTerm: MessageVerdicts<PreferredSchedulingTerm> = {
  weight: actedOn(nodeAffinityFile),
  preference: actedOn(nodeAffinityFile),
};

export const toleration: MessageVerdicts<Toleration> = {
  key: actedOn('podrules/tolerations'),
  operator: actedOn('podrules/tolerations'),
  value: actedOn('podrules/tolerations'),
  effect: actedOn('podrules/tolerations'),
  tolerationSeconds: actedOn('controllers/node-lifecycle/node-lifecycle'),
};

import type {
  Affinity,
  LabelSelector,
  LabelSelectorRequirement,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PreferredSchedulingTerm,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../pod/field-verdict.ts';

const nodeAffinityFile = 'podrules/nodes/node-affinity';
const labelKeysFile = 'apiserver/kinds/core/pod/label-keys';
const selectorFile = 'kubeapi/selector/label-selector';
const termFile = 'controllers/scheduler/cluster/affinity-term';
const spreadFile = 'controllers/scheduler/cluster/spread-constraint';

export const affinity: MessageVerdicts<Affinity> = {
  nodeAffinity: actedOn(nodeAffinityFile),
  podAffinity: actedOn(termFile),
  podAntiAffinity: actedOn(termFile),
};

const terms = {
  requiredDuringSchedulingIgnoredDuringExecution: actedOn(termFile),
  preferredDuringSchedulingIgnoredDuringExecution: actedOn(termFile),
};

export const podAffinity: MessageVerdicts<PodAffinity> = terms;
export const podAntiAffinity: MessageVerdicts<PodAntiAffinity> = terms;

export const weightedPodAffinityTerm: MessageVerdicts<WeightedPodAffinityTerm> = {
  weight: actedOn(termFile),
  podAffinityTerm: actedOn(termFile),
};

export const podAffinityTerm: MessageVerdicts<PodAffinityTerm> = {
  labelSelector: actedOn(termFile),
  namespaces: actedOn(termFile),
  topologyKey: actedOn(termFile),
  namespaceSelector: actedOn(termFile),
  matchLabelKeys: actedOn(labelKeysFile),
  mismatchLabelKeys: actedOn(labelKeysFile),
};

export const labelSelector: MessageVerdicts<LabelSelector> = {
  matchLabels: actedOn(selectorFile),
  matchExpressions: actedOn(selectorFile),
};

export const labelSelectorRequirement: MessageVerdicts<LabelSelectorRequirement> = {
  key: actedOn(selectorFile),
  operator: actedOn(selectorFile),
  values: actedOn(selectorFile),
};

export const topologySpreadConstraint: MessageVerdicts<TopologySpreadConstraint> = {
  maxSkew: actedOn(spreadFile),
  topologyKey: actedOn(spreadFile),
  whenUnsatisfiable: actedOn(spreadFile),
  labelSelector: actedOn(spreadFile),
  minDomains: actedOn(spreadFile),
  nodeAffinityPolicy: actedOn(spreadFile),
  nodeTaintsPolicy: actedOn(spreadFile),
  matchLabelKeys: actedOn(spreadFile, labelKeysFile),
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
  tolerationSeconds: actedOn('controllers/node-lifecycle/taint-eviction'),
};

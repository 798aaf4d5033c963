import { type Strategy, specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const strategy: Strategy = { ...specGenerations, statusKeeps: 'metadata' };

/** Which requests belong to which level of priority. */
export const flowSchema: ServedKind = { group, kind: 'FlowSchema', strategy };

/** How much of the server each level may have. */
export const priorityLevelConfiguration: ServedKind = {
  ...{ group, kind: 'PriorityLevelConfiguration', strategy },
};

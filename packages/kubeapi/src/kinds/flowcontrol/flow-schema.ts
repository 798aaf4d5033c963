/** Which requests go into which queue. */
import type { KindDefinition } from '../definition.ts';

/** Which requests go into which queue. */
export const flowSchema: KindDefinition = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  defaults: {
    FlowSchemaSpec: { matchingPrecedence: 1000 },
  },
};

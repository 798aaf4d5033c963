/** Sound APIServices, without kind and apiVersion. */
import type { JsonObject } from '@wherry/kubeapi';

const priorities: JsonObject = { groupPriorityMinimum: 1000, versionPriority: 15 };

/** One that another server answers for, and two that this one does. */
export const apiServices: readonly JsonObject[] = [
  {
    metadata: { name: 'v1.example.com' },
    spec: {
      ...{ group: 'example.com', version: 'v1', ...priorities },
      ...{ service: { namespace: 'default', name: 'web', port: 8443 }, caBundle: 'YQ==' },
    },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Passed' }] },
  },
  { metadata: { name: 'v1.' }, spec: { version: 'v1', ...priorities } },
  {
    metadata: { name: 'v2beta1.example.com' },
    spec: { group: 'example.com', version: 'v2beta1', ...priorities },
  },
];

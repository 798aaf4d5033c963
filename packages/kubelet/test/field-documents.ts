import { messageSchema } from '@wherry/kubeapi';
import type { FieldDocument } from '../../../tools/fields/table.ts';
import { annotationVerdicts } from '../src/fields/annotations.ts';
import { podTables } from '../src/fields/tables.ts';

const about = `Every field that a pod's spec can have, as the schema of Kubernetes 1.36 has it, and what is made of it here.
A pod with a refused value is not started: its phase is \`Failed\`, its message names the field and says what to do. A
warning is an event on the pod. Messages below a refused field are left out.`;

/** The pages of docs/fields that tell of this package. */
export const documents: readonly FieldDocument[] = [
  {
    file: 'pod.md',
    title: 'Fields of a pod',
    about,
    tables: [
      ...[...podTables].map(([message, fields]) => ({ message, fields })),
      { message: 'annotations', fields: annotationVerdicts },
    ],
    schemaFields: (message) =>
      message === 'annotations'
        ? Object.keys(annotationVerdicts)
        : [...messageSchema(message).jsonFields.keys()],
  },
];

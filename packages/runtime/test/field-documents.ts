import { messageFields } from '@wherry/cri';
import type { FieldDocument } from '../../../tools/fields/table.ts';
import { requestTables } from '../src/fields/tables.ts';

const about = `Every field that a request of CRI v1 can have, and what the runtime makes of it. A refused value fails its request with
\`InvalidArgument\`, and the message begins with the field's name. Messages below a refused field are left out, and so are
the requests of methods that answer \`Unimplemented\`: CheckpointPod, RestorePod.`;

/** The pages of docs/fields that tell of this package. */
export const documents: readonly FieldDocument[] = [
  {
    file: 'cri.md',
    title: 'Fields of a CRI request',
    about,
    tables: [...requestTables]
      .filter(([, fields]) => Object.keys(fields).length > 0)
      .map(([message, fields]) => ({ message, fields })),
    schemaFields: (message) => messageFields(message)?.map(({ name }) => name),
  },
];

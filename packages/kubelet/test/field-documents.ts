import { messageSchema } from '@wherry/kubeapi';
import type { FieldDocument, FieldTable } from '../../../tools/fields/table.ts';
import { configurationFields } from '../src/configuration/configuration.ts';
import type { FieldType } from '../src/configuration/field-types.ts';
import { annotationVerdicts } from '../src/fields/annotations.ts';
import { podTables } from '../src/fields/tables.ts';
import { configurationMessages } from '../src/generated/upstream.ts';

const about = `Every field that a pod's spec can have, as the schema of Kubernetes 1.36 has it, and what is made of it here.
A pod with a refused value is not started: its phase is \`Failed\`, its message names the field and says what to do. A
warning is an event on the pod. Messages below a refused field are left out.`;

const aboutConfiguration = `Every field of \`KubeletConfiguration\` (kubelet.config.k8s.io/v1beta1) of Kubernetes 1.36, and what is made of it
here. A kubelet does not start with a refused value: it names every bad field at once. A warning is a line of the log.
Zero, false and "" mean the default unless Go has a pointer there, as upstream decodes them.`;

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
  {
    file: 'kubelet-configuration.md',
    title: 'Fields of a KubeletConfiguration',
    about: aboutConfiguration,
    tables: configurationTables('KubeletConfiguration', configurationFields),
    schemaFields: (message) =>
      configurationMessages[message]?.split(';').map((field) => field.split(' ')[0] ?? ''),
  },
];

function configurationTables(message: string, type: FieldType<unknown>): FieldTable[] {
  const fields = Object.entries(type.fields ?? {});
  const typeOf = new Map(
    configurationMessages[message]?.split(';').map((field) => field.split(' ') as [string, string]),
  );
  const claims = fields.map(([name, field]) => [
    name,
    field.fields ? { noEffect: `see ${messageOf(typeOf.get(name))} below` } : field.claim,
  ]);
  const below = fields.flatMap(([name, field]) =>
    field.fields ? configurationTables(messageOf(typeOf.get(name)), field) : [],
  );
  return [{ message, fields: Object.fromEntries(claims) }, ...below];
}

function messageOf(goType = ''): string {
  return goType.replace(/^\*?(?:logsapi\.)?/, '');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageSchema } from '@wherry/kubeapi';
import type { FieldClaim, FieldDocument, FieldTable } from '../../../tools/fields/table.ts';
import { configurationFields } from '../src/configuration/configuration.ts';
import type { FieldType } from '../src/configuration/field-types.ts';
import { fieldOfFlag } from '../src/configuration/flags/flag-fields.ts';
import { configurationFlags, configurationMessages } from '../src/generated/upstream.ts';
import { annotationVerdicts } from '../src/intake/fields/annotations.ts';
import { podTables } from '../src/intake/fields/tables.ts';

const about = `Every field that a pod's spec can have, as the schema of Kubernetes 1.36 has it, and what is made of it here.
A pod with a refused value is not started: its phase is \`Failed\`, its message names the field and says what to do. A
warning is an event on the pod. Messages below a refused field are left out.`;

const aboutConfiguration = `Every field of \`KubeletConfiguration\` (kubelet.config.k8s.io/v1beta1) of Kubernetes 1.36, and what is made of it
here. A kubelet does not start with a refused value: it names every bad field at once. A warning is a line of the log.
Zero, false and "" mean the default unless Go has a pointer there, as upstream decodes them.`;

const aboutFlags = `Every flag of upstream's kubelet 1.36, and what is made of it by \`wherry kubelet\`. Upstream has deprecated
those that set a field of the configuration; here that field is set in the file of \`--config\`.`;

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
  {
    file: 'kubelet-flags.md',
    title: 'Flags of the kubelet',
    about: aboutFlags,
    tables: [{ message: 'flags', fields: flagClaims() }],
    schemaFields: () => Object.keys(configurationFlags),
  },
];

function flagClaims(): Record<string, FieldClaim> {
  const commands = 'node/roles/commands/role-commands';
  const source = readFileSync(
    join(import.meta.dirname, '../../node/src/roles/commands/role-commands.ts'),
    'utf8',
  );
  const own = source.slice(
    source.indexOf('function kubeletCommand'),
    source.indexOf('function runtimeCommand'),
  );
  const claims = Object.keys(configurationFlags).map((flag): [string, FieldClaim] => {
    if (own.includes(`'--${flag} `)) return [flag, { actedOn: [commands] }];
    const field = fieldOfFlag(flag);
    const why = field ? `unknown flag; set \`${field}\` in the file of \`--config\`` : 'unknown flag';
    return [flag, { refused: [{ values: '', why }] }];
  });
  return Object.fromEntries(claims);
}

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
  return goType.replace(/^\*?(?:(?:logsapi|tracingapi)\.)?/, '');
}

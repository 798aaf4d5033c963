import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageSchema } from '@wherry/kubeapi';
import { configurationTables, fieldNames } from '../../../tools/fields/configuration-tables.ts';
import type { FieldClaim, FieldDocument } from '../../../tools/fields/table.ts';
import { configurationFields } from '../src/configuration/configuration.ts';
import { absentKubeletFlags } from '../src/configuration/flags/configuration-flags.ts';
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

const aboutFlags = `Every flag of upstream's kubelet 1.36, and what is made of it by \`wherry kubelet\`. Those that set a field of
the configuration, which upstream has deprecated, stand above the file of \`--config\`: what is made of their values is what is
made of the field's.`;

/** Those of cAdvisor and of the log, which are registered elsewhere; `kubelet --help` of 1.36.2. */
const flagsFromElsewhere = [
  ...[
    'application-metrics-count-limit',
    'boot-id-file',
    'container-hints',
    'containerd',
    'containerd-namespace',
  ],
  ...[
    'enable-load-reader',
    'event-storage-age-limit',
    'event-storage-event-limit',
    'global-housekeeping-interval',
  ],
  ...['housekeeping-interval', 'log-cadvisor-usage', 'log-flush-frequency', 'log-json-info-buffer-size'],
  ...['log-json-split-stream', 'log-text-info-buffer-size', 'log-text-split-stream', 'logging-format'],
  ...['machine-id-file', 'storage-driver-buffer-duration', 'storage-driver-db', 'storage-driver-host'],
  ...['storage-driver-password', 'storage-driver-secure', 'storage-driver-table', 'storage-driver-user'],
  ...['v', 'version', 'vmodule'],
];

/** Every flag that upstream's kubelet has. */
const kubeletFlags: readonly string[] = [...Object.keys(configurationFlags), ...flagsFromElsewhere].sort();

/** Flags that a command has by other means than `option`. */
const ownForms = /^(v|version)$/;

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
    tables: configurationTables('KubeletConfiguration', configurationFields, configurationMessages),
    schemaFields: (message) => fieldNames(configurationMessages, message),
  },
  {
    file: 'kubelet-flags.md',
    title: 'Flags of the kubelet',
    about: aboutFlags,
    tables: [{ message: 'flags', fields: flagClaims() }],
    schemaFields: () => kubeletFlags,
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
  const claims = kubeletFlags.map((flag): [string, FieldClaim] => {
    if (own.includes(`'--${flag} `) || ownForms.test(flag)) return [flag, { actedOn: [commands] }];
    const field = fieldOfFlag(flag);
    if (field !== undefined) return [flag, { sets: field.path.join('.') }];
    const [, why = 'unknown flag'] =
      absentKubeletFlags.find(([begin]) => `--${flag}`.startsWith(begin)) ?? [];
    return [flag, { refused: [{ values: '', why }] }];
  });
  return Object.fromEntries(claims);
}

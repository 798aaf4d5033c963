/** Which requests belong to which level of priority (upstream: pkg/apis/flowcontrol). */
import type { FlowSchema } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { conditionErrors } from './condition-rules.ts';
import { flowSchemaErrors } from './flow-schema-rules.ts';

const printer: Printer<FlowSchema> = {
  columns: [
    ...[nameColumn, column('PriorityLevel'), column('MatchingPrecedence'), column('DistinguisherMethod')],
    ...[ageColumn, column('MissingPL')],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.priorityLevelConfiguration?.name ?? '', spec.matchingPrecedence ?? 0],
    ...[spec.distinguisherMethod?.type ?? '<none>', age(metadata.creationTimestamp, nowMs)],
    missingLevel(status?.conditions?.find(({ type }) => type === 'Dangling')),
  ],
};

/** Whether its level is missing, as far as somebody has said. */
const missingLevel = (dangling: { status?: string | undefined } | undefined): string =>
  dangling ? (dangling.status ?? '') : '?';

/** Which requests belong to which level of priority. */
export const flowSchema: KindDefinition<FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  printer,
  validate: (schema) => [...flowSchemaErrors(schema), ...conditionErrors(schema.status?.conditions)],
  validateSubresource: { status: ({ status }) => conditionErrors(status?.conditions) },
  defaults: {
    FlowSchemaSpec: { matchingPrecedence: 1000 },
  },
  descriptions: {
    FlowSchema: {
      '': 'Says which requests belong to which level of priority, and which of them are one flow.',
    },
    FlowSchemaSpec: {
      priorityLevelConfiguration: 'The level that matching requests are served at.',
      matchingPrecedence:
        'Of the schemas that match a request the one with the lowest number has it: 1 to 10000.',
      distinguisherMethod:
        'What makes a flow: ByUser or ByNamespace. Absent: all requests of the schema are one.',
      rules: 'Requests that any of these matches.',
    },
  },
};

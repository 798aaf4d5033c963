/** Templates of pods. */
import type { PodTemplate } from '../../generated/types.ts';
import { column, containerCells, labelText, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateTemplate } from './pod/validation/template.ts';

const printer: Printer<PodTemplate> = {
  columns: [nameColumn, column('Containers'), column('Images'), column('Pod Labels')],
  cells: ({ metadata, template }) => [
    ...[metadata?.name ?? '', ...containerCells(template?.spec?.containers)],
    labelText(template?.metadata?.labels),
  ],
};

/** Templates of pods. */
export const podTemplate: KindDefinition<PodTemplate> = {
  group: '',
  kind: 'PodTemplate',
  printer,
  validate: ({ template }) => validateTemplate(template, 'template'),
  validateUpdate: ({ template }, previous) => validateTemplate(template, 'template', previous.template),
  descriptions: {
    PodTemplate: { '': 'What pods made from it look like.' },
  },
};

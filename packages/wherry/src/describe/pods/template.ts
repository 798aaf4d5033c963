import type { PodTemplateSpec } from '@wherry/kubeapi';
import { annotationLines, labelLines } from '../text/labels.ts';
import { given, type Lines } from '../text/lines.ts';
import { volumeLines } from '../volumes/volumes.ts';
import { containerLines } from './containers.ts';
import { groupLines, spreadLines, tolerationLines } from './placement.ts';

const margin = '  ';

/** What pods are made of. */
export function templateLines(template: PodTemplateSpec | undefined): Lines {
  if (!template) return ['Pod Template:', '  <unset>'];
  const { metadata: { labels, annotations = {} } = {}, spec } = template;
  const { initContainers = [], containers = [] } = spec ?? {};
  return [
    'Pod Template:',
    ...labelLines('  Labels', labels),
    ...(Object.keys(annotations).length > 0 ? annotationLines('  Annotations', annotations) : []),
    ...given('  Service Account', spec?.serviceAccountName),
    ...(initContainers.length > 0 ? containerLines('Init Containers', initContainers, { margin }) : []),
    ...containerLines('Containers', containers, { margin }),
    ...volumeLines(spec?.volumes, margin),
    ...spreadLines(margin, spec?.topologySpreadConstraints),
    ...given('  Priority Class Name', spec?.priorityClassName),
    ...labelLines('  Node-Selectors', spec?.nodeSelector),
    ...tolerationLines('  Tolerations', spec?.tolerations),
    ...groupLines(margin, spec?.schedulingGroup),
  ];
}

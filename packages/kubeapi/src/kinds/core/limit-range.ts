/** Bounds and defaults for resources in a namespace. */
import { object } from '../../defaults/parts.ts';
import type { JsonObject } from '../../json-value.ts';
import type { KindDefinition } from '../definition.ts';

/** Bounds and defaults for resources in a namespace. */
export const limitRange: KindDefinition = {
  group: '',
  kind: 'LimitRange',
  computedDefaults: {
    LimitRangeItem: defaultLimitRange,
  },
  descriptions: {
    LimitRange: { '': 'Bounds and defaults for resources in a namespace.' },
  },
};

function defaultLimitRange(item: JsonObject): void {
  if (item['type'] !== 'Container') return;
  item['default'] = { ...object(item['max']), ...object(item['default']) };
  item['defaultRequest'] = { ...object(item['min']), ...item['default'], ...object(item['defaultRequest']) };
}

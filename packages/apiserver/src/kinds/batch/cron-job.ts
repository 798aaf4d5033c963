import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Cron jobs. */
export const cronJob: ServedKind = {
  group: 'batch',
  kind: 'CronJob',
  strategy: specGenerations,
};

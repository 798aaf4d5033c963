export type { Logger, LogLevel } from './logger.ts';
export { createLogger, silentLogger } from './logger.ts';
export type { Counter, Gauge, Histogram } from './metrics.ts';
export { MetricsRegistry, requestSecondsBuckets } from './metrics.ts';
export { MetricsPage, type SampleWriter } from './metrics-page.ts';
export type { Labels } from './series-table.ts';
export { type UnattendedOptions, unattended } from './unattended.ts';

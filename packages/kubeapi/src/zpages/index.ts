export {
  type ProcessPage,
  ProcessPages,
  type ProcessPagesOptions,
  type ProcessTimes,
  timesOfProcess,
} from './process-pages.ts';

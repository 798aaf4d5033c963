export {
  type ProcessPage,
  ProcessPages,
  type ProcessPagesOptions,
  type ProcessTimes,
} from './process-pages.ts';

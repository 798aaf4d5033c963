import { describeExamples } from '../../../tools/example-suite.ts';

describeExamples(import.meta.dirname);

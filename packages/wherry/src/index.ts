export { createProgram, runProgram } from './cli/program.ts';

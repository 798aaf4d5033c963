/** How kinds are printed whose rows need neither the schema nor anything of Node's: for whoever has objects at hand. */

export { eventPrinter } from './kinds/core/event/event.ts';
export { nodePrinter } from './kinds/core/node.ts';
export { podPrinter } from './kinds/core/pod/printer.ts';
export { age, humanDuration } from './table/human-duration.ts';
export { ageColumn, type Cell, column, nameColumn, type Printer } from './table/printer.ts';

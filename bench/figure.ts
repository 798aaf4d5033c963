/** One row of a report: what was measured, beside upstream's node on a like machine and what we aim at. */
export interface Figure {
  name: string;
  value: string;
  upstream: string;
  aim: string;
}

/** Prints figures as a Markdown table. */
export function printFigures(figures: Figure[]): void {
  console.log('| figure | wherry | upstream | aim |\n| --- | --- | --- | --- |');
  for (const { name, value, upstream, aim } of figures) {
    console.log(`| ${name} | ${value} | ${upstream} | ${aim} |`);
  }
}

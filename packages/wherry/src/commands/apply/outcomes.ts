import type { KubeObject } from '@wherry/client';
import type { GivenObject } from '../../objects/given/each-manifest.ts';
import { type Outcome, outcomePrinter } from '../../objects/outcome.ts';
import { printedObject } from '../../objects/printed-object.ts';
import { printValue } from '../../output/listing.ts';
import { isValueFormat } from '../../output/output-format.ts';
import type { Applied } from './applying.ts';
import type { ApplyFlags } from './flags.ts';

/** What became of objects: each is told when it is done, or all are printed at the end as one value. */
export class Outcomes {
  readonly #flags: ApplyFlags;
  readonly #objects: KubeObject[] = [];
  readonly #tell: (one: Outcome) => void;

  constructor(flags: ApplyFlags) {
    this.#flags = flags;
    this.#tell = outcomePrinter(flags);
  }

  add({ resource }: GivenObject, { object, outcome }: Applied): void {
    if (isValueFormat(this.#flags.output)) this.#objects.push(object);
    else this.#tell({ resource, object, done: outcome });
  }

  /** An object alone, and several as a list, where their form was asked for. */
  printObjects(): void {
    const { output } = this.#flags;
    if (!isValueFormat(output)) return;
    const items = this.#objects.map((object) => printedObject(object, this.#flags));
    const [only, ...more] = items;
    printValue(more.length === 0 ? only : { apiVersion: 'v1', items, kind: 'List', metadata: {} }, output);
  }
}

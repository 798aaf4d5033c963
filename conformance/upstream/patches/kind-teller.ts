import { StoryTeller } from '../chance/story-teller.ts';
import type { PatchedKind } from './kinds.ts';

/** Tells of one kind of several: seeds that follow each other tell of all of them. */
export abstract class KindTeller extends StoryTeller {
  protected readonly kind: PatchedKind;

  constructor(seed: number, title: string, kinds: readonly PatchedKind[]) {
    super(seed, title);
    this.kind = kinds[seed % kinds.length]!;
  }

  /** The path of the kind's objects in one of its versions. */
  protected placeIn(apiVersion: string): string {
    return this.place(apiVersion, this.kind);
  }
}

/** What chance tells stories of. */
import type { JsonObject } from '@wherry/kubeapi';
import { definitions as patchedDefinitions } from '../patches/custom-kinds.ts';
import { knownDifferences as patchDifferences } from '../patches/known-differences.ts';
import { story as patchStory } from '../patches/stories.ts';
import type { Asked } from '../two-servers.ts';
import { definitions } from './kinds.ts';
import { type KnownDifferences, knownDifferences } from './known-differences.ts';
import { story } from './stories.ts';

/** Stories of one sort. */
export interface Suite {
  /** What has to be defined before the first story. */
  definitions: readonly JsonObject[];
  /** The requests of a seed. */
  story(seed: number, length: number): Asked[];
  known: KnownDifferences;
}

/** Requests of all verbs. */
export const requests: Suite = { definitions, story, known: knownDifferences };

/** Patches of all sorts, and updates between them. */
export const patches: Suite = {
  definitions: patchedDefinitions,
  story: patchStory,
  known: patchDifferences,
};

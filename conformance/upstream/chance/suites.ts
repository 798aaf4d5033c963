/** What chance tells stories of. */
import type { JsonObject } from '@wherry/kubeapi';
import { AnswerReader } from '../forms/answer-reader.ts';
import { knownDifferences as formDifferences } from '../forms/known-differences.ts';
import { story as formStory } from '../forms/stories.ts';
import { definitions as patchedDefinitions } from '../patches/custom-kinds.ts';
import { knownDifferences as patchDifferences } from '../patches/known-differences.ts';
import { story as patchStory } from '../patches/stories.ts';
import type { Asked } from '../two-servers.ts';
import { definitions } from './kinds.ts';
import { type KnownDifferences, knownDifferences } from './known-differences.ts';
import { story } from './stories.ts';
import type { OpenAnswer } from './tell.ts';

/** Stories of one sort. */
export interface Suite {
  /** What has to be defined before the first story. */
  definitions: readonly JsonObject[];
  /** The requests of a seed. */
  story(seed: number, length: number): Asked[];
  known: KnownDifferences;
  /** Default: every answer is JSON. */
  open?: OpenAnswer;
  /** Ends what the suite has started. */
  close?(): void;
}

/** Requests of all verbs. */
export const requests: Suite = { definitions, story, known: knownDifferences };

/** Patches of all sorts, and updates between them. */
export const patches: Suite = {
  definitions: patchedDefinitions,
  story: patchStory,
  known: patchDifferences,
};

/** Requests and answers in all forms: JSON, YAML, protobuf, tables, metadata alone. */
export async function createForms(): Promise<Suite> {
  const reader = await AnswerReader.create();
  return {
    ...{ definitions: patchedDefinitions, story: formStory, known: formDifferences },
    open: (answer) => reader.open(answer),
    close: () => reader.close(),
  };
}

/** The suite of that name; requests of all verbs if there is none. */
export async function suiteOf(name: string | undefined): Promise<Suite> {
  if (name === 'forms') return await createForms();
  return name === 'patches' ? patches : requests;
}

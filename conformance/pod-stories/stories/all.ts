import type { Story } from '../story.ts';
import { changes } from './changes.ts';
import { ends } from './ends.ts';
import { initStories } from './init.ts';
import { lifecycles } from './probes.ts';
import { questions } from './questions.ts';
import { refusals } from './refused.ts';
import { resizes } from './resizes.ts';
import { security } from './security.ts';
import { starts } from './starts.ts';
import { staticPods } from './static.ts';
import { surroundings } from './surroundings.ts';
import { variables } from './variables.ts';
import { volumes } from './volumes.ts';

/** Every story. */
export const stories: readonly Story[] = [
  ...starts,
  ...staticPods,
  ...refusals,
  ...ends,
  ...changes,
  ...initStories,
  ...lifecycles,
  ...questions,
  ...resizes,
  ...security,
  ...surroundings,
  ...variables,
  ...volumes,
];

import type { RunOptions } from './world/run.ts';

/** Seeds that found a defect, and what holds since it is mended. A change of the simulation may make them others. */
export const keptSeeds: readonly (RunOptions & { seed: number; behaviour: string })[] = [
  {
    seed: 19,
    runtime: 'fake',
    behaviour: 'the control group of a pod that went while no kubelet ran is removed',
  },
  { seed: 20, runtime: 'fake', behaviour: 'a pod that nobody wants is stopped though another has its name' },
  {
    seed: 142,
    runtime: 'fake',
    behaviour: 'a kubelet that was restarted starts nothing in a pod whose time is over',
  },
  {
    seed: 41,
    runtime: 'fake',
    pace: 'parted',
    behaviour: 'a status that the API server has forgotten, set back to its backup, is told again',
  },
  {
    seed: 9,
    runtime: 'alone',
    behaviour: 'a container whose start an earlier kubelet asked for does not run beside its successor',
  },
  {
    seed: 5_152,
    runtime: 'alone',
    behaviour: 'an answer of the runtime that a later one overtook does not make a status',
  },
  {
    seed: 20_870,
    runtime: 'alone',
    behaviour: 'what a killed runtime left is cleared once a monitor answers, if none did when it was back',
  },
  {
    seed: 211_147,
    runtime: 'alone',
    behaviour: 'a deleted pod goes also when the answer to its final status was lost',
  },
  {
    seed: 214_375,
    runtime: 'alone',
    behaviour: 'a pod is not said to be over while a container may run whose start was never answered',
  },
  {
    seed: 20_092,
    runtime: 'real',
    behaviour:
      'a container runs for a new monitor when the one before was killed between the notes of its making and start',
  },
  {
    seed: 17,
    runtime: 'real',
    pace: 'hurried',
    steps: 60,
    behaviour: 'a process that the OCI runtime started before it was killed for being slow is ended',
  },
  {
    seed: 43,
    runtime: 'real',
    pace: 'hurried',
    steps: 60,
    behaviour:
      'a pod that is never restarted goes on after its machine was restarted before its container began',
  },
  {
    seed: 106_384,
    runtime: 'real',
    behaviour:
      'a pod that is never restarted, of which one container ended, is not expected to begin another without its sandbox',
  },
];
